// Three-point average between two arrays, over time.
#ifndef N
#define N 4000
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 1000
#endif
static DATA A[EXTENT(N)];
static DATA B[EXTENT(N)];

static NOINLINE void relax(int steps, int n, DATA *A, DATA *B) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
    for (int i = 1; i < n - 1; i++)
      A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++) {
    A[i] = datum(1, i, 0);
    B[i] = datum(2, i, 0);
  }
}
static void compute(void) { relax(STEPS, N, A, B); }
static void report(void) {
  output(A, N);
  output(B, N);
}
