// Equations whose rows are scaled behind the substitution, with many right-hand sides, and a symmetric product of which the half that begins at
// the diagonal is computed row by row.
#ifndef N
#define N 400
#endif
#include "further.h"

static DATA *L, *B, *A, *C;

static NOINLINE void substitute(int n, int sides, DATA factor, const DATA *restrict l, DATA *restrict b) {
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < sides; r++)
      b[i * sides + r] *= factor;
    for (int k = 0; k < i; k++)
      for (int r = 0; r < sides; r++)
        b[i * sides + r] -= l[i * n + k] * b[k * sides + r];
    DATA scale = 1 / l[i * n + i];
    for (int r = 0; r < sides; r++)
      b[i * sides + r] *= scale;
  }
}

static NOINLINE void symmetric(int n, int m, DATA factor, const DATA *restrict a, DATA *restrict c) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < m; k++) {
      DATA scaled = factor * a[k * n + j];
      for (int i = j; i < n; i++)
        c[j * n + i] += scaled * a[k * n + i];
    }
}

static int sides(void) { return size * 3 / 4; }

static void initialise(void) {
  L = filled(1, size, size);
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < size; k++)
      L[i * size + k] /= (DATA)(1 + size);
    L[i * size + i] = 1 + (DATA)datum(2, i, i);
  }
  B = filled(3, size, sides());
  A = filled(4, size + 2, size);
  C = filled(5, size, size);
}
static void compute(void) {
  substitute(size, sides(), (DATA)1.5, L, B);
  symmetric(size, size + 2, (DATA)0.5, A, C);
}
static void report(void) {
  output(B, (size_t)size * (size_t)sides());
  output(C, (size_t)size * (size_t)size);
}
