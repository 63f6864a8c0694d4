// Vectors of 512 bits are legal where lanes have them, and not in the original, which is behind the test of sizes, nor where there are no lanes.
//
// RUN: %clang -O3 -march=icelake-server -S -emit-llvm %s -o - | FileCheck %s

// CHECK: define {{.*}}@product({{.*}} [[ORIGINAL:#[0-9]+]] {
// CHECK: define {{.*}}@sweeps({{.*}} [[NO_LANES:#[0-9]+]] {
// CHECK: define internal {{.*}}@product.farkas.0({{.*}} [[LANES:#[0-9]+]] {
// CHECK: <8 x double>
// CHECK-DAG: attributes [[ORIGINAL]] = {{.*}}"min-legal-vector-width"="{{0|256}}"
// CHECK-DAG: attributes [[LANES]] = {{.*}}"min-legal-vector-width"="512"
// CHECK-DAG: attributes [[NO_LANES]] = {{.*}}"min-legal-vector-width"="{{0|256}}"
void product(int n, double (*restrict C)[n], const double (*restrict A)[n], const double (*restrict B)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

double A[1000][1000], B[1000][1000];

void sweeps(void) {
  for (int t = 0; t < 100; t++) {
    for (int i = 1; i < 999; i++)
      for (int j = 1; j < 999; j++)
        B[i][j] = A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j];
    for (int i = 1; i < 999; i++)
      for (int j = 1; j < 999; j++)
        A[i][j] = B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j];
  }
}
