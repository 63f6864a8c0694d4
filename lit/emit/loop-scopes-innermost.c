// What only bounds of the innermost loop tell apart has no scopes: LLVM loads A[0] to A[7] in front of the loop over x, as its alias analysis
// does not look where scopes are declared. (Wrong code at -O3 for Zen 4.)
// RUN: %clang -O3 -march=znver4 -mllvm -farkas-unprofitable -mllvm -farkas-target=zen4 -Rpass=farkas -S -emit-llvm -o - %s 2>&1 | FileCheck %s

double A[224];

// CHECK: loop nest transformed
// CHECK-NOT: noalias.scope.decl
void recurrence(int n, double L[n][8]) {
  for (int t = 0; t < 8; t++)
    for (int x = 0; x < n; x++)
      for (int m = 0; m < 8 && m < x; m++)
        A[x] -= 3 * A[m];
}
