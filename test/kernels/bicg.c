// s = A^T r; q = A p in one sweep over A.
#ifndef N
#define N 3000
#endif
#include "kernel.h"

static DATA (*A)[EXTENT(N)];
static DATA s[EXTENT(N)];
static DATA q[EXTENT(N)];
static DATA p[EXTENT(N)];
static DATA r[EXTENT(N)];

static NOINLINE void both_products(int n, DATA (*A)[EXTENT(N)], DATA *s, DATA *q, DATA *p, DATA *r) {
  for (int i = 0; i < n; i++)
    s[i] = 0;
  for (int i = 0; i < n; i++) {
    q[i] = 0;
    for (int j = 0; j < n; j++) {
      s[j] += r[i] * A[i][j];
      q[i] += A[i][j] * p[j];
    }
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = datum(1, i, j);
    }
  for (int i = 0; i < N; i++) {
    p[i] = datum(2, i, 0);
    r[i] = datum(3, i, 0);
  }
}
static void compute(void) { both_products(N, A, s, q, p, r); }
static void report(void) {
  output(s, N);
  output(q, N);
}
