// The inverse of a lower triangular matrix, row by row.
#ifndef N
#define N 500
#endif
#include "further.h"

static DATA *L, *X;

static NOINLINE void invert(int n, const DATA *restrict l, DATA *restrict x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      DATA sum = 0;
      for (int k = j; k < i; k++)
        sum += l[i * n + k] * x[k * n + j];
      x[i * n + j] = -sum / l[i * n + i];
    }
    x[i * n + i] = 1 / l[i * n + i];
  }
}

static void initialise(void) {
  L = filled(1, size, size);
  X = filled(2, size, size);
  for (int i = 0; i < size; i++)
    L[(size_t)i * size + i] += (DATA)size;
}
static void compute(void) { invert(size, L, X); }
static void report(void) { output(X, (size_t)size * size); }
