// Arrays of rank 4 that are linearised by hand, with indices of 32 bits: each product and sum of an index is widened.
//
// RUN: %model %s 2>&1 | FileCheck %s
//
// CHECK: contraction: loop
// CHECK: array a: memory, 8 bytes, [][n][n]
// CHECK: array b: memory, 8 bytes, [][n][n]
// CHECK: array c: memory, 8 bytes, [][n][n][n]
// CHECK: write: [n] -> { S0[i, j, k, l, p] -> c[(i), (j), (k), (l)]

void contraction(int n, const double *a, const double *b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          for (int p = 0; p < n; p++)
            c[((i * n + j) * n + k) * n + l] += a[(i * n + p) * n + k] * b[(j * n + l) * n + p];
}

// The sum goes over two dimensions in a strict order.
// CHECK: transform: loop
// CHECK: write: [n] -> { S2[u, v, x, y] -> c[(u), (v)]
void transform(int n, const double *a, const double *b, double *restrict c) {
  for (int u = 0; u < n; u++)
    for (int v = 0; v < n; v++) {
      double sum = 0;
      for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
          sum += a[x * n + y] * b[u * n + x] * b[v * n + y];
      c[u * n + v] = sum;
    }
}

// Rows are ld apart. That they have n elements is assumed where there are any, which index-set splitting has to know.
// CHECK: distances: loop
// CHECK: assumptions: [n, ld] -> { : n <= 0; : n > 0 and ld >= n }
void distances(int n, int ld, double *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double by = d[i * ld + k] + d[k * ld + j];
        d[i * ld + j] = by < d[i * ld + j] ? by : d[i * ld + j];
      }
}

// The last element of each row is in that row, not in front of the next one, if rows have any elements.
// CHECK: sweeps: loop
// CHECK: assumptions: [m, n] -> { : n > 0 }
// CHECK: read: [m, n] -> { S1[i] -> b[(i), (-1 + n)]
// CHECK: write: [m, n] -> { S1[i] -> d[(i), (-1 + n)]
void sweeps(long n, long m, const double *restrict b, double *restrict d) {
  for (long i = 0; i < m; i++) {
    for (long j = 1; j < n; j++)
      d[i * n + j] -= d[i * n + j - 1];
    d[i * n + n - 1] /= b[i * n + n - 1];
  }
}
