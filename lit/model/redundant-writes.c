// Statements that write to an element what they have read from it are removed.
//
// RUN: %model %s 2>&1 | FileCheck %s

// The sum is kept in C[i][j]: reading it before the loop and writing it behind the loop change nothing.
// CHECK: product: loop
// CHECK: scalar slot s: double in C
// CHECK: statement S1
// CHECK: write: {{.*}} S1[i, j, k] -> C[(i), (j)]
// CHECK-NOT: statement
void product(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = C[i][j];
      for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}

// What is computed before and behind the loop changes the element.
// CHECK: scaled: loop
// CHECK: scalar slot s: double in C
// CHECK: statement S0
// CHECK: statement S1
// CHECK: statement S2
void scaled(int n, double A[restrict n][n], double B[restrict n][n], double C[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 2 * C[i][j];
      for (int k = 0; k < n; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = 3 * s;
    }
}

// The sum begins with another element.
// CHECK: moved: loop
// CHECK: statement S0
// CHECK: read: {{.*}} S0[i] -> x[(1 + i)]
// CHECK: write: {{.*}} S0[i] -> x[(i)]
// CHECK: statement S1
// CHECK-NOT: statement S2
void moved(int n, double A[restrict n][n], double *restrict x) {
  for (int i = 0; i < n; i++) {
    double s = x[i + 1];
    for (int k = 0; k < n; k++)
      s += A[i][k];
    x[i] = s;
  }
}

// A subscript that is not affine may be any element: those that are read and written are not the same.
// CHECK: moved_by_data: loop
// CHECK: statement S0
// CHECK: read: {{.*}} S0[i] -> x[o0]
// CHECK: may write: {{.*}} S0[i] -> x[o0]
void moved_by_data(int n, double *restrict x, const int *restrict p, const int *restrict q) {
  for (int i = 0; i < n; i++)
    x[p[i]] = x[q[i]];
}
