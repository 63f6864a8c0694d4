// Loops that may be distributed in strips: the first part of an iteration hands scalars to the rest of it.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: nearest: loop
// CHECK: may write: {{.*}} -> s[o0]
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

// CHECK: two_scalars: loop
void two_scalars(long t, long n, long d, const float *restrict x, float *restrict y, float *restrict g) {
  for (long r = 0; r < t; r++)
    for (long i = 0; i < n; i++) {
      float s = 0.5f, p = 1;
      for (long j = 0; j < d; j++)
        s = s * 0.5f + x[i * d + j];
      for (long j = 0; j < d; j++)
        p = p * 0.25f + x[i * d + j] * s;
      y[r * n + i] = s;
      for (long j = 0; j < d; j++)
        g[j] = g[j] * p + s;
    }
}

// Both products of a matrix with vectors, by a sum in a variable: the second one has four rows of a strip side by side.
void both_products(int n, int m, const double *restrict a, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < m; j++)
      sum += a[i * m + j] * x[j];
    for (int j = 0; j < m; j++)
      y[j] += a[i * m + j] * sum;
  }
}
