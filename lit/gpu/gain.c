// By cost: a device takes what it is faster at, with copies to it and back, from some sizes on. The host keeps the rest.
//
// RUN: %clang -O3 -mllvm -farkas-gpu=true -mllvm -farkas-gpu-arch=sm_90 -Rpass=farkas -Rpass-missed=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s
//
// CHECK: gain.c:[[# @LINE + 5]]:{{.*}} loop nest transformed: kernel in blocks of 16 x 16 threads with 8 x 8 points each, {{.*}} in shared memory, copied 3 strips ahead, where p0 >= {{[0-9]+}}; {{.*}} times as fast expected
// CHECK: gain.c:[[# @LINE + 4]]:{{.*}} loop nest transformed: {{.*}}tiled
#define A(i, j) [(i) * n + (j)]
void product(long n, float *restrict c, float *restrict a, float *restrict b) {
  // The host's own code has what is smaller.
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c A(i, j) += a A(i, k) * b A(k, j);
}

// CHECK: gain.c:[[# @LINE + 2]]:{{.*}} loop nest not run on a GPU: no gain expected with copies to a device and back
void sum(long n, float *restrict c, float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      c A(i, j) = a A(i, j) + b A(i, j);
}
