// y = A^T (A x).
#ifndef N
#define N 3000
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA x[EXTENT(N)];
static DATA y[EXTENT(N)];
static DATA t[EXTENT(N)];

static NOINLINE void normal_product(int n, DATA (*A)[EXTENT(N)], DATA *x, DATA *y, DATA *t) {
  for (int i = 0; i < n; i++)
    y[i] = 0;
  for (int i = 0; i < n; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += A[i][j] * x[j];
    for (int j = 0; j < n; j++)
      y[j] += A[i][j] * t[i];
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
    }
  for (int i = 0; i < N; i++) {
    x[i] = datum(2, i, 0);
  }
}
static void compute(void) { normal_product(N, A, x, y, t); }
static void report(void) {
  output(y, N);
  output(t, N);
}
