// Rows of one array that the innermost loop reads and writes are told apart by the bounds of loops around, with scopes that are declared in
// front of it: row k is below row i. LLVM then stores each row of a register tile once.
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -mllvm -farkas-target=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s

void triangular_product(int n, double B[n][n], double A[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < n; k++)
        B[i][j] += A[k][i] * B[k][j];
}

// The original, four loops over what fills no tile, and the rows of the tile.
// CHECK-COUNT-9: store double
// CHECK-NOT: store double
