// The interior of a statement with clamped subscripts is a statement of its own, which does without the clamp.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// CHECK: statement S1
// CHECK: read: {{.*}} -> in[(y), (0)] :
// CHECK: operations: 3 load f32, 1 store f32, 1 add f32, 1 minimum i32, 1 multiply f32, {{[0-9]+}} integer i32
// CHECK: statement S1i
// CHECK-NEXT: domain: {{.*}} : 0 <= y < h and 0 <= {{.*}} <= 2r and r <= x <= -2 + w - r
// CHECK: operations: 3 load f32, 1 store f32, 1 add f32, 1 multiply f32{{$}}
// CHECK-NEXT: contracted: 1
// CHECK-NEXT: only in original: 1 minimum i32, 1 select i32, {{[0-9]+}} integer i32
// CHECK: loop nest transformed: split borders, interchanged loops
// CHECK: statement S1
// CHECK-NEXT: domain: {{.*}} j <= i
// CHECK: read: {{.*}} -> a[(i - j)]
// CHECK: only in original: 1 divide i32
// CHECK: statement S1i
// CHECK: read: {{.*}} -> a[(n + i - j)]
// CHECK: only in original: 1 divide i32
// CHECK: loop nest transformed: split borders, interchanged loops

static int clamp(int v, int n) { return v < 0 ? 0 : v >= n ? n - 1 : v; }

void blur(int h, int w, int r, const float *restrict in, const float *restrict k, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        s += in[y * w + clamp(x + i, w)] * k[i + r];
      out[y * w + x] = s;
    }
}

// Where both pieces add to the same element, both are statements.
void circular(int n, const float *restrict a, const float *restrict x, float *restrict s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[(i - j + n) % n] * x[j];
    s[i] = sum;
  }
}

// Of a window, what begins and ends it is split, too: its interior has loops of its own, in the original order.
// CHECK: mean: loop
// CHECK: statement S0i
// CHECK-NEXT: domain: {{.*}} 0 < x <= -3 + w and 0 < y <= -3 + h
// CHECK: loop nest transformed: split borders, where
void mean(int h, int w, const float *restrict in, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += in[clamp(y + i, h) * w + clamp(x + j, w)];
      out[y * w + x] = s / 9;
    }
}

// Where a loop executes a single row for small sizes, the subscripts are those of many rows.
// CHECK: lines: loop
// CHECK: loop nest left as it is
void lines(int n, int m, int *restrict a, const int *restrict b) {
  int last = n - 3 > 1 ? n - 3 : 1;
  for (int i = 0; i < last; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += b[i * m + j];
}
