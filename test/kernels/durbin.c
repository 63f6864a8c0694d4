// Levinson-Durbin recursion for a Toeplitz system.
#ifndef N
#define N 2000
#endif
#include "kernel.h"

static DATA r[EXTENT(N)];
static DATA y[EXTENT(N)];
static DATA z[EXTENT(N)];

static NOINLINE void recursion(int n, DATA *r, DATA *y, DATA *z) {
  if (n < 1)
    return;
  DATA alpha = -r[0];
  DATA beta = 1;
  y[0] = -r[0];
  for (int k = 1; k < n; k++) {
    beta = (1 - alpha * alpha) * beta;
    DATA sum = 0;
    for (int i = 0; i < k; i++)
      sum += r[k - i - 1] * y[i];
    alpha = -(r[k] + sum) / beta;
    for (int i = 0; i < k; i++)
      z[i] = y[i] + alpha * y[k - i - 1];
    for (int i = 0; i < k; i++)
      y[i] = z[i];
    y[k] = alpha;
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++) {
    r[i] = datum(1, i, 0) / (DATA)(2 * N);
  }
}
static void compute(void) { recursion(N, r, y, z); }
static void report(void) {
  output(y, N);
}
