// Heat equation on a cube: a seven-point stencil between two arrays, over time.
#ifndef N
#define N 100
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 60
#endif
typedef DATA Cube[EXTENT(N)][EXTENT(N)][EXTENT(N)];
static Cube *A, *B;

static NOINLINE void diffuse(int steps, int n, DATA (*A)[EXTENT(N)][EXTENT(N)], DATA (*B)[EXTENT(N)][EXTENT(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          B[i][j][k] = (DATA)0.125 * (A[i + 1][j][k] - 2 * A[i][j][k] + A[i - 1][j][k]) +
                       (DATA)0.125 * (A[i][j + 1][k] - 2 * A[i][j][k] + A[i][j - 1][k]) +
                       (DATA)0.125 * (A[i][j][k + 1] - 2 * A[i][j][k] + A[i][j][k - 1]) + A[i][j][k];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[i][j][k] = (DATA)0.125 * (B[i + 1][j][k] - 2 * B[i][j][k] + B[i - 1][j][k]) +
                       (DATA)0.125 * (B[i][j + 1][k] - 2 * B[i][j][k] + B[i][j - 1][k]) +
                       (DATA)0.125 * (B[i][j][k + 1] - 2 * B[i][j][k] + B[i][j][k - 1]) + B[i][j][k];
  }
}

static void initialise(void) {
  A = allocate(sizeof(Cube));
  B = allocate(sizeof(Cube));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        (*A)[i][j][k] = (*B)[i][j][k] = datum(i, j, k);
}
static void compute(void) { diffuse(STEPS, N, *A, *B); }
static void report(void) {
  output(&(*A)[0][0][0], (size_t)N * N * N);
  output(&(*B)[0][0][0], (size_t)N * N * N);
}
