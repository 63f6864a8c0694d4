// y = alpha A x + beta B x, with subscripts linearised by hand.
#ifndef N
#define N 2600
#endif
#include "kernel.h"

static DATA *A, *B;
static DATA x[EXTENT(N)];
static DATA y[EXTENT(N)];

static NOINLINE void summed_products(int n, DATA alpha, DATA beta, const DATA *A, const DATA *B, const DATA *x, DATA *y) {
  for (int i = 0; i < n; i++) {
    DATA left = 0;
    DATA right = 0;
    for (int j = 0; j < n; j++) {
      left += A[(size_t)i * n + j] * x[j];
      right += B[(size_t)i * n + j] * x[j];
    }
    y[i] = alpha * left + beta * right;
  }
}

static void initialise(void) {
  A = allocate(sizeof(DATA) * N * N);
  B = allocate(sizeof(DATA) * N * N);
  for (int i = 0; i < N; i++) {
    x[i] = datum(1, i, 0);
    for (int j = 0; j < N; j++) {
      A[(size_t)i * N + j] = datum(2, i, j);
      B[(size_t)i * N + j] = datum(3, i, j);
    }
  }
}
static void compute(void) { summed_products(N, (DATA)1.5, (DATA)1.25, A, B, x, y); }
static void report(void) { output(y, N); }
