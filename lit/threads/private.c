// Each thread has a copy of an array that iterations fill before they read it: a variable of the code that it executes, which nothing else
// knows.
//
// RUN: %clang -O2 -fno-discard-value-names -mllvm -farkas-parallel=force -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -farkas-parallel=force -mllvm -farkas-print=plan -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// RUN: %clang -g -O2 -mllvm -farkas-parallel=force -Xclang -llvm-verify-each -c %s -o /dev/null

// PLAN: mark: "parallel(private t)"
void filled(long n, const long (*restrict in)[40], long (*restrict out)[40]) {
  for (long i = 0; i < n; i++) {
    long t[40];
    for (long k = 0; k < 40; k++)
      t[k] = in[i][k] * 3 + 1;
    for (long k = 0; k < 40; k++)
      out[i][k] = t[39 - k] - t[k];
  }
}

// The function's own array is for one thread: it is not handed to others.
// CHECK-LABEL: define {{.*}}void @filled(
// CHECK: %t = alloca [40 x i64], align 16
// CHECK: store ptr %out, ptr
// CHECK-NOT: store ptr %t,
// CHECK: call void (ptr, i32, ptr, ...) @__kmpc_fork_call({{.*}}, ptr @filled.farkas.0.threads,

// CHECK-LABEL: define internal void @filled.farkas.0(
// CHECK: [[COPY:%.*]] = alloca [40 x i64], align 16
// CHECK: call void @llvm.lifetime.start.p0(ptr {{.*}}[[COPY]])
// CHECK: store {{.*}}, ptr
// CHECK: load {{.*}}, ptr
// CHECK: ret void
