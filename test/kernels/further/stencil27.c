// A weighted sum of 27 points in three dimensions, in time steps between two arrays.
#ifndef N
#define N 100
#endif
#include "further.h"

static DATA *A, *B;

static NOINLINE void sweep(int steps, int n, int ld, DATA (*a)[ld][ld], DATA (*b)[ld][ld], DATA w0, DATA w1, DATA w2, DATA w3) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          b[i][j][k] = w0 * a[i][j][k] +
                       w1 * (a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]) +
                       w2 * (a[i - 1][j - 1][k] + a[i - 1][j + 1][k] + a[i + 1][j - 1][k] + a[i + 1][j + 1][k] +
                             a[i - 1][j][k - 1] + a[i - 1][j][k + 1] + a[i + 1][j][k - 1] + a[i + 1][j][k + 1] +
                             a[i][j - 1][k - 1] + a[i][j - 1][k + 1] + a[i][j + 1][k - 1] + a[i][j + 1][k + 1]) +
                       w3 * (a[i - 1][j - 1][k - 1] + a[i - 1][j - 1][k + 1] + a[i - 1][j + 1][k - 1] + a[i - 1][j + 1][k + 1] +
                             a[i + 1][j - 1][k - 1] + a[i + 1][j - 1][k + 1] + a[i + 1][j + 1][k - 1] + a[i + 1][j + 1][k + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          a[i][j][k] = b[i][j][k];
  }
}

static void initialise(void) {
  A = filled(1, size * size, size);
  B = filled(2, size * size, size);
}
static void compute(void) {
  sweep(5, size, EXTENT(size), (void *)A, (void *)B, (DATA)0.5, (DATA)0.05, (DATA)0.01, (DATA)0.01);
}
static void report(void) { output(A, (size_t)size * size * size); }
