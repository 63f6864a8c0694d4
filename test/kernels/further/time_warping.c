// Dynamic time warping of two signals.
#ifndef N
#define N 1500
#endif
#include "further.h"

static DATA *D, *X, *Y;

static NOINLINE void warp(int n, int m, int ld, const DATA *restrict x, const DATA *restrict y, DATA (*restrict d)[ld]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      DATA cost = x[i - 1] > y[j - 1] ? x[i - 1] - y[j - 1] : y[j - 1] - x[i - 1];
      DATA least = d[i - 1][j] < d[i][j - 1] ? d[i - 1][j] : d[i][j - 1];
      least = d[i - 1][j - 1] < least ? d[i - 1][j - 1] : least;
      d[i][j] = cost + least;
    }
}

static void initialise(void) {
  X = filled(1, 1, size);
  Y = filled(2, 1, size + 4);
  D = filled(3, size + 1, size + 5);
}
static void compute(void) { warp(size, size + 4, size + 5, X, Y, (void *)D); }
static void report(void) { output(D, (size_t)(size + 1) * (size + 5)); }
