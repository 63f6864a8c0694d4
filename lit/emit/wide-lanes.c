// Lanes of 512 bits in a function in which LLVM's vectorizer keeps to 256: they are legal there, unless the user asked for less.
//
// RUN: %clang -O3 -march=sapphirerapids -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -march=sapphirerapids -S %s -o - | FileCheck %s --check-prefix=CODE
// RUN: %clang -O3 -march=sapphirerapids -mprefer-vector-width=256 -S %s -o - | FileCheck %s --check-prefix=NARROW
// RUN: %clang -O3 -march=icelake-client -S %s -o - | FileCheck %s --check-prefix=NARROW

// CHECK: define {{.*}} @product.farkas.0({{.*}} [[ATTRIBUTES:#[0-9]+]]
// CHECK: <8 x double>
// CHECK: attributes [[ATTRIBUTES]] = {{.*}}"min-legal-vector-width"="512"
// CODE: vfmadd{{.*}}zmm
// NARROW-NOT: zmm
// NARROW: vfmadd{{.*}}ymm
// NARROW-NOT: zmm
void product(int n, double (*restrict C)[n], const double (*restrict A)[n], const double (*restrict B)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
