// In-place Cholesky decomposition of a symmetric, diagonally dominant matrix.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA A[EXTENT(N)][EXTENT(N)];

static NOINLINE void decompose(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[j][k];
      A[i][j] /= A[j][j];
    }
    for (int k = 0; k < i; k++)
      A[i][i] -= A[i][k] * A[i][k];
    A[i][i] = (DATA)sqrt((double)A[i][i]);
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      A[i][j] = A[j][i] = datum(1, i, j) + (i == j ? (DATA)N : 0);
}
static void compute(void) { decompose(N); }
static void report(void) {
  output(&A[0][0], (size_t)N * N);
}
