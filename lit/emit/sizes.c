// Nothing is said of how often sizes are large enough: LLVM takes loops that are nearly never executed for cold ones, and does not
// align them.
//
// RUN: %clang -O3 -mllvm -farkas-target=zen4 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -mllvm -farkas-target=zen4 -mllvm -farkas-unprofitable -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ALL

// CHECK-NOT: branch_weights", i32 1048575, i32 1}
// ALL: branch_weights", i32 1048575, i32 1}
void columns(int n, int m, double *sums, const double *a) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      sums[j] += a[i * m + j];
}
