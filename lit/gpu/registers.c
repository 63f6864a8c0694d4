// The accumulators of a register tile are in registers for all strips of the sequential loop: no element of `c` is loaded or stored from one
// barrier to the next, nor in the strip that reads tiles of the operands in shared memory, which is unrolled and loads four elements at once.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_90 -mllvm -farkas-gpu-ir=%t -S %s -o /dev/null
// RUN: cat %t/*.ptx | FileCheck %s
//
// The first barrier is that of full strips in full tiles.
// CHECK: ld.global.b32
// CHECK: bar.sync
// CHECK-COUNT-16: ld.global.nc.b32
// CHECK-NOT: {{(ld|st)\.global}}
// CHECK: bar.sync
// CHECK-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// CHECK-COUNT-64: ld.shared.v4.b32
// CHECK-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// CHECK: bra
void product(long n, float (*restrict c)[n], float (*restrict a)[n], float (*restrict b)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
