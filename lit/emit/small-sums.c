// The original has all sums of a small matrix in registers, as LLVM unrolls the loops over it: they wait at the same time, and no order gains.
//
// RUN: %clang -O3 -mllvm -farkas-target=zen3 -march=znver3 -Rpass=farkas -Rpass-missed=farkas -S %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: loop nest left as it is: no gain expected
// CHECK-NOT: transformed
void sums(int n, double (*restrict x)[4], double sums[restrict 4][4]) {
  for (int p = 0; p < n; p++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j <= i; j++)
        sums[i][j] += x[p][i] * x[p][j];
}
