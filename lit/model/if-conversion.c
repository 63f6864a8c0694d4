// What is computed on one of several ways, and has no effects, is a choice: confined rows are subscripts.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// Each dimension of the window has three pieces. The interior has one.
// CHECK: mean: loop
// CHECK: array in: memory, 4 bytes, [][w]
// CHECK: statement S0i
// CHECK: statement S{{[0-9]+}}i
// CHECK: read: {{.*}} -> in[(-1 + y + dy), (-1 + x + dx)]
// CHECK: loop nest transformed: split borders
void mean(int h, int w, const float *restrict in, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
          int yy = y + dy, xx = x + dx;
          yy = yy < 0 ? 0 : (yy >= h ? h - 1 : yy);
          xx = xx < 0 ? 0 : (xx >= w ? w - 1 : xx);
          s += in[yy * w + xx];
        }
      out[y * w + x] = s / 9.0f;
    }
}

// What depends on data stays on its way: no statement has a choice of what is loaded.
// CHECK: signs: loop
// CHECK: scalar slot v
// CHECK-NOT: select
// CHECK: kill:
void signs(int n, const int *restrict a, const int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++) {
    int v;
    if (a[i] < 0)
      v = b[i] * b[i] * 3 - 1;
    else
      v = 0;
    c[i] = v;
  }
}
