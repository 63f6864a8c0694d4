// C += A B of matrices stored by columns, with leading dimensions.
#ifndef N
#define N 500
#endif
#include "further.h"

static DATA *A, *B, *C;

static NOINLINE void multiply(int m, int n, int k, const DATA *restrict a, int lda, const DATA *restrict b, int ldb,
                              DATA *restrict c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      DATA sum = 0;
      for (int p = 0; p < k; p++)
        sum += a[i + (size_t)p * lda] * b[p + (size_t)j * ldb];
      c[i + (size_t)j * ldc] += sum;
    }
}

static void initialise(void) {
  A = filled(1, size, size + 3);
  B = filled(2, size + 3, size + 1);
  C = filled(3, size, size + 1);
}
static void compute(void) { multiply(size, size + 1, size + 3, A, size, B, size + 3, C, size); }
static void report(void) { output(C, (size_t)size * (size + 1)); }
