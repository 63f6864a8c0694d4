// C = alpha A B + beta C with a symmetric A of which only the lower triangle is stored.
#ifndef N
#define N 800
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA (*B)[EXTENT(N)];
static DATA (*C)[EXTENT(N)];

static NOINLINE void symmetric_product(int n, DATA alpha, DATA beta, DATA (*A)[EXTENT(N)], DATA (*B)[EXTENT(N)], DATA (*C)[EXTENT(N)]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      DATA sum = 0;
      for (int k = 0; k < i; k++) {
        C[k][j] += alpha * B[i][j] * A[i][k];
        sum += B[k][j] * A[i][k];
      }
      C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
    }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  B = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  C = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
      B[i][j] = datum(2, i, j);
      C[i][j] = datum(3, i, j);
    }
}
static void compute(void) { symmetric_product(N, (DATA)1.5, (DATA)1.25, A, B, C); }
static void report(void) {
  output(&C[0][0], (size_t)N * N);
}
