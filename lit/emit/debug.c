// Debug information of new code: what is computed for a nest has the location of its first loop, clones keep their own.
// Variables have no value in the new code, and behind it that of whichever has run.
//
// RUN: %clang -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | opt -S -passes='function(sroa,early-cse,simplifycfg,instcombine)' \
// RUN:   | %opt -S -passes='farkas<unprofitable>' -o %t.ll
// RUN: FileCheck %s < %t.ll

int total(long n, float (*restrict a)[64], float (*restrict b)[64]) {
  int s = 0;
  long last = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 50; j++) {
      a[j][i] = b[j][i] * 2.0f;
      s += 3;
      last = n - i;
    }
  int result = s;
  return result + 1;
}

// CHECK-LABEL: define {{.*}}@total(
// The guard, and the original's records.
// CHECK: freeze i64 {{.*}} !dbg ![[FIRST:[0-9]+]]
// CHECK: br i1 {{.*}} label %farkas.start, {{.*}} !dbg ![[FIRST]], !prof ![[LIKELY:[0-9]+]]
// CHECK: #dbg_value(i32 %{{.*}}, ![[S:[0-9]+]],
// CHECK: #dbg_value(!DIArgList({{.*}}), ![[LAST:[0-9]+]],
// What is used behind the nest.
// CHECK: [[BOTH:%.*]] = phi i32
// CHECK: #dbg_value(i32 [[BOTH]],
// CHECK: ret i32
// In the new code, the variables that the nest assigns to have no value.
// CHECK: farkas.start:
// CHECK-DAG: #dbg_value(i1 poison, ![[S]],
// CHECK-DAG: #dbg_value(i1 poison, ![[LAST]],
// CHECK: icmp slt i64 {{.*}} !dbg ![[FIRST]]
// CHECK: load float, {{.*}} !dbg ![[LINE:[0-9]+]]
// CHECK-DAG: ![[FIRST]] = !DILocation(line: 11, column: 3,
// CHECK-DAG: ![[LIKELY]] = !{!"branch_weights", i32 1048575, i32 1}
// CHECK-DAG: ![[LINE]] = !DILocation(line: 13, column: 17,
