// A triangular system of equations with many right-hand sides, solved from the last equation on.
#ifndef N
#define N 400
#endif
#include "further.h"

static DATA *U, *B;

static NOINLINE void solve(int n, int sides, const DATA *restrict u, DATA *restrict b) {
  for (int i = n - 1; i >= 0; i--)
    for (int r = 0; r < sides; r++) {
      DATA rest = b[i * sides + r];
      for (int k = i + 1; k < n; k++)
        rest -= u[i * n + k] * b[k * sides + r];
      b[i * sides + r] = rest / u[i * n + i];
    }
}

static int sides(void) { return size * 3 / 4; }

static void initialise(void) {
  U = allocate(sizeof(DATA) * (size_t)size * (size_t)size);
  B = allocate(sizeof(DATA) * (size_t)size * (size_t)sides());
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      U[i * size + j] = (DATA)(i == j ? size : 1. / (1 + (i + j) % 13));
  for (int i = 0; i < size * sides(); i++)
    B[i] = (DATA)datum(1, i, 0);
}
static void compute(void) { solve(size, sides(), U, B); }
static void report(void) {
  for (int i = 0; i < size * sides(); i++)
    output_number((double)B[i]);
}
