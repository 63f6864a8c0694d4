// The inspector is behind all other checks, and in front of those of indirect accesses.
//
// RUN: %clang -O1 -mllvm -farkas-unprofitable -fno-vectorize -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@columns(
// CHECK: br i1 %{{.*}}, label %[[INDIRECT:.*]], label %[[ORIGINAL:.*]]
// CHECK: {{^}}[[INDIRECT]]:
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[DONE:.*]]
// CHECK: [[ELEMENT:%.*]] = load i16, ptr %{{[0-9]+}}, align 2{{$}}
// CHECK-NEXT: freeze i16 [[ELEMENT]]
// CHECK-NEXT: call i16 @llvm.smin.i16
// CHECK-NEXT: call i16 @llvm.smax.i16
// CHECK: {{^}}[[DONE]]:
// CHECK-NEXT: phi i16
// CHECK-NEXT: phi i16
// CHECK-NEXT: sext i16
void columns(long n, long m, double *y, const double *x, const short *index) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      y[i] += x[index[k] * n + i];
}
