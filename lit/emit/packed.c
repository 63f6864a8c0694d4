// A tile of a transposed array is copied to a buffer on the stack, with loads of the original access. The loop over its rows is vectorized:
// what it reads there moves by one element.
// RUN: %clang -O3 -march=x86-64-v3 -S -emit-llvm -o %t.ll %s -Rpass=farkas 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: FileCheck %s <%t.ll

// REMARKS: loop nest transformed: interchanged loops, tiled 256 x 32 x 128, packed A{{[0-9]}}, unrolled and jammed 4 x 4
// CHECK-LABEL: define{{.*}}@product(
// CHECK: alloca [4096 x double], align 64
// CHECK: load <4 x double>{{.*}}, align 32
// CHECK: call{{.*}}<4 x double> @llvm.fmuladd
void product(double a[restrict 500][500], double b[restrict 500][500], double c[restrict 500][500]) {
  for (int i = 0; i < 500; i++)
    for (int j = 0; j < 500; j++)
      for (int k = 0; k < 500; k++)
        c[i][j] += a[i][k] * b[j][k];
}

// Where sizes are not known, copies may be for few rows.
// REMARKS-NOT: packed A
// CHECK-LABEL: define{{.*}}@sized(
// CHECK-NOT: alloca [
void sized(long n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[j][k];
}
