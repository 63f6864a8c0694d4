// A panic in the middle of a change leaves the function as it was, and clang goes on.
//
// RUN: clang -O3 -c -o %t.without.o %s
// RUN: %clang -O3 -c -o %t.with.o %s -mllvm -farkas-force-panic 2>&1 | FileCheck %s
// RUN: cmp %t.without.o %t.with.o
// RUN: %clang -O3 -g -c -o %t.debug.o %s -mllvm -farkas-force-panic -Rpass-missed=farkas 2>&1 \
// RUN:   | FileCheck %s --check-prefixes=CHECK,REMARK
//
// CHECK: farkas: internal error at {{.*}}: forced by an option; function left as it was
// REMARK: panic.c:{{.*}}: remark: internal error, function left as it was [-Rpass-missed=farkas]
// CHECK-NOT: panicked
// CHECK-NOT: RUST_BACKTRACE

void f(double *restrict a, const double *restrict b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] += b[j];
}
