// Outer products of samples, summed.
#ifndef N
#define N 300
#endif
#include "further.h"

static DATA *X, *Y, *C;

static NOINLINE void add(int samples, int n, int m, const DATA *restrict x, const DATA *restrict y, DATA *restrict c) {
  for (int s = 0; s < samples; s++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        c[i * m + j] += x[s * n + i] * y[s * m + j];
}

static void initialise(void) {
  X = filled(1, 150, size);
  Y = filled(2, 150, size + 6);
  C = filled(3, size, size + 6);
}
static void compute(void) { add(150, size, size + 6, X, Y, C); }
static void report(void) { output(C, (size_t)size * (size + 6)); }
