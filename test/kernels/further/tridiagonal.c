// A tridiagonal system for each row (Thomas), with what elimination leaves in two rows.
#ifndef N
#define N 1000
#endif
#include "further.h"

static DATA *X, *Y, *upper, *right;

static NOINLINE void solve(int n, const DATA *restrict x, DATA *restrict y, DATA *restrict c, DATA *restrict d) {
  for (int i = 0; i < n; i++) {
    c[0] = (DATA)0.25;
    d[0] = x[i * n] / 4;
    for (int j = 1; j < n; j++) {
      DATA pivot = 1 / (4 - c[j - 1]);
      c[j] = pivot;
      d[j] = (x[i * n + j] + d[j - 1]) * pivot;
    }
    y[i * n + n - 1] = d[n - 1];
    for (int j = n - 2; j >= 0; j--)
      y[i * n + j] = d[j] + c[j] * y[i * n + j + 1];
  }
}

static void initialise(void) {
  X = filled(1, size, size);
  Y = filled(2, size, size);
  upper = filled(3, 1, size);
  right = filled(4, 1, size);
}
static void compute(void) { solve(size, X, Y, upper, right); }
static void report(void) {
  output(Y, (size_t)size * size);
  output(upper, (size_t)size);
  output(right, (size_t)size);
}
