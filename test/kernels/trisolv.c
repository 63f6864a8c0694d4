// Solves L x = b by forward substitution.
#ifndef N
#define N 3000
#endif
#include "kernel.h"

static DATA (*L)[EXTENT(N)];
static DATA x[EXTENT(N)];
static DATA b[EXTENT(N)];

static NOINLINE void substitute(int n, DATA (*L)[EXTENT(N)], DATA *x, DATA *b) {
  for (int i = 0; i < n; i++) {
    x[i] = b[i];
    for (int j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
    x[i] = x[i] / L[i][i];
  }
}

static void initialise(void) {
  L = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      L[i][j] = datum(1, i, j) + (i == j ? (DATA)N : 0);
    }
  for (int i = 0; i < N; i++) {
    b[i] = datum(2, i, 0);
  }
}
static void compute(void) { substitute(N, L, x, b); }
static void report(void) {
  output(x, N);
}
