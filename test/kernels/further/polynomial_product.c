// The product of two polynomials modulo a prime.
#ifndef N
#define N 3000
#endif
#include "further.h"

static unsigned *A, *B, *C;

static NOINLINE void multiply(int n, int m, const unsigned *restrict a, const unsigned *restrict b, unsigned *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      c[i + j] = (unsigned)((c[i + j] + (unsigned long)a[i] * b[j]) % 998244353u);
}

static void initialise(void) {
  A = allocate(sizeof(unsigned) * (size_t)size);
  B = allocate(sizeof(unsigned) * (size_t)(size + 2));
  C = allocate(sizeof(unsigned) * (size_t)(2 * size + 2));
  for (int i = 0; i < size; i++)
    A[i] = (unsigned)i * 77u;
  for (int i = 0; i < size + 2; i++)
    B[i] = (unsigned)i * 991u;
}
static void compute(void) { multiply(size, size + 2, A, B, C); }
static void report(void) {
  for (int i = 0; i < 2 * size + 2; i++)
    output_number(C[i]);
}
