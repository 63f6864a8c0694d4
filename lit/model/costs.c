// Nests whose costs are told apart by one thing each. What is planned for them is in test/plans/costs.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Each iteration reads what the next one overwrites: LLVM's vectorizer reads all of a vector first.
// CHECK: overtaken: loop
void overtaken(int steps, double p, double *restrict v) {
  for (int t = steps - 1; t >= 0; t--)
    for (int i = 0; i <= t; i++)
      v[i] = p * v[i + 1] + (1 - p) * v[i];
}

// The minimum is in a register in the original. In new code it would be in an array that the loop reads.
// CHECK: in_register: loop
// CHECK: scalar slot best: i32 in dp
// CHECK: in registers: access 0, access 3
void in_register(int eggs, int n, int *restrict dp) {
  for (int e = 1; e < eggs; e++)
    for (int f = 1; f < n; f++) {
      int best = 1 << 30;
      for (int x = 1; x <= f; x++) {
        int a = dp[(e - 1) * n + x - 1], b = dp[e * n + f - x];
        int w = 1 + (a > b ? a : b);
        best = w < best ? w : best;
      }
      dp[e * n + f] = best;
    }
}

// Copies of jammed rows would each have a hole of their own.
// CHECK: hole: loop
void hole(int n, const float *restrict a, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i == j)
        continue;
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * a[k * n + j];
      c[i * n + j] = s;
    }
}

// The members of a structure lie in one line.
// CHECK: members: loop
typedef struct {
  float x, y, z, w;
} point;
void members(int n, const point *restrict p, float *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float dx = p[i].x - p[j].x, dy = p[i].y - p[j].y, dz = p[i].z - p[j].z;
      d[(long)i * n + j] = dx * dx + dy * dy + dz * dz;
    }
}

// Rows that are a parameter apart share nothing in copies for the next rows.
// CHECK: window: loop
void window(int w, int h, int r, const unsigned *restrict s, float *restrict var) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++)
      var[y * w + x] = s[(y + r) * w + x + r] - s[(y - r) * w + x + r] - s[(y + r) * w + x - r] + s[(y - r) * w + x - r];
}

// A sliding sum is in a register: at the border, all of its iterations would be.
// CHECK: sliding: loop
// CHECK-NOT: statement S{{[0-9]+}}i
void sliding(int w, int h, int r, const float *restrict in, float *restrict out) {
  for (int x = 0; x < w; x++) {
    float s = 0;
    for (int y = 0; y < h; y++) {
      int lo = y - r - 1, hi = y + r;
      lo = lo < 0 ? 0 : lo;
      hi = hi > h - 1 ? h - 1 : hi;
      s += in[hi * w + x] - in[lo * w + x];
      out[y * w + x] = s;
    }
  }
}

// Six loops: sizes of 1000 would take weeks. The window is short, and fills no vector.
// CHECK: gradient: loop
void gradient(const float *restrict x, const float *restrict dy, float *restrict dw, int cin, int cout, int h, int w, int k) {
  int oh = h - k + 1, ow = w - k + 1;
  for (int o = 0; o < cout; o++)
    for (int c = 0; c < cin; c++)
      for (int u = 0; u < k; u++)
        for (int v = 0; v < k; v++) {
          float g = 0;
          for (int i = 0; i < oh; i++)
            for (int j = 0; j < ow; j++)
              g += dy[(o * oh + i) * ow + j] * x[(c * h + i + u) * w + j + v];
          dw[((o * cin + c) * k + u) * k + v] = g;
        }
}

// The factor is in a register, and no column between the rows that are written. (Elimination gains from larger sizes on.)
// CHECK: factor: loop
// CHECK: in registers: access 0
void factor(int n, double *a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double f = a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; j++)
        a[i * n + j] -= f * a[k * n + j];
    }
}

// What is confined is the row, the same one in all lanes of the unrolled loop.
// CHECK: vertical: loop
// CHECK: only in original:
void vertical(int n, const double *restrict a, const double *restrict w, double *restrict c) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      double s = 0;
      for (int k = -3; k < 4; k++) {
        int row = y + k;
        row = row < 0 ? 0 : row;
        row = row > n - 1 ? n - 1 : row;
        s += a[row * n + x] * w[k + 3];
      }
      c[y * n + x] = s;
    }
}

// A sum of counters with an offset of a window has as many values as there are offsets, where the other counter stays: too few for lanes.
// CHECK: scattered: loop
void scattered(int n, const double *restrict b, const double *restrict c, double *restrict a) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      for (int i = 0; i < 3; i++)
        a[y * (n + 2) + x + i] += c[y * n + x] * b[i];
}

// Lanes of rows store what they load in the next iteration, one by one.
// CHECK: prefix: loop
void prefix(int n, double *a) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i * n + j] += a[i * n + j - 1];
}
