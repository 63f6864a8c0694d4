// The number of elements between two pointers is a parameter.
#include <stddef.h>
//
// RUN: %clang -O3 -mllvm -farkas-print=scop -c %s -o /dev/null 2>&1 | FileCheck %s

struct row {
  float v[12];
};

// CHECK-LABEL: # moments:
// CHECK: parameter p0: (({{.*}}ptrtoint{{.*}}) /u 48)
// CHECK: domain: {{.*}} 0 <= c2 < p0 }
void moments(const struct row *begin, const struct row *end, float (*restrict covariances)[12]) {
  for (int a = 0; a < 12; a++)
    for (int b = 0; b < 12; b++) {
      float sum = 0;
      for (const struct row *row = begin; row != end; row++)
        sum += row->v[a] * row->v[b];
      covariances[a][b] = sum;
    }
}

// Where both pointers are loaded, the quotient is hoisted with them.
// CHECK-LABEL: # products:
// CHECK: parameter {{p[0-9]}}: [[QUOTIENT:%[0-9]+]]
// CHECK: hoisted load [[QUOTIENT]]
// CHECK: domain: {{.*}} S0[c0, c1] : 0 <= c0 < p0 and 0 <= c1 < p1 }
struct span {
  const double *begin, *end;
};
void products(const struct span *x, const struct span *y, double *restrict sums) {
  for (size_t j = 0; j < (size_t)(y->end - y->begin); j++)
    for (size_t i = 0; i < (size_t)(x->end - x->begin); i++)
      sums[i] += x->begin[i] * y->begin[j];
}
