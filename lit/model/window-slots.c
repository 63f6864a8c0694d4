// Windows that accumulate in a scalar slot: the interior has a slot of its own.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// CHECK: gauss: loop
// CHECK: scalar slot s
// CHECK: scalar slot si
// CHECK: statement S0i
// CHECK: write: {{.*}} -> si[]
// CHECK: loop nest transformed: split borders
static const int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

void gauss(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          int yy = y + i < 0 ? 0 : y + i >= h ? h - 1 : y + i;
          int xx = x + j < 0 ? 0 : x + j >= w ? w - 1 : x + j;
          s += weights[i + 1][j + 1] * in[yy * w + xx];
        }
      out[y * w + x] = s >> 4;
    }
}

// A window that leaves out its middle, with what is beyond the border left out by conditions.
// CHECK: life: loop
// CHECK: statement S{{[0-9]+}}i
// CHECK-NEXT: domain: {{.*}} 0 < y <= -2 + n and 0 < x <= -2 + n
// CHECK: conditional in original
// CHECK: loop nest transformed
void life(int n, const unsigned char *restrict a, unsigned char *restrict b) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int c = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          if (i == 0 && j == 0)
            continue;
          if (y + i >= 0 && y + i < n && x + j >= 0 && x + j < n)
            c += a[(y + i) * n + x + j];
        }
      b[y * n + x] = c == 3 || (c == 2 && a[y * n + x]);
    }
}

// A ring: the dividend is less than three times the divisor.
// CHECK: ring: loop
// CHECK: statement S{{[0-9]+}}i
// CHECK: read: {{.*}} -> a[(-1 + y + i), (-1 + x + j)]
// CHECK: loop nest transformed: split borders
void ring(int n, const int *restrict a, int *restrict b) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int c = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          c += a[((y + i + n) % n) * n + (x + j + n) % n];
      b[y * n + x] = c;
    }
}

// A value that lives on from pixel to pixel has one slot.
// CHECK: running: loop
// CHECK-NOT: scalar slot si
// CHECK: loop nest
void running(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
  int s = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      for (int j = -1; j <= 1; j++) {
        int xx = x + j < 0 ? 0 : x + j >= w ? w - 1 : x + j;
        s = s * 3 + in[y * w + xx];
      }
      out[y * w + x] = s >> 4;
    }
}
