// Code for threads keeps its locations and is a function of its own for debuggers and profilers.
//
// RUN: %clang -g -O2 -march=x86-64-v3 -mllvm -farkas-parallel=force -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -g -O2 -march=x86-64-v3 -mllvm -farkas-parallel=force -Xclang -llvm-verify-each -c %s -o /dev/null
// RUN: %clang -g -O2 -march=x86-64-v3 -mllvm -farkas-parallel=force -c -fPIC %s -o /dev/null

void product(long n, double (*restrict a)[1024], double (*restrict b)[1024], double (*restrict c)[1024]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: define {{.*}}void @product(
// CHECK: call void (ptr, i32, ptr, ...) @__kmpc_fork_call({{.*}}), !dbg ![[FIRST:[0-9]+]]
// CHECK-LABEL: define internal void @product.farkas.0(
// CHECK-SAME: !dbg ![[CHUNK:[0-9]+]]
// CHECK: load <{{.*}} x double>, {{.*}} !dbg ![[LINE:[0-9]+]]
// CHECK-DAG: ![[CHUNK]] = distinct !DISubprogram(name: "product.farkas.0",
// CHECK-DAG: ![[FIRST]] = !DILocation(line: 8,
// CHECK-DAG: ![[LINE]] = !DILocation(line: 11, {{.*}}scope: ![[SCOPE:[0-9]+]]
