// A += u1 v1^T + u2 v2^T; x = beta A^T y + z; w = alpha A x.
#ifndef N
#define N 2600
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA u1[EXTENT(N)];
static DATA v1[EXTENT(N)];
static DATA u2[EXTENT(N)];
static DATA v2[EXTENT(N)];
static DATA x[EXTENT(N)];
static DATA y[EXTENT(N)];
static DATA z[EXTENT(N)];
static DATA w[EXTENT(N)];

static NOINLINE void vector_updates(int n, DATA alpha, DATA beta, DATA (*A)[EXTENT(N)], DATA *u1, DATA *v1, DATA *u2, DATA *v2, DATA *x, DATA *y, DATA *z, DATA *w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] = x[i] + beta * A[j][i] * y[j];
  for (int i = 0; i < n; i++)
    x[i] = x[i] + z[i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w[i] = w[i] + alpha * A[i][j] * x[j];
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
    }
  for (int i = 0; i < N; i++) {
    u1[i] = datum(2, i, 0);
    v1[i] = datum(3, i, 0);
    u2[i] = datum(4, i, 0);
    v2[i] = datum(5, i, 0);
    x[i] = 0;
    y[i] = datum(6, i, 0);
    z[i] = datum(7, i, 0);
    w[i] = 0;
  }
}
static void compute(void) { vector_updates(N, (DATA)1.5, (DATA)1.25, A, u1, v1, u2, v2, x, y, z, w); }
static void report(void) {
  output(x, N);
  output(w, N);
  output(&A[0][0], (size_t)N * N);
}
