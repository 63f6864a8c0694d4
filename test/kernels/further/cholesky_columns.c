// A Cholesky factorization of a matrix that is stored by columns, as in LAPACK's unblocked code.
#ifndef N
#define N 500
#endif
#include <math.h>
#include "further.h"

static DATA *A;

static NOINLINE void factorize(int n, DATA *a) {
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < n; i++)
        a[j * n + i] -= a[k * n + i] * a[k * n + j];
    DATA pivot = (DATA)sqrt((double)a[j * n + j]);
    for (int i = j; i < n; i++)
      a[j * n + i] /= pivot;
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA) * (size_t)size * (size_t)size);
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      A[i * size + j] = (DATA)(i == j ? 2 * size : 1. / (1 + (i + j) % 13));
}
static void compute(void) { factorize(size, A); }
static void report(void) {
  for (int i = 0; i < size * size; i++)
    output_number((double)A[i]);
}
