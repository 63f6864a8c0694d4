// Gauss-Seidel over red, then over black points.
#ifndef N
#define N 600
#endif
#include "further.h"

static DATA *A;

static NOINLINE void relax(int steps, int n, int ld, DATA (*a)[ld]) {
  for (int t = 0; t < steps; t++)
    for (int colour = 0; colour < 2; colour++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1 + ((i + colour) & 1); j < n - 1; j += 2)
          a[i][j] = (DATA)0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

static void initialise(void) { A = filled(1, size, size); }
static void compute(void) { relax(20, size, EXTENT(size), (void *)A); }
static void report(void) { output(A, (size_t)size * size); }
