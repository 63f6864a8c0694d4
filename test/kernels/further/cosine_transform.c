// A two-dimensional cosine transform by its definition, with a table of the basis.
#ifndef N
#define N 60
#endif
#include "further.h"

static DATA *A, *F, *T;

static NOINLINE void transform(int n, const DATA *restrict a, const DATA *restrict table, DATA *restrict f) {
  for (int u = 0; u < n; u++)
    for (int v = 0; v < n; v++) {
      DATA sum = 0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          sum += a[i * n + j] * table[u * n + i] * table[v * n + j];
      f[u * n + v] = sum;
    }
}

static void initialise(void) {
  A = filled(1, size, size);
  T = filled(2, size, size);
  F = filled(3, size, size);
}
static void compute(void) { transform(size, A, T, F); }
static void report(void) { output(F, (size_t)size * size); }
