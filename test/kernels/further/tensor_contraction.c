// C[i][j][k][l] += A[i][p][k] B[j][l][p], a contraction of two tensors.
#ifndef N
#define N 32
#endif
#include "further.h"

static DATA *A, *B, *C;

static NOINLINE void contract(int n, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          for (int p = 0; p < n; p++)
            c[((i * n + j) * n + k) * n + l] += a[(i * n + p) * n + k] * b[(j * n + l) * n + p];
}

static void initialise(void) {
  A = filled(1, size * size, size);
  B = filled(2, size * size, size);
  C = filled(3, size * size, size * size);
}
static void compute(void) { contract(size, A, B, C); }
static void report(void) { output(C, (size_t)size * size * size * size); }
