// What a guard inside a loop needs does not change there: LLVM moves it in front of the outermost such loop, which is left
// alone for the call.
//
// RUN: %clang -O3 -mllvm -farkas-unprofitable -S -emit-llvm %s -o - | FileCheck %s

void report(long);

// CHECK-LABEL: define {{.*}}@f(
// CHECK: ptrtoint ptr
// CHECK: icmp {{.*}}i128
// Which loops run is decided there, too.
// CHECK: [[HOLDS:%.*]] = and i1
// CHECK: br i1 [[HOLDS]]
// CHECK-NOT: i128
// CHECK-NOT: ptrtoint
// CHECK: call void @report
// CHECK-NOT: i128
// CHECK-NOT: ptrtoint
// CHECK: call void @report
// CHECK-NOT: i128
// CHECK-NOT: ptrtoint
// CHECK: ret void
void f(long steps, int n, double (*a)[64], double (*b)[64]) {
  if (steps <= 0 || n <= 0)
    return;
  for (long t = 0; t < steps; t++) {
    report(t);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
  }
}
