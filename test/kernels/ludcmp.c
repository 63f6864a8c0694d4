// Solves A x = b by LU decomposition with forward and back substitution, sums in registers.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA A[EXTENT(N)][EXTENT(N)];
static DATA b[EXTENT(N)];
static DATA x[EXTENT(N)];
static DATA y[EXTENT(N)];

static NOINLINE void solve(int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      DATA w = A[i][j];
      for (int k = 0; k < j; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w / A[j][j];
    }
    for (int j = i; j < n; j++) {
      DATA w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
  }
  for (int i = 0; i < n; i++) {
    DATA w = b[i];
    for (int j = 0; j < i; j++)
      w -= A[i][j] * y[j];
    y[i] = w;
  }
  for (int i = n - 1; i >= 0; i--) {
    DATA w = y[i];
    for (int j = i + 1; j < n; j++)
      w -= A[i][j] * x[j];
    x[i] = w / A[i][i];
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j) + (i == j ? (DATA)N : 0);
    }
  for (int i = 0; i < N; i++) {
    b[i] = datum(2, i, 0);
  }
}
static void compute(void) { solve(N); }
static void report(void) {
  output(x, N);
  output(y, N);
  output(&A[0][0], (size_t)N * N);
}
