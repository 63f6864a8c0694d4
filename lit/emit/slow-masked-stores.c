// Processors whose masked stores take many times as long as whole ones branch around those of which no lane stores.
//
// RUN: %clang -O3 -march=znver3 -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -march=haswell -S -emit-llvm -o - %s | FileCheck %s --check-prefix=FAST
// RUN: %clang -O3 -march=znver4 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=FAST

// CHECK-LABEL: define {{.*}}@paths{{.*}}(
// CHECK: %[[BITS:[0-9]+]] = bitcast <4 x i1> %[[MASK:[0-9]+]] to i4
// CHECK-NEXT: %[[ANY:.+]] = icmp ne i4 %[[BITS]], 0
// CHECK-NEXT: br i1 %[[ANY]],
// CHECK: call void @llvm.masked.store.v4f64.p0({{.*}}<4 x i1> %[[MASK]])
// CHECK-NEXT: br label
//
// FAST-LABEL: define {{.*}}@paths{{.*}}(
// FAST-NOT: bitcast <{{[48]}} x i1>
// FAST: call void @llvm.masked.store.v{{[48]}}f64.p0(
// FAST-NOT: bitcast <{{[48]}} x i1>
void paths(int n, double *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * n + k] + d[k * n + j] < d[i * n + j])
          d[i * n + j] = d[i * n + k] + d[k * n + j];
}
