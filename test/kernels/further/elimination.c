// Gaussian elimination of a system of equations, with a multiplier in a variable, and back substitution.
#ifndef N
#define N 500
#endif
#include "further.h"

static DATA *A, *B;

static NOINLINE void solve(int n, DATA (*restrict a)[n], DATA *restrict b) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      DATA factor = a[i][k] / a[k][k];
      for (int j = k; j < n; j++)
        a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  for (int i = n - 1; i >= 0; i--) {
    DATA rest = b[i];
    for (int j = i + 1; j < n; j++)
      rest -= a[i][j] * b[j];
    b[i] = rest / a[i][i];
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA) * (size_t)size * (size_t)size);
  B = allocate(sizeof(DATA) * (size_t)size);
  for (int i = 0; i < size; i++) {
    B[i] = (DATA)datum(2, i, 0);
    for (int j = 0; j < size; j++)
      A[i * size + j] = (DATA)(datum(1, i, j) + (i == j ? 2 * size : 0));
  }
}
static void compute(void) {
  if (size > 0)
    solve(size, (DATA(*)[size])A, B);
}
static void report(void) {
  for (int i = 0; i < size; i++)
    output_number((double)B[i]);
}
