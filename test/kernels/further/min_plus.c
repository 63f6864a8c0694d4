// The min-plus product of two matrices.
#ifndef N
#define N 400
#endif
#include "further.h"

static DATA *A, *B, *C;

static NOINLINE void multiply(int n, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        DATA path = a[i * n + k] + b[k * n + j];
        c[i * n + j] = path < c[i * n + j] ? path : c[i * n + j];
      }
}

static void initialise(void) {
  A = filled(1, size, size);
  B = filled(2, size, size);
  C = filled(3, size, size);
}
static void compute(void) { multiply(size, A, B, C); }
static void report(void) { output(C, (size_t)size * size); }
