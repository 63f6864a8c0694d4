// Loops with a single effect are left alone without a model, unless models are asked for. What cuts, splits, or square roots may change is
// modelled.
//
// RUN: env RUST_LOG=debug %clang -O2 -c -o /dev/null %s -Rpass-missed=farkas -mllvm -farkas-remarks=all 2>&1 | FileCheck %s
// RUN: %clang -O2 -c -o /dev/null %s -mllvm -farkas-print=scop -mllvm -farkas-only-func=scaled 2>&1 | FileCheck %s --check-prefix=ASKED

#include <math.h>

// CHECK-NOT: model took
// CHECK: each loop has a single statement
// ASKED: # scaled: loop
void scaled(long n, double *a, const double *b) {
  for (long i = 0; i < n; i++)
    a[i] = b[i] * 3;
}

// CHECK-NOT: model took
// CHECK: each loop has a single statement
double sum(long n, const double *a) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  return s;
}

// Elements are read that other iterations write.
// CHECK: model took
// CHECK: no gain expected
void shifted(long n, double *a) {
  for (long i = 0; i < n; i++)
    a[i] = a[i + 1] * 3;
}

// CHECK: model took
// CHECK: no gain expected
void two(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++) {
    a[i] = i;
    b[i] = i;
  }
}

// LLVM leaves a branch in the loop, new code does not.
// CHECK: model took
void roots(long n, double *restrict a) {
  for (long i = 0; i < n; i++)
    a[i] = sqrt(a[i]);
}

// A subscript is one of several.
// CHECK: model took
void clamped(long n, double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    a[i] = b[i < n - 1 ? i + 1 : n - 1];
}
