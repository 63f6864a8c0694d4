// A minimum in place is stored as a whole vector: instruction selection would make a store under a mask of the comparison.
// Without copies, no original is left.
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-allocate=false -S -o /dev/null %s -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-allocate=false -DSHORTEST_ONLY -S -o - %s | FileCheck %s

// REMARKS: loop nest transformed: split index sets
// CHECK-NOT: vmaskmov
// CHECK: vminpd
// CHECK-NOT: vmaskmov

void shortest(double d[restrict 500][500]) {
  for (int k = 0; k < 500; k++)
    for (int i = 0; i < 500; i++)
      for (int j = 0; j < 500; j++)
        d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}

#ifndef SHORTEST_ONLY
// What is stored may be a constant.
// REMARKS-NOT: internal error
// REMARKS: loop nest transformed
// REMARKS-NOT: internal error
void product(long n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      c[i][j] = 0;
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}
#endif
