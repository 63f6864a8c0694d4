// A loop with several tests ends with the first of them.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: first: loop
// CHECK: domain: [n, m] -> { S0[i] : 0 <= i < n and m < 0; S0[i] : 0 <= i <= m and i < n }
// CHECK: domain: [n, m] -> { S1[i] : 0 <= i < n and m < 0; S1[i] : 0 <= i < n and i < m }
void first(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] = 1;
    if (i == m)
      break;
    b[i] = 2;
  }
}

// CHECK: inner: loop
// CHECK: domain: [n, m] -> { S0[i, j] : 0 <= j < n and 0 <= i < n and j <= m - i }
void inner(int n, int m, double a[restrict n][n], double *restrict b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (i + j > m)
        break;
      a[i][j] = 1;
    }
    b[i] = 1;
  }
}

// What is used afterwards depends on where the loop was left: that phi has a scalar slot, which each of the tests writes.
// CHECK: afterwards: loop
// CHECK: scalar slot [[V:v[.0-9a-z]*]]: double
// CHECK: {{^}}    write: {{.*}} -> [[V]][]
// CHECK: {{^}}    write: {{.*}} -> [[V]][]
// CHECK: live out %{{.*}}: [[V]]
double afterwards(int n, int m, double *restrict a) {
  double v = 0;
  for (int i = 0; i < n; i++) {
    double w = v + a[i];
    a[i] = v;
    if (i >= m) {
      v = w;
      break;
    }
    a[i + 1] = 1;
    v = 2 * w;
  }
  return v;
}

// Without a bound, one of the tests has to end it.
// CHECK: unbounded: loop
// CHECK: assumptions: [n, m] -> { : n >= 0; : n < 0 and m >= 0 }
void unbounded(long n, long m, double *restrict a) {
  for (long i = 0;; i++) {
    a[i] = 1;
    if (i == n)
      break;
    a[i] += 2;
    if (i == m)
      break;
  }
}
