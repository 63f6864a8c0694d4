// A factorization L D L^T of a symmetric matrix, with a multiplier in a variable.
#ifndef N
#define N 500
#endif
#include "further.h"

static DATA *A;
static NOINLINE void factorize(int n, DATA (*restrict a)[n]) {
  for (int j = 0; j < n; j++) {
    for (int i = j + 1; i < n; i++) {
      DATA l = a[i][j] / a[j][j];
      for (int k = j + 1; k <= i; k++)
        a[i][k] -= l * a[k][j];
    }
    for (int i = j + 1; i < n; i++)
      a[i][j] /= a[j][j];
  }
}
static void initialise(void) {
  A = allocate(sizeof(DATA) * (size_t)size * (size_t)size);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      A[i * size + j] = (DATA)(i == j ? 2 * size : 1. / (1 + (i + j) % 13));
}
static void compute(void) { factorize(size, (DATA(*)[size])A); }
static void report(void) {
  for (int i = 0; i < size * size; i++)
    output_number((double)A[i]);
}
