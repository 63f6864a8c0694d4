// Values that a statement can load itself are not carried to it in scalar slots.
//
// RUN: %model %s 2>&1 | FileCheck %s

// The array is not written in the nest.
// CHECK: constant: loop
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement S0
// CHECK: schedule: {{.*}} -> [(0), (i), (2), (j), (1)]
// CHECK-NEXT: read: {{.*}} -> x[(i)]
// CHECK-NEXT: read: {{.*}} -> A[(i), (j)]
// CHECK-NEXT: write: {{.*}} -> A[(i), (j)]
// CHECK-NOT: statement
void constant(int n, double (*restrict A)[n], const double *restrict x) {
  for (int i = 0; i < n; i++) {
    double v = 2 * x[i];
    for (int j = 0; j < n; j++)
      A[i][j] *= v;
  }
}

// It is written, but not this element between the load and its use.
// CHECK: elsewhere: loop
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement S0
// CHECK: read: {{.*}} S0[i, j] -> A[(i), (0)]
void elsewhere(int n, double A[n][n]) {
  for (int i = 0; i < n; i++) {
    double v = A[i][0];
    for (int j = 1; j < n; j++)
      A[i][j] *= v;
  }
}

// The element itself is written.
// CHECK: overwritten: loop
// CHECK: scalar slot [[S:.*]]: double
// CHECK: read: {{.*}} -> [[S]][]
void overwritten(int n, double A[n][n]) {
  for (int i = 0; i < n; i++) {
    double v = A[i][0];
    for (int j = 0; j < n; j++)
      A[i][j] *= v;
  }
}

// So is it here, in the statement that loads it.
// CHECK: across: loop
// CHECK: scalar slot {{.*}}: double
void across(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    b[i] = 0;
    if (i >= m)
      a[i] = x;
  }
}

// It may be written, under a condition on data.
// CHECK: maybe: loop
// CHECK: scalar slot {{.*}}: double
void maybe(int n, double *restrict a, double *restrict b, const double *restrict c) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    if (c[i] > 0)
      b[i] = 0;
    if (i >= 5)
      a[i] = x;
  }
}

// One statement can load it, the other cannot: it is carried to both.
// CHECK: both: loop
// CHECK: scalar slot [[S:.*]]: double
// CHECK: read: {{.*}} -> [[S]][]
// CHECK: read: {{.*}} -> [[S]][]
void both(int n, double A[n][n], double *restrict x) {
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int j = 0; j < n; j++)
      A[i][j] *= v;
    x[i] = 0;
    for (int j = 0; j < n; j++)
      A[i][j] += v;
  }
}

// A quotient is not computed again and again.
// CHECK: quotient: loop
// CHECK: scalar slot {{.*}}: double
void quotient(int n, double A[n][n], const double *restrict x) {
  for (int i = 0; i < n; i++) {
    double v = 2 / x[i];
    for (int j = 0; j < n; j++)
      A[i][j] *= v;
  }
}

// Rows of n + 1 elements would have the store and the load of x apart. With the load in the last statement, rows have n, and they are not.
// CHECK: shapes: loop
// CHECK: scalar slot {{.*}}: double
void shapes(long n, long m, double *a) {
  for (long j = 0; j < m; j++)
    for (long i = 1; i < n; i++) {
      double x = a[j * n + i];
      for (long k = 0; k < i; k++)
        a[(k + 2) * n + j] -= a[k * n + i + 1];
      a[i * n + i] += x * 0.5;
    }
}
