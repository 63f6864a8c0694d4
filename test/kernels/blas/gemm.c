// C = alpha A B + beta C, by plain loops or by a BLAS.
#ifndef N
#define N 1000
#endif
#include "blas.h"

static DATA *A, *B, *C;

static NOINLINE void product(int n, DATA alpha, DATA beta, const DATA *A, const DATA *B, DATA *C) {
#ifdef BY_BLAS
  BLAS(gemm)(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, alpha, A, n, B, n, beta, C, n);
#else
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      C[(long)i * n + j] *= beta;
      for (int k = 0; k < n; k++)
        C[(long)i * n + j] += alpha * A[(long)i * n + k] * B[(long)k * n + j];
    }
#endif
}

static void initialise(void) {
  A = matrix(1);
  B = matrix(2);
  C = matrix(3);
}
static void compute(void) { product(size, (DATA)1.5, (DATA)1.25, A, B, C); }
static void report(void) { output(C, (size_t)size * size); }
