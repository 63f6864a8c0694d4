// Nine-point average in place, over time.
#ifndef N
#define N 800
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 40
#endif
static DATA A[EXTENT(N)][EXTENT(N)];

static NOINLINE void relax(int steps, int n) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i <= n - 2; i++)
      for (int j = 1; j <= n - 2; j++)
        A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] +
                   A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9;
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
    }
}
static void compute(void) { relax(STEPS, N); }
static void report(void) {
  output(&A[0][0], (size_t)N * N);
}
