// The Kronecker product of two matrices.
#ifndef N
#define N 48
#endif
#include "further.h"

static DATA *A, *B, *C;

static NOINLINE void product(int m, int n, int p, int q, const DATA *a, const DATA *b, DATA *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < p; k++)
        for (int l = 0; l < q; l++)
          c[((size_t)i * p + k) * ((size_t)n * q) + (size_t)j * q + l] = a[i * n + j] * b[k * q + l];
}

static void initialise(void) {
  A = filled(1, size, size + 1);
  B = filled(2, size + 2, size);
  C = filled(3, size * (size + 2), (size + 1) * size);
}
static void compute(void) { product(size, size + 1, size + 2, size, A, B, C); }
static void report(void) { output(C, (size_t)size * (size + 2) * (size + 1) * size); }
