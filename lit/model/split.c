// What a block does becomes several statements where parts of it do not use each other's values.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Two stores that share nothing but the counter, in the order in which they are written.
// CHECK: apart: loop
// CHECK: statement S0
// CHECK: schedule: { S0[i] -> [(0), (i), (1)] }
// CHECK-NEXT: read: {{.*}} -> x[(i)]
// CHECK-NEXT: write: {{.*}} -> a[(i)]
// CHECK: statement S1
// CHECK: schedule: { S1[i] -> [(0), (i), (2)] }
// CHECK-NEXT: read: {{.*}} -> y[(i)]
// CHECK-NEXT: write: {{.*}} -> b[(i)]
// CHECK-NOT: statement
void apart(int n, double *restrict a, double *restrict b, const double *x, const double *y) {
  for (int i = 0; i < n; i++) {
    a[i] = x[i] + 1;
    b[i] = y[i] * 2;
  }
}

// A load that two need keeps them together.
// CHECK: shared: loop
// CHECK: statement S0
// CHECK-NOT: statement
void shared(int n, double *restrict a, double *restrict b, const double *x) {
  for (int i = 0; i < n; i++) {
    double v = x[i];
    a[i] = v + 1;
    b[i] = v * 2;
  }
}

// So does a store between a load and another store to the same array: neither order of the parts is right.
// CHECK: circle: loop
// CHECK: statement S0
// CHECK-NOT: statement
void circle(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double v = a[i + 1];
    double w = b[i + 1];
    b[i] = v;
    a[i] = w;
  }
}

// What is loaded from an array before it is stored to comes first, wherever the stores are.
// CHECK: order: loop
// CHECK: statement S0
// CHECK: schedule: { S0[i] -> [(0), (i), (1)] }
// CHECK-NEXT: read: {{.*}} -> a[(1 + i)]
// CHECK-NEXT: write: {{.*}} -> b[(i)]
// CHECK: statement S1
// CHECK: schedule: { S1[i] -> [(0), (i), (2)] }
// CHECK-NEXT: write: {{.*}} -> a[(i)]
void order(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double v = a[i + 1];
    a[i] = i;
    b[i] = v;
  }
}

// Sums in registers: each has a statement, but not where one is computed from the old value of the other.
// CHECK: sums: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i]
// CHECK: write: {{.*}} -> t[]
// CHECK: statement S1
// CHECK-NEXT: domain: [n] -> { S1[i]
// CHECK: write: {{.*}} -> s[]
// CHECK: statement S2
// CHECK-NEXT: domain: [n] -> { S2[i, j]
// CHECK-NEXT: schedule: {{.*}} -> [(0), (i), (2), (j), (1)]
// CHECK: statement S3
// CHECK-NEXT: domain: [n] -> { S3[i, j]
// CHECK-NEXT: schedule: {{.*}} -> [(0), (i), (2), (j), (2)]
void sums(int n, double A[n][n], double B[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 1;
    for (int j = 0; j < n; j++) {
      s += A[i][j];
      t *= B[i][j];
    }
    y[i] += s + t;
  }
}

// CHECK: fibonacci: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK: write: {{.*}} -> a[(i)]
// CHECK-NOT: statement
void fibonacci(int n, double *restrict a) {
  double x = 0, y = 1;
  for (int i = 0; i < n; i++) {
    double z = x + y;
    x = y;
    y = z;
    a[i] = x;
  }
}

// A condition on data, and what it governs, is one statement.
// CHECK: governed: loop
// CHECK: statement S0
// CHECK: may write: {{.*}} -> a[(i)]
// CHECK: may write: {{.*}} -> b[(i)]
// CHECK-NOT: statement
void governed(int n, double *restrict a, double *restrict b, const double *x) {
  for (int i = 0; i < n; i++)
    if (x[i] > 0) {
      a[i] = 1;
      b[i] = 2;
    }
}

// Both bases are loaded from one structure, in front of the loop: they are two arrays.
// CHECK: members: loop
// CHECK: statement S0
// CHECK: write: {{.*}} S0[i, j]
// CHECK: statement S1
// CHECK: write: {{.*}} S1[i, j]
struct pair { double *x, *y; };
void members(long n, long m, const struct pair *p, const double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      p->x[i * m + j] = 2 * a[i * m + j];
      p->y[j * n + i] = 3 * b[j * n + i];
    }
}
