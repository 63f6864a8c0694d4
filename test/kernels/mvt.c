// x1 += A ya; x2 += A^T yb.
#ifndef N
#define N 3000
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA x1[EXTENT(N)];
static DATA x2[EXTENT(N)];
static DATA ya[EXTENT(N)];
static DATA yb[EXTENT(N)];

static NOINLINE void products(int n, DATA (*A)[EXTENT(N)], DATA *x1, DATA *x2, DATA *ya, DATA *yb) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x1[i] += A[i][j] * ya[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x2[i] += A[j][i] * yb[j];
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
    }
  for (int i = 0; i < N; i++) {
    x1[i] = datum(2, i, 0);
    x2[i] = datum(3, i, 0);
    ya[i] = datum(4, i, 0);
    yb[i] = datum(5, i, 0);
  }
}
static void compute(void) { products(N, A, x1, x2, ya, yb); }
static void report(void) {
  output(x1, N);
  output(x2, N);
}
