// QR decomposition by the modified Gram-Schmidt process, column by column.
#ifndef N
#define N 600
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*R)[EXTENT(N)];
static DATA (*Q)[EXTENT(N)];

static NOINLINE void orthonormalise(int n, DATA (*A)[EXTENT(N)], DATA (*R)[EXTENT(N)], DATA (*Q)[EXTENT(N)]) {
  for (int k = 0; k < n; k++) {
    DATA norm = 0;
    for (int i = 0; i < n; i++)
      norm += A[i][k] * A[i][k];
    R[k][k] = (DATA)sqrt((double)norm);
    for (int i = 0; i < n; i++)
      Q[i][k] = A[i][k] / R[k][k];
    for (int j = k + 1; j < n; j++) {
      R[k][j] = 0;
      for (int i = 0; i < n; i++)
        R[k][j] += Q[i][k] * A[i][j];
      for (int i = 0; i < n; i++)
        A[i][j] -= Q[i][k] * R[k][j];
    }
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  R = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  Q = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j) + (i == j ? (DATA)N : 0);
      R[i][j] = 0;
      Q[i][j] = 0;
    }
}
static void compute(void) { orthonormalise(N, A, R, Q); }
static void report(void) {
  output(&R[0][0], (size_t)N * N);
  output(&Q[0][0], (size_t)N * N);
  output(&A[0][0], (size_t)N * N);
}
