// Multiresolution kernel: each row of a cube times a matrix, through a temporary row.
#ifndef N
#define N 140
#endif
#include "kernel.h"

typedef DATA Cube[EXTENT(N)][EXTENT(N)][EXTENT(N)];
static Cube *A;
static DATA (*C4)[EXTENT(N)];
static DATA sum[EXTENT(N)];

static NOINLINE void transform(int n, DATA (*A)[EXTENT(N)][EXTENT(N)], DATA (*C4)[EXTENT(N)], DATA *sum) {
  for (int r = 0; r < n; r++)
    for (int q = 0; q < n; q++) {
      for (int p = 0; p < n; p++) {
        sum[p] = 0;
        for (int s = 0; s < n; s++)
          sum[p] += A[r][q][s] * C4[s][p];
      }
      for (int p = 0; p < n; p++)
        A[r][q][p] = sum[p];
    }
}

static void initialise(void) {
  A = allocate(sizeof(Cube));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        (*A)[i][j][k] = datum(i, j, k);
  C4 = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      C4[i][j] = datum(1, i, j);
    }
}
static void compute(void) { transform(N, *A, C4, sum); }
static void report(void) { output(&(*A)[0][0][0], (size_t)N * N * N); }
