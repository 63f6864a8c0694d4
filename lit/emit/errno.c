// Square roots in new code set no errno: one call behind the loops does, if an argument was negative.
//
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen4 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen4 -Rpass=farkas -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK

double sqrt(double);

// LLVM branches to the call in each iteration, which keeps it from vectorizing the loop.
// REMARK: errno.c:[[# @LINE + 6]]:3: remark: loop nest transformed: square roots without branches, where p0 >= 24
// CHECK-LABEL: define {{.*}}@roots(
// CHECK: call <4 x double> @llvm.sqrt.v4f64(<4 x double>
// CHECK: call {{.*}} @sqrt{{f?}}({{.*}} -1.000000e+00)
// CHECK-NEXT: br label
void roots(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = sqrt(x[i]);
}
