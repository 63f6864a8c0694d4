// Five-point average between two arrays, over time.
#ifndef N
#define N 1300
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 100
#endif
static DATA A[EXTENT(N)][EXTENT(N)];
static DATA B[EXTENT(N)][EXTENT(N)];

static NOINLINE void relax(int steps, int n) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = (DATA)0.2 * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = (DATA)0.2 * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j]);
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      B[i][j] = datum(2, i, j);
    }
}
static void compute(void) { relax(STEPS, N); }
static void report(void) {
  output(&A[0][0], (size_t)N * N);
  output(&B[0][0], (size_t)N * N);
}
