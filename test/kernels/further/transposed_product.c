// C = A^T B.
#ifndef N
#define N 500
#endif
#include "further.h"

static DATA *A, *B, *C;

static NOINLINE void multiply(int m, int n, int k, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (int p = 0; p < k; p++)
        c[i * n + j] += a[p * m + i] * b[p * n + j];
    }
}

static void initialise(void) {
  A = filled(1, size + 2, size);
  B = filled(2, size + 2, size + 5);
  C = filled(3, size, size + 5);
}
static void compute(void) { multiply(size, size + 5, size + 2, A, B, C); }
static void report(void) { output(C, (size_t)size * (size + 5)); }
