// C = alpha A A^T + beta C on the lower triangle; variable-length arrays.
#ifndef N
#define N 1000
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*C)[EXTENT(N)];

static NOINLINE void rank_k_update(int n, int m, DATA alpha, DATA beta, DATA A[n][m], DATA C[n][n]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      C[i][j] *= beta;
    for (int k = 0; k < m; k++)
      for (int j = 0; j <= i; j++)
        C[i][j] += alpha * A[i][k] * A[j][k];
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  C = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      C[i][j] = datum(2, i, j);
    }
}
static void compute(void) { rank_k_update(N, N, (DATA)1.5, (DATA)1.25, A, C); }
static void report(void) {
  output(&C[0][0], (size_t)N * N);
}
