// B = alpha A^T B with a unit lower triangular A, in place.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*B)[EXTENT(N)];

static NOINLINE void triangular_product(int n, DATA alpha, DATA (*A)[EXTENT(N)], DATA (*B)[EXTENT(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = i + 1; k < n; k++)
        B[i][j] += A[k][i] * B[k][j];
      B[i][j] *= alpha;
    }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  B = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      B[i][j] = datum(2, i, j);
    }
}
static void compute(void) { triangular_product(N, (DATA)1.5, A, B); }
static void report(void) {
  output(&B[0][0], (size_t)N * N);
}
