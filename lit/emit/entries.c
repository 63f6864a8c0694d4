// Bounds of lanes promise nothing where the loop around them has no iterations: whether they are full is asked where it has.
//
// RUN: %clang -O3 -fno-discard-value-names -mllvm -farkas-target=zen3 -mllvm -farkas-unprofitable -mllvm -farkas-vectorize=force -S \
// RUN:   -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: @triangle(
// CHECK: br i1 %{{.*}}, label %farkas.entered, label %farkas.endif
// CHECK: farkas.entered:
// CHECK: br i1 %{{.*}}, label %farkas.endif{{.*}}, label %farkas.kept
void triangle(long T, long n, double *restrict a, double *restrict b, double *restrict x, double *restrict s) {
  for (long t = 0; t < T; t++) {
    double v = x[t] / (b[t] + 2);
    x[t] = v * 0.5;
    for (long i = 0; i < n - t; i++)
      for (long j = 0; j < n - t; j++)
        s[i] = s[i] * 0.5 + a[i * 400 + j] * v;
  }
}
