// LU decomposition of a matrix whose rows are allocated one by one.
#ifndef N
#define N 700
#endif
#include "further.h"

static DATA **A;

static NOINLINE void decompose(int n, DATA **a) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      a[i][k] /= a[k][k];
      for (int j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

static void initialise(void) {
  A = allocate((size_t)size * sizeof *A);
  for (int i = 0; i < size; i++) {
    A[i] = filled(i, 1, size);
    A[i][i] = (DATA)(4 * size);
  }
}
static void compute(void) { decompose(size, A); }
static void report(void) {
  for (int i = 0; i < size; i++)
    output(A[i], (size_t)size);
}
