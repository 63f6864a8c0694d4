// Relaxation around obstacles: points of these keep their values.
#ifndef N
#define N 1000
#endif
#include "further.h"

static DATA *A, *B;
static unsigned char *W;

static NOINLINE void relax(int steps, int n, int m, int ld, const unsigned char (*restrict wall)[ld], DATA (*restrict a)[ld],
                           DATA (*restrict b)[ld]) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        if (!wall[i][j])
          b[i][j] = (DATA)0.25 * (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        if (!wall[i][j])
          a[i][j] = b[i][j];
  }
}

static void initialise(void) {
  A = filled(1, size, size + 2);
  B = filled(2, size, size + 2);
  W = bytes(3, size, size + 2);
  for (size_t i = 0; i < (size_t)size * (size + 2); i++)
    W[i] = W[i] % 7 == 0;
}
static void compute(void) { relax(10, size, size + 2, size + 2, (void *)W, (void *)A, (void *)B); }
static void report(void) { output(A, (size_t)size * (size + 2)); }
