// Solves L X = B for a lower triangle L with many right-hand sides, by plain loops or by a BLAS.
#ifndef N
#define N 1000
#endif
#include "blas.h"

static DATA *L, *B;

static NOINLINE void solve(int n, const DATA *L, DATA *B) {
#ifdef BY_BLAS
  BLAS(trsm)(CblasRowMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, n, (DATA)1, L, n, B, n);
#else
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < i; k++)
        B[(long)i * n + j] -= L[(long)i * n + k] * B[(long)k * n + j];
      B[(long)i * n + j] /= L[(long)i * n + i];
    }
#endif
}

static void initialise(void) {
  L = matrix(1);
  B = matrix(2);
  for (long i = 0; i < size; i++)
    L[i * size + i] += (DATA)size;
}
static void compute(void) { solve(size, L, B); }
static void report(void) { output(B, (size_t)size * size); }
