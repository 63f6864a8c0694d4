// A loop that is distributed in strips: distances of several points at once in lanes, then the sums point by point, with the nearest centre
// of each in an element of an array.
//
// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=off -S -emit-llvm -o - %s -Rpass=farkas 2>&1 | FileCheck %s

// CHECK: remark: loop nest transformed: expanded scalars, distributed loops, 8 vector lanes
// CHECK-LABEL: define {{.*}}@nearest(
// CHECK: alloca [8 x i32], align 64
// CHECK-LABEL: define {{.*}}@nearest.farkas.0(
// CHECK: fsub <8 x float>
// CHECK: and i64 %{{.*}}, 7
// CHECK: load i32
void nearest(int n, int d, int k, const float *restrict x, const float *restrict c, float *restrict s) {
  for (int i = 0; i < n; i++) {
    float best = 1e30f;
    int at = 0;
    for (int j = 0; j < k; j++) {
      float t = 0;
      for (int q = 0; q < d; q++)
        t += (x[i * d + q] - c[j * d + q]) * (x[i * d + q] - c[j * d + q]);
      if (t < best) {
        best = t;
        at = j;
      }
    }
    for (int q = 0; q < d; q++)
      s[at * d + q] += x[i * d + q];
  }
}
