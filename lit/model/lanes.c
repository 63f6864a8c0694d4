// Loops that become lanes around others. What is planned for them is in test/plans/lanes.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Each lane has a copy of the arrays on the stack.
// CHECK: runge_kutta: loop
// CHECK: array k: temporary, 8 bytes, [3]
// CHECK: array s: temporary, 8 bytes, [3]
void runge_kutta(long n, long steps, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long t = 0; t < steps; t++) {
      double k[3], s[3];
      k[0] = y[3 * i + 1] - y[3 * i];
      k[1] = y[3 * i] * (0.28 - y[3 * i + 2]) - y[3 * i + 1];
      k[2] = 0.125 * y[3 * i] * y[3 * i + 1] - y[3 * i + 2];
      for (int c = 0; c < 3; c++)
        s[c] = y[3 * i + c] + 0.25 * k[c];
      for (int c = 0; c < 3; c++)
        y[3 * i + c] = s[c] - 0.125 * k[2 - c];
    }
}

// What is left from the iteration before is no copy's.
// CHECK: kept: loop
void kept(long n, double *restrict a) {
  double old[4] = {0, 0, 0, 0};
  for (long i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) {
      old[k] = 0.5 * old[k] + a[4 * i + k];
      a[4 * i + k] = old[3 - k];
    }
}

// Too large to be copied.
// CHECK: large: loop
// CHECK: array row: temporary, 8 bytes, [1000]
void large(long n, double *restrict a) {
  for (long i = 0; i < n; i++) {
    double row[1000];
    for (int k = 0; k < 1000; k++)
      row[k] = a[1000 * i + k];
    for (int k = 0; k < 1000; k++)
      a[1000 * i + k] = row[999 - k];
  }
}

// All lanes leave out the same iteration.
// CHECK: lagrange: loop
void lagrange(long n, long m, const double *restrict x, const double *restrict f, const double *restrict at, double *restrict out) {
  for (long k = 0; k < m; k++) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
      double l = f[i];
      for (long j = 0; j < n; j++)
        if (j != i)
          l *= (at[k] - x[j]) / (x[i] - x[j]);
      sum += l;
    }
    out[k] = sum;
  }
}

// The innermost one of the loops that may have lanes has consecutive elements.
// CHECK: elements: loop
void elements(long n, const double (*restrict b)[9][3][8], const double (*restrict d)[3], double (*restrict k)[8][8]) {
  for (long e = 0; e < n; e++)
    for (int q = 0; q < 9; q++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
          double s = 0;
          for (int u = 0; u < 3; u++)
            for (int v = 0; v < 3; v++)
              s += b[e][q][u][i] * d[u][v] * b[e][q][v][j];
          k[e][i][j] += s;
        }
}

// The window is three by three, except at borders: LLVM makes vectors along the channels.
// CHECK: depthwise: loop
void depthwise(long h, long w, long ch, const float *restrict in, const float *restrict k, float *restrict out) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < ch; c++) {
        float sum = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++)
            if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
              sum += in[((y + dy) * w + x + dx) * ch + c] * k[((dy + 1) * 3 + dx + 1) * ch + c];
        out[(y * w + x) * ch + c] = sum;
      }
}

// Vectors along either loop would gather or scatter: blocks are transposed in registers.
// CHECK: transposed: loop
void transposed(long n, long m, const float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      b[i * m + j] = a[j * n + i];
}

// With bounds by remainders, each iteration of a block would have other lanes.
// CHECK: ragged: loop
void ragged(long n, long m, const double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m - i % 7; j++)
      b[j * n + i] = a[i * m + j] + 1;
}

// LLVM unrolls the loop over three colours. Their planes are streams side by side, no matter how far apart.
// CHECK: planes: loop
void planes(long h, long w, const double *restrict pixels, double *restrict planes) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < 3; c++)
        planes[(c * h + y) * w + x] = pixels[(y * w + x) * 3 + c];
}
