// Sums in two parts of an array that have no element in common stay in registers, those of all lanes.
//
// RUN: %clang -O3 -march=znver4 -mprefer-vector-width=512 -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal {{.*}}@product.farkas.0(
// CHECK: = phi <8 x double>
// CHECK-NEXT: = phi <8 x double>
// CHECK-NOT: masked.store
// CHECK: br i1
void product(long n, const double (*restrict re)[n], const double (*restrict im)[n], const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      y[i] += re[i][j] * x[j] - im[i][j] * x[n + j];
      y[n + i] += re[i][j] * x[n + j] + im[i][j] * x[j];
    }
}

// Neither does a distance that is a widened counter hide that they are apart.
// CHECK-LABEL: define internal {{.*}}@narrow_product.farkas.0(
// CHECK: = phi <8 x double>
// CHECK-NEXT: = phi <8 x double>
// CHECK-NOT: masked.store
// CHECK: br i1
void narrow_product(int n, const double (*restrict re)[n], const double (*restrict im)[n], const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      y[i] += re[i][j] * x[j] - im[i][j] * x[n + j];
      y[n + i] += re[i][j] * x[n + j] + im[i][j] * x[j];
    }
}
