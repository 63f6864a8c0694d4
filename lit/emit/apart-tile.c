// In a product of two transposed matrices, no loop goes through neighbours of all: a register tile of two vectors goes along rows of A, and the
// elements of C, which are apart, are loaded and stored once for each tile of k.
//
// RUN: %clang -O3 -mllvm -farkas-target=zen4 -march=znver4 -Rpass=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s

// CHECK: remark: loop nest transformed: tiled 512 x 192 x {{[0-9]+}}, unrolled and jammed 8, 8 vector lanes
// CHECK: define internal {{.*}}@product.farkas.0(
// CHECK: <8 x double>
void product(int n, int m, int l, double *restrict C, const double *restrict A, const double *restrict B) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < l; k++)
        C[i * m + j] += A[k * n + i] * B[j * l + k];
}
