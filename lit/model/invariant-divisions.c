// LLVM moves a division into the loop that uses it, where a negation can go into it. The model has it outside.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: ldl: loop
// CHECK: statement S0
// CHECK: domain: {{.*}} S0[j, i] :
// CHECK: write: {{.*}} S0[j, i] -> [[SLOT:[a-z0-9]+]][]
// CHECK: operations: {{.*}} 1 divide f64
// CHECK: statement S1
// CHECK: domain: {{.*}} S1[j, i, k] :
// CHECK: read: {{.*}} S1[j, i, k] -> [[SLOT]][]
// CHECK-NOT: divide
// CHECK: statement S2
void ldl(int n, double a[restrict][n]) {
  for (int j = 0; j < n; j++) {
    for (int i = j + 1; i < n; i++) {
      double factor = a[i][j] / a[j][j];
      for (int k = j + 1; k <= i; k++)
        a[i][k] -= factor * a[k][j];
    }
    for (int i = j + 1; i < n; i++)
      a[i][j] /= a[j][j];
  }
}

// The loop that computes the divisor does not divide.
//
// CHECK: normalise: loop
// CHECK: statement S1
// CHECK: operations: 1 load f64, 1 add f64{{$}}
// CHECK: statement S2
// CHECK: operations: 1 load f64, 1 store f64, 1 multiply f64, 1 divide f64
void normalise(int n, int m, double a[restrict n][m], double b[restrict n][m]) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < m; j++)
      s += a[i][j];
    for (int j = 0; j < m; j++)
      b[i][j] = a[i][j] * (1 / s);
  }
}
