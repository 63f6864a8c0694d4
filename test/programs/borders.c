// Subscripts that are clamped, wrap around or are reflected at the borders of arrays.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOP static __attribute__((noinline)) void

#define CLAMP(v, n) ((v) < 0 ? 0 : (v) >= (n) ? (n)-1 : (v))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

LOOP clamped(int h, int w, int r, const float *restrict in, float *restrict k, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        s += in[y * w + CLAMP(x + i, w)] * k[i + r];
      out[y * w + x] = s;
    }
}

LOOP columns(long h, long w, long r, const double *restrict in, double *restrict out) {
  for (long x = 0; x < w; x++)
    for (long y = 0; y < h; y++) {
      double s = 0;
      for (long i = -r; i <= r; i++)
        s += in[SMALLER(LARGER(y + i, 0), h - 1) * w + x];
      out[y * w + x] = s;
    }
}

LOOP window(int h, int w, const float *restrict in, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
          s += in[CLAMP(y + i, h) * w + CLAMP(x + j, w)];
      out[y * w + x] = s;
    }
}

LOOP gradient(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int left = x > 0 ? x - 1 : 0, right = x < w - 1 ? x + 1 : w - 1;
      int up = y > 0 ? y - 1 : 0, down = y < h - 1 ? y + 1 : h - 1;
      int g = abs(in[y * w + left] - in[y * w + right]) + abs(in[up * w + x] - in[down * w + x]);
      out[y * w + x] = g > 255 ? 255 : g;
    }
}

LOOP ring(int n, int m, const double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int up = (i + n - 1) % n, down = (i + 1) % n, left = (j + m - 1) % m, right = (j + 1) % m;
      b[i * m + j] = 0.25 * (a[up * m + j] + a[down * m + j] + a[i * m + left] + a[i * m + right]);
    }
}

LOOP unsigned_ring(size_t n, size_t m, const double *restrict a, double *restrict b) {
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < m; j++)
      b[i * m + j] = a[(i + 1) % n * m + j] - a[i * m + (j + m - 1) % m];
}

LOOP chosen(long n, long m, const double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      long up = i == 0 ? n - 1 : i - 1, left = j == 0 ? m - 1 : j - 1;
      b[i * m + j] = a[up * m + j] - 0.5 * a[i * m + left];
    }
}

LOOP reflected(long n, long m, const double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      long left = j - 2, right = j + 2;
      if (left < 0)
        left = -left;
      if (right >= m)
        right = 2 * m - 2 - right;
      left = SMALLER(left, m - 1), right = LARGER(right, 0);
      b[i * m + j] = a[i * m + left] + a[i * m + right];
    }
}

// What one element is made of has been changed before.
LOOP in_place(int h, int w, int r, float *a) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -r; i <= r; i++)
        s += a[y * w + CLAMP(x + i, w)];
      a[y * w + x] = s / (2 * r + 1);
    }
}

LOOP heat(int steps, int n, double *restrict a, double *restrict b) {
  for (int k = 0; k < steps; k++) {
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 0.125 * (a[(i + 1) % n] - 2 * a[i] + a[(i + n - 1) % n]);
    for (int i = 0; i < n; i++)
      a[i] = b[i];
  }
}

// What is beyond the border does not count.
LOOP padded(int h, int w, const float *restrict in, const float *restrict k, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          int yy = y + i - 1, xx = x + j - 1;
          if (yy < 0 || yy >= h || xx < 0 || xx >= w)
            continue;
          s += in[yy * w + xx] * k[i * 3 + j];
        }
      out[y * w + x] = s;
    }
}

// The band of a matrix, in rows of its own.
LOOP band(int n, int below, int above, const double *restrict a, const double *restrict x, double *restrict y) {
  int row = below + above + 1;
  for (int i = 0; i < n; i++) {
    int first = i - below < 0 ? 0 : i - below, last = i + above > n - 1 ? n - 1 : i + above;
    double s = 0;
    for (int j = first; j <= last; j++)
      s += a[i * row + j - i + below] * x[j];
    y[i] = s;
  }
}

// Instances that meet at the border write to the same element.
LOOP scattered(long n, long m, const double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      b[SMALLER(j, m / 2)] = b[SMALLER(j, m / 2)] * 0.5 + a[i * m + SMALLER(j + i, m - 1)];
}

// The sum is a scalar for all.
LOOP total(long n, long m, const double *restrict a, double *restrict b) {
  double s = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s += a[i * m + SMALLER(j + 3, m - 1)];
  b[0] = s;
}

// A column by the last four bits of a parameter, of which 15 is no negative number.
LOOP masked(int n, const double *a, double (*b)[16]) {
  for (short i = 0; i < n; i++)
    for (int j = 0; j < n - 1; j++)
      b[i][n & 15] = a[j < i ? j : i] * 0.5 - a[j];
}

// Both pieces of a subscript add to the same element, in order.
LOOP circular(int n, const float *restrict a, const float *restrict x, float *restrict s) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += a[(i - j + n) % n] * x[j];
    s[i] = sum;
  }
}

LOOP correlated(long n, const double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      s[i] = s[i] * 0.5 + a[i + j < n ? i + j : i + j - n];
      x[i] -= s[i] * a[j];
    }
}

static const int weights[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};

LOOP gauss(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
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

LOOP zero_padded(int h, int w, const unsigned char *restrict in, int *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
          s += y + i < 0 || y + i >= h ? 0 : x + j < 0 || x + j >= w ? 0 : in[(y + i) * w + x + j];
      out[y * w + x] = s;
    }
}

LOOP mean_inside(int h, int w, const unsigned char *restrict in, int *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0, count = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
            s += in[(y + i) * w + x + j], count++;
      out[y * w + x] = s / count;
    }
}

// The window leaves out its middle.
LOOP life(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int c = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          if (i == 0 && j == 0)
            continue;
          if (y + i >= 0 && y + i < h && x + j >= 0 && x + j < w)
            c += in[(y + i) * w + x + j] & 1;
        }
      out[y * w + x] = c == 3 || (c == 2 && (in[y * w + x] & 1));
    }
}

LOOP ring_window(int h, int w, const int *restrict in, int *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += in[(y + i + h) % h * w + (x + j + w) % w];
      out[y * w + x] = s;
    }
}

// Reflected at the first and last rows and columns.
LOOP mirrored(int h, int w, const float *restrict in, float *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      float s = 0;
      for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++) {
          int yy = y + i < 0 ? -(y + i) : y + i >= h ? 2 * h - 2 - (y + i) : y + i;
          int xx = x + j < 0 ? -(x + j) : x + j >= w ? 2 * w - 2 - (x + j) : x + j;
          s += in[yy * w + xx];
        }
      out[y * w + x] = s;
    }
}

// What is written is read by later windows.
LOOP smoothed_in_place(int h, int w, int *a) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int s = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          s += a[CLAMP(y + i, h) * w + CLAMP(x + j, w)];
      a[y * w + x] = s / 9;
    }
}

static const int derivative[3] = {-1, 0, 1}, smooth[3] = {1, 2, 1};

// Two slots.
LOOP sobel(int h, int w, const unsigned char *restrict in, int *restrict out) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int gx = 0, gy = 0;
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
          int v = in[CLAMP(y + i, h) * w + CLAMP(x + j, w)];
          gx += smooth[i + 1] * derivative[j + 1] * v;
          gy += derivative[i + 1] * smooth[j + 1] * v;
        }
      out[y * w + x] = abs(gx) + abs(gy);
    }
}

// A value that lives on from pixel to pixel.
LOOP running(int h, int w, const unsigned char *restrict in, unsigned char *restrict out) {
  unsigned s = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      for (int j = -1; j <= 1; j++)
        s = s * 3 + in[y * w + CLAMP(x + j, w)];
      out[y * w + x] = s >> 4;
    }
}

int main(int argc, char **argv) {
  long h = argc > 1 ? atol(argv[1]) : 20, w = argc > 2 ? atol(argv[2]) : 30, r = argc > 3 ? atol(argv[3]) : 3;
  long size = LARGER(LARGER(h, 0) * LARGER(w, 0), LARGER(h, w) + 1) + 1;
  float *f = malloc(size * sizeof *f), *g = calloc(size, sizeof *g), *k = malloc((2 * LARGER(r, 4) + 1) * sizeof *k);
  double *a = malloc(size * sizeof *a), *b = calloc(size, sizeof *b), *c = calloc(size, sizeof *c);
  unsigned char *u = malloc(size), *v = calloc(size, 1);
  int *d = malloc(size * sizeof *d), *e = calloc(size, sizeof *e);
  for (long i = 0; i < size; i++)
    f[i] = i * 7 % 23, a[i] = i * 5 % 19 * 0.25, u[i] = i * 37 % 251, d[i] = i * 11 % 29;
  for (long i = 0; i <= 2 * LARGER(r, 4); i++)
    k[i] = i % 3 - 1;
  unsigned long long sum = 0;
#define REPORT(p)                                                                                                                          \
  for (size_t i = 0; i < size * sizeof *p; i++)                                                                                            \
    sum = sum * 31 + ((unsigned char *)p)[i];                                                                                              \
  printf("%s %llu\n", #p, sum)
  clamped(h, w, r, f, k, g);
  REPORT(g);
  columns(h, w, r, a, b);
  REPORT(b);
  window(h, w, f, g);
  REPORT(g);
  gradient(h, w, u, v);
  REPORT(v);
  ring(h, w, a, b);
  REPORT(b);
  if (h > 0 && w > 0)
    unsigned_ring(h, w, a, b);
  REPORT(b);
  chosen(h, w, a, b);
  REPORT(b);
  if (w > 3)
    reflected(h, w, a, b);
  REPORT(b);
  in_place(h, w, r, f);
  REPORT(f);
  heat(r + 3, w, a, b);
  REPORT(a);
  padded(h, w, f, k, g);
  REPORT(g);
  circular(w, f, f, g);
  REPORT(g);
  correlated(w, a, b, c);
  REPORT(c);
  if (w > r)
    band(h, r, w - r - 1, a, a, b);
  REPORT(b);
  scattered(h, w, a, b);
  REPORT(b);
  total(h, w, a, b);
  REPORT(b);
  gauss(h, w, u, v);
  REPORT(v);
  zero_padded(h, w, u, e);
  REPORT(e);
  mean_inside(h, w, u, e);
  REPORT(e);
  life(h, w, u, v);
  REPORT(v);
  ring_window(h, w, d, e);
  REPORT(e);
  if (h > 2 && w > 2)
    mirrored(h, w, f, g);
  REPORT(g);
  smoothed_in_place(h, w, d);
  REPORT(d);
  sobel(h, w, u, e);
  REPORT(e);
  running(h, w, u, v);
  REPORT(v);
  static double cells[41][16];
  for (int n = 0; n < SMALLER(40, size); n++)
    masked(n, a, cells + 1);
  for (int i = 0; i < 41 * 16; i++)
    sum = sum * 31 + (unsigned long long)(long long)(cells[i / 16][i % 16] * 8);
  printf("masked %llu\n", sum);
}
