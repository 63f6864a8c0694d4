// The inverses of many matrices of 4 x 4, by Gauss-Jordan elimination.
#ifndef N
#define N 20000
#endif
#include "further.h"

static DATA (*A)[4][4], (*X)[4][4];

static NOINLINE void invert(int n, DATA (*restrict a)[4][4], DATA (*restrict x)[4][4]) {
  for (int b = 0; b < n; b++) {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        x[b][i][j] = i == j ? 1 : 0;
    for (int k = 0; k < 4; k++) {
      DATA pivot = 1 / a[b][k][k];
      for (int j = 0; j < 4; j++) {
        a[b][k][j] *= pivot;
        x[b][k][j] *= pivot;
      }
      for (int i = 0; i < 4; i++)
        if (i != k) {
          DATA factor = a[b][i][k];
          for (int j = 0; j < 4; j++) {
            a[b][i][j] -= factor * a[b][k][j];
            x[b][i][j] -= factor * x[b][k][j];
          }
        }
    }
  }
}

static void initialise(void) {
  A = (void *)filled(1, size, 16);
  X = (void *)filled(2, size, 16);
  for (int b = 0; b < size; b++)
    for (int i = 0; i < 4; i++)
      A[b][i][i] += 4;
}
static void compute(void) { invert(size, A, X); }
static void report(void) { output(&X[0][0][0], (size_t)size * 16); }
