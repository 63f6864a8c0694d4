// A sum of 32 bits that is extended grows along a loop by what its parts do, where it does not wrap: c is loaded as a vector, whatever the row is.
//
// RUN: %clang -O3 -march=znver3 -fno-vectorize -fno-slp-vectorize -ffp-contract=off -mllvm -farkas-unprofitable -mllvm -farkas-candidate=18 -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: @rows_by_index(
// CHECK: = load <8 x float>, ptr
// CHECK: [[C:%[^ ]+]] = load <8 x float>, ptr
// CHECK: fmul <8 x float> %{{[^ ]+}}, [[C]]
void rows_by_index(int n, const float *restrict a, const int *restrict row, const float *restrict c, float *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int q = 0; q < n; q++)
        s += a[i * n + q] * c[(row[i * n + q] & 63) * n + j];
      d[i * n + j] = s;
    }
}
