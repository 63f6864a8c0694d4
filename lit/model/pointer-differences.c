// The number of elements between two pointers is a parameter.
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
