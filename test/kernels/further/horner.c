// A polynomial at many points, by Horner's rule.
#ifndef N
#define N 20000
#endif
#include "further.h"

static DATA *X, *Y, *C;

static NOINLINE void evaluate(int n, int degree, const DATA *restrict x, const DATA *restrict c, DATA *restrict y) {
  for (int i = 0; i < n; i++) {
    DATA value = c[degree];
    for (int k = degree - 1; k >= 0; k--)
      value = value * x[i] + c[k];
    y[i] = value;
  }
}

static void initialise(void) {
  X = filled(1, 1, size);
  Y = filled(2, 1, size);
  C = filled(3, 1, 101);
}
static void compute(void) { evaluate(size, 100, X, C, Y); }
static void report(void) { output(Y, (size_t)size); }
