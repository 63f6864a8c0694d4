// A pass over each table comes behind all other checks. Rows of what is written are compared with those before them.
//
// RUN: %clang -O1 -mllvm -farkas-unprofitable -fno-vectorize -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@columns(
// CHECK: br i1 %{{.*}}, label %[[ROWS:.*]], label %[[ORIGINAL:.*]]
// CHECK: {{^}}[[ROWS]]:
// CHECK: [[ADDRESS:%.*]] = load i64, ptr %{{.*}}, align 8{{$}}
// CHECK-NEXT: freeze i64 [[ADDRESS]]
// CHECK: br i1 %{{.*}}, label %[[OTHERS:.*]], label %{{.*}}
// CHECK: {{^}}[[MERGE:[0-9]+]]:
// CHECK: load i64, ptr
// CHECK: load i64, ptr
void columns(int n, double **c, double **a) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      c[i][j] += a[i][j];
}
