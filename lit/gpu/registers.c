// The accumulators of a register tile are in registers for all strips of the sequential loop: no element of `c` is loaded or stored from one
// barrier to the next, nor in the strip that reads tiles of the operands in shared memory, which is unrolled and loads four elements at once.
// Where a processor copies asynchronously, the next strips are copied meanwhile, 16 bytes at a time where they are aligned.
//
// RUN: rm -rf %t && mkdir -p %t/70 %t/90
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_70 -mllvm -farkas-gpu-ir=%t/70 -S %s -o /dev/null
// RUN: cat %t/70/*.ptx | FileCheck %s --check-prefix=WAITS
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_90 -mllvm -farkas-gpu-ir=%t/90 -S %s -o /dev/null
// RUN: cat %t/90/*.ptx | FileCheck %s --check-prefix=AHEAD
//
// The first barrier is that of full strips in full tiles.
// WAITS-NOT: cp.async
// WAITS: ld.global.b32
// WAITS: bar.sync
// WAITS-COUNT-16: ld.global.nc.b32
// WAITS-NOT: {{(ld|st)\.global}}
// WAITS: bar.sync
// WAITS-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// WAITS-COUNT-64: ld.shared.v4.b32
// WAITS-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// WAITS: bra
//
// The first strips are copied in front of the loop.
// AHEAD: cp.async.commit_group
// AHEAD-COUNT-64: ld.global.b32
// AHEAD: cp.async.commit_group
// AHEAD-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// AHEAD-COUNT-32: ld.shared.v4.b32
// AHEAD-NOT: {{(ld|st)\.global|ld\.shared\.b32}}
// AHEAD: cp.async.wait_group{{[[:space:]]+}}2;
// AHEAD-NEXT: bar.sync
// AHEAD-NOT: {{(ld|st)\.global}}
// AHEAD: cp.async.cg.shared.global {{.*}}, 16;
// AHEAD-NOT: {{(ld|st)\.global}}
// AHEAD: cp.async.cg.shared.global {{.*}}, 16;
void product(long n, float (*restrict c)[n], float (*restrict a)[n], float (*restrict b)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
