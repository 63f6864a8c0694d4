// Where no loop is parallel, rows overlap: each waits in its steps for the row before.
//
// RUN: %clang -O2 -march=x86-64-v3 -mllvm -farkas-parallel=true -Rpass=farkas -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O2 -march=x86-64-v3 -mllvm -farkas-parallel=true -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -g -O2 -march=x86-64-v3 -mllvm -farkas-parallel=force -Xclang -llvm-verify-each -c %s -o /dev/null

// REMARK: pipelined on threads

void gauss_seidel(double a[1000][1000]) {
  for (int t = 0; t < 50; t++)
    for (int i = 1; i < 999; i++)
      for (int j = 1; j < 999; j++)
        a[i][j] = (a[i][j - 1] + a[i - 1][j] + a[i][j] + a[i + 1][j] + a[i][j + 1]) / 5.0;
}

// The ring of cells is on the stack of the thread that forks; each thread knows where.
// CHECK: @.farkas.progress = internal thread_local global ptr null
// CHECK-LABEL: define {{.*}}void @gauss_seidel(
// CHECK: call void @gauss_seidel.farkas.0.pipeline(
// CHECK-LABEL: define internal void @gauss_seidel.farkas.0(
// CHECK: call void @farkas.wait(i64 [[ROW:%[^,]*]], i64 [[STEP:%[^)]*]])
// CHECK: call void @farkas.done(i64 [[ROW]], i64 {{.*}})
// CHECK: call void @farkas.end_row(i64 [[ROW]], i64 0)
// CHECK-LABEL: define internal void @farkas.wait(
// CHECK: load atomic i64, {{.*}} acquire
// CHECK-LABEL: define internal void @farkas.done(
// CHECK: store atomic i64 {{.*}} release
// CHECK-LABEL: define internal void @gauss_seidel.farkas.0.threads(
// CHECK: atomicrmw add {{.*}} acq_rel
// CHECK-LABEL: define internal void @gauss_seidel.farkas.0.pipeline(
// CHECK: call void @__kmpc_push_num_threads(
// CHECK: @__kmpc_fork_call({{.*}}, i32 3, ptr {{.*}}@gauss_seidel.farkas.0.threads,
