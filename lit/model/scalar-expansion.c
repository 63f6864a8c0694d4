// Scalars that inner loops read, each of which is written in an outer loop: tiles need an array in their place.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O3 -march=x86-64-v3 -mllvm -farkas-target=zen4 -Rpass=farkas -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=PLAN %s

// CHECK: eliminate: loop
// CHECK: write: {{.*}} S0[k, i] -> [[SLOT:[a-z0-9]+]][]
// CHECK: read: {{.*}} S1[k, i, j] -> [[SLOT]][]
// PLAN: transformed: expanded scalars{{.*}} tiled 32 x 32 x 32
void eliminate(int n, double a[restrict][n]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= factor * a[k][j];
    }
}
