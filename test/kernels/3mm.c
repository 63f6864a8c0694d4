// G = (A B) (C D): three matrix products.
#ifndef N
#define N 800
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*B)[EXTENT(N)];
static DATA (*C)[EXTENT(N)];
static DATA (*D)[EXTENT(N)];
static DATA (*E)[EXTENT(N)];
static DATA (*F)[EXTENT(N)];
static DATA (*G)[EXTENT(N)];

static NOINLINE void three_products(int n, DATA (*A)[EXTENT(N)], DATA (*B)[EXTENT(N)], DATA (*C)[EXTENT(N)], DATA (*D)[EXTENT(N)], DATA (*E)[EXTENT(N)], DATA (*F)[EXTENT(N)], DATA (*G)[EXTENT(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      E[i][j] = 0;
      for (int k = 0; k < n; k++)
        E[i][j] += A[i][k] * B[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      F[i][j] = 0;
      for (int k = 0; k < n; k++)
        F[i][j] += C[i][k] * D[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      G[i][j] = 0;
      for (int k = 0; k < n; k++)
        G[i][j] += E[i][k] * F[k][j];
    }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  B = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  C = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  D = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  E = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  F = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  G = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      B[i][j] = datum(2, i, j);
      C[i][j] = datum(3, i, j);
      D[i][j] = datum(4, i, j);
      E[i][j] = 0;
      F[i][j] = 0;
      G[i][j] = 0;
    }
}
static void compute(void) { three_products(N, A, B, C, D, E, F, G); }
static void report(void) {
  output(&E[0][0], (size_t)N * N);
  output(&F[0][0], (size_t)N * N);
  output(&G[0][0], (size_t)N * N);
}
