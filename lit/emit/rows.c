// A pass over each table comes first. Rows of what is written, which is the second table here, are compared with those before them if they are
// stragglers. Then both lists of rows are merged, or stragglers of either one are compared with the rows of the other one.
//
// RUN: %clang -O1 -fno-discard-value-names -mllvm -farkas-unprofitable -fno-vectorize -S -emit-llvm %s -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@columns(
// CHECK: {{^}}farkas.rows[[FIRST:[0-9]*]]:
// CHECK: [[ADDRESS:%.*]] = load i64, ptr %{{.*}}, align 8{{$}}
// CHECK-NEXT: freeze i64 [[ADDRESS]]
// CHECK-NOT: %farkas.row.compared
// CHECK: br i1 %{{.*}}, label %farkas.rows.passed, label %farkas.rows[[FIRST]]
// CHECK: {{^}}farkas.rows[[SECOND:[0-9]*]]:
// CHECK: load i64, ptr
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %farkas.row.compared
// CHECK: {{^}}farkas.row:
// CHECK: load i64, ptr
// CHECK: br i1 %{{.*}}, label %farkas.row, label %farkas.row.compared
// CHECK: {{^}}farkas.rows.merge:
// CHECK: load i64, ptr
// CHECK: load i64, ptr
// CHECK: br i1 %{{.*}}, label %farkas.rows.merge, label %farkas.rows.merged
// CHECK: {{^}}farkas.rows.few:
// CHECK: {{^}}farkas.rows.few{{[0-9]+}}:
void columns(int n, double **c, double **a) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      c[i][j] += a[i][j];
}
