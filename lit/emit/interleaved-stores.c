// Stores to all elements of small rows are next to each other: LLVM shuffles them together, which the cost model expects.
//
// RUN: %clang -O3 -mllvm -farkas-target=zen4 -march=znver4 -S -emit-llvm %s -o - | FileCheck %s

// CHECK: fdiv <8 x double>
void forces(int n, const double *restrict x, const double *restrict y, double (*restrict f)[2]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double dx = x[j] - x[i], dy = y[j] - y[i], d = dx * dx + dy * dy + 1;
      f[i][0] += dx / d;
      f[i][1] += dy / d;
    }
}
