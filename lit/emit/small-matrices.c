// LLVM keeps the elements of a small matrix in registers once all its loops are unrolled. Rows of points, with matrices in memory, would be slower.
//
// RUN: %clang -O3 -march=x86-64-v3 -Rpass=farkas -Rpass-missed=farkas -S %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: loop nest left as it is: no gain expected
// CHECK-NOT: transformed
void factorizations(int n, double (*a)[3][3]) {
  for (int q = 0; q < n; q++)
    for (int k = 0; k < 3; k++)
      for (int i = k + 1; i < 3; i++) {
        a[q][i][k] /= a[q][k][k];
        for (int j = k + 1; j < 3; j++)
          a[q][i][j] -= a[q][i][k] * a[q][k][j];
      }
}

void inverses(int n, double *matrices) {
  for (int q = 0; q < n; q++) {
    double *a = matrices + 4 * q;
    for (int p = 0; p < 2; p++) {
      double d = 1 / (a[p * 2 + p] + 1);
      for (int j = 0; j < 2; j++)
        a[p * 2 + j] *= d;
      for (int i = 0; i < 2; i++)
        if (i != p) {
          double f = a[i * 2 + p];
          for (int j = 0; j < 2; j++)
            a[i * 2 + j] -= f * a[p * 2 + j];
        }
    }
  }
}
