// Each loop of a tiled band has the size of a tile that is given for it, outermost first; `-` leaves a loop in one piece.
//
// RUN: %clang -O2 -mllvm -farkas-target=zen4 -mllvm -farkas-tile=24,40,136 -mllvm -farkas-vectorize=never -mllvm -farkas-pack=never -mllvm -farkas-print=ast -Rpass=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-target=zen4 -mllvm -farkas-tile=-,40 -mllvm -farkas-vectorize=never -mllvm -farkas-pack=never -Rpass=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s --check-prefix=UNTILED
void product(double c[restrict 2000][2000], double a[restrict 2000][2000], double b[restrict 2000][2000]) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      for (int k = 0; k < 2000; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK: c0 <= 83;
// CHECK: c1 <= 49;
// CHECK: c2 <= 14;
// CHECK: c3 = 6 * c0; c3 <= min(499, 6 * c0 + 5);
// CHECK: c4 = 10 * c1; c4 <= 10 * c1 + 9;
// CHECK: c5 = 136 * c2; c5 <= min(1999, 136 * c2 + 135);
// CHECK: tile-sizes.c:6:3: remark: loop nest transformed: interchanged loops, tiled 24 x 40 x 136, unrolled and jammed 4 x 4
// CHECK: define {{.*}}@product(
// CHECK: mul {{.*}}i64 %{{.*}}, {{-?}}136

// UNTILED: tiled all x 40 x 40
