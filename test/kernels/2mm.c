// E = alpha A B C + beta E: two matrix products, the second of which consumes the first.
#ifndef N
#define N 1024
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*B)[EXTENT(N)];
static DATA (*C)[EXTENT(N)];
static DATA (*T)[EXTENT(N)];
static DATA (*E)[EXTENT(N)];

static NOINLINE void two_products(int n, DATA alpha, DATA beta, DATA (*A)[EXTENT(N)], DATA (*B)[EXTENT(N)], DATA (*C)[EXTENT(N)], DATA (*T)[EXTENT(N)], DATA (*E)[EXTENT(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      T[i][j] = 0;
      for (int k = 0; k < n; k++)
        T[i][j] += alpha * A[i][k] * B[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      E[i][j] *= beta;
      for (int k = 0; k < n; k++)
        E[i][j] += T[i][k] * C[k][j];
    }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  B = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  C = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  T = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  E = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      B[i][j] = datum(2, i, j);
      C[i][j] = datum(3, i, j);
      T[i][j] = 0;
      E[i][j] = datum(4, i, j);
    }
}
static void compute(void) { two_products(N, (DATA)1.5, (DATA)1.25, A, B, C, T, E); }
static void report(void) {
  output(&T[0][0], (size_t)N * N);
  output(&E[0][0], (size_t)N * N);
}
