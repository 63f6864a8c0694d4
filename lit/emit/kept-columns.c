// Elements stay in registers along diagonals where their subscripts do: i * n + j with i = k + 1 + a and j = k + 1 + b, along k, -a and -b. The
// address moves by n + 1, -n and -1, which scalar evolution has as one number each.
//
// RUN: %clang -O3 -march=znver3 -S -emit-llvm -o - %s | FileCheck %s

// CHECK-LABEL: define internal {{.*}}@lu.farkas.0(
// CHECK-COUNT-8: = phi <4 x double>
// CHECK-NOT: store
// CHECK: br i1
void lu(int n, double *c) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      c[i * n + k] /= c[k * n + k];
      for (int j = k + 1; j < n; j++)
        c[i * n + j] -= c[i * n + k] * c[k * n + j];
    }
}
