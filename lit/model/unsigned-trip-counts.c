// A number of iterations that is unsigned is not negative: said once for all, so that conditions on it are single conjunctions.
//
// RUN: %model %s 2>&1 | FileCheck %s

#include <stddef.h>

// CHECK-LABEL: unsigned_count: loop
// CHECK: assumptions: {{.*}} -> { : m >= 0 and n >= 0 }
// CHECK: domain: {{.*}}[i] : 0 <= i < n and m > 0 }
// CHECK: schedule
void unsigned_count(size_t n, size_t m, double a[n][m], double *restrict b) {
  for (size_t i = 0; i < n; i++) {
    if (m != 0)
      b[i] = 1;
    for (size_t j = 0; j < m; j++)
      a[i][j] *= b[i];
  }
}

// One that is signed may be negative: there is nothing to do for it, but for the other loop.
// CHECK-LABEL: signed_count: loop
// CHECK: assumptions: {{.*}} -> { : }
void signed_count(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    for (int j = 0; j < m; j++)
      b[j] += a[i];
  }
}

// What is compared with zero without being a number of iterations may be negative, too.
// CHECK-LABEL: flag: loop
// CHECK: domain: {{.*}} k > 0; {{.*}} k < 0 }
void flag(size_t n, long k, double *restrict a) {
  for (size_t i = 0; i < n; i++)
    if (k)
      a[i] = 1;
    else
      a[i] = 2;
}

// A test that is not the only one may be there for a number that is negative where there is no limit.
// CHECK-LABEL: limited: loop
// CHECK: assumptions: [n, limit] -> { : }
void limited(long n, long limit, double *restrict a) {
  for (long i = 0; i < n; i++) {
    a[i] = 1;
    if (i == limit)
      break;
  }
}
