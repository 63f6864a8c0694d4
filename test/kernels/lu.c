// In-place LU decomposition without pivoting of a diagonally dominant matrix in a global array.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA A[EXTENT(N)][EXTENT(N)];

static NOINLINE void decompose(void) {
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++)
        A[i][j] -= A[i][k] * A[k][j];
      A[i][j] /= A[j][j];
    }
    for (int j = i; j < N; j++)
      for (int k = 0; k < i; k++)
        A[i][j] -= A[i][k] * A[k][j];
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j) + (i == j ? (DATA)N : 0);
    }
}
static void compute(void) { decompose(); }
static void report(void) {
  output(&A[0][0], (size_t)N * N);
}
