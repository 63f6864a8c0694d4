// Tables that have a diagonal in each row: accesses are consecutive along neither loop.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: alignment: loop
// CHECK: read: {{.*}} S0[i, j] -> d[(i + j), (i)]
// CHECK: write: {{.*}} S0[i, j] -> d[(2 + i + j), (1 + i)]
void alignment(int n, double d[restrict][n], double x[restrict], double y[restrict]) {
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++) {
      double all = d[i + j - 2][i - 1] + x[i] * y[j];
      double one = d[i + j - 1][i - 1] + 0.5;
      d[i + j][i] = all < one ? all : one;
    }
}

// CHECK: scaled: loop
// CHECK: write: {{.*}} S0[i, j] -> d[(i + j), (i)]
void scaled(int n, double d[restrict][n], double x[restrict], double y[restrict]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i + j][i] = d[i + j][i] * x[i] * y[j];
}
