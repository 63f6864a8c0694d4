// C = alpha A A^T + beta C on the lower triangle, by plain loops or by a BLAS.
#ifndef N
#define N 1000
#endif
#include "blas.h"

static DATA *A, *C;

static NOINLINE void update(int n, DATA alpha, DATA beta, const DATA *A, DATA *C) {
#ifdef BY_BLAS
  BLAS(syrk)(CblasRowMajor, CblasLower, CblasNoTrans, n, n, alpha, A, n, beta, C, n);
#else
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      C[(long)i * n + j] *= beta;
      for (int k = 0; k < n; k++)
        C[(long)i * n + j] += alpha * A[(long)i * n + k] * A[(long)j * n + k];
    }
#endif
}

static void initialise(void) {
  A = matrix(1);
  C = matrix(2);
}
static void compute(void) { update(size, (DATA)1.5, (DATA)1.25, A, C); }
static void report(void) { output(C, (size_t)size * size); }
