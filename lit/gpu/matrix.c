// Products of `double` that may be fused with their sums are matrix instructions of warps. The accumulators are in registers for all strips: between
// two barriers, no element of `c` is loaded or stored, and the next strip is copied meanwhile.
//
// RUN: rm -rf %t && mkdir -p %t/fused %t/apart
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_90 -mllvm -farkas-gpu-ir=%t/fused -Rpass=farkas -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: cat %t/fused/*.ptx | FileCheck %s
// RUN: %clang -O2 -ffp-contract=off -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_90 -mllvm -farkas-gpu-ir=%t/apart -S %s -o /dev/null
// RUN: cat %t/apart/*.ptx | FileCheck %s --check-prefix=APART
//
// REMARK: kernel in blocks of 32 x 4 threads with 4 x 16 points each, {{.*}} in shared memory, copied 1 strip ahead, matrix instructions
// CHECK: cp.async.commit_group
// CHECK-NOT: mma.sync
// CHECK-COUNT-64: ld.global.b64
// CHECK: cp.async.commit_group
// CHECK-NOT: {{(ld|st)\.global}}
// CHECK-COUNT-32: mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64
// CHECK-NOT: {{(ld|st)\.global}}
// CHECK: cp.async.wait_group
// APART-NOT: mma.sync
void product(long n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
