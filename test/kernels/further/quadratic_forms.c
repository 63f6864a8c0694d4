// The quadratic form of each of some vectors, by way of the product of the matrix with the vector.
#ifndef N
#define N 300
#endif
#include "further.h"

static DATA *A, *X, *Y, *row;

static NOINLINE void forms(int n, const DATA *restrict a, const DATA *restrict x, DATA *restrict y, DATA *restrict product) {
  for (int s = 0; s < n; s++) {
    for (int i = 0; i < n; i++) {
      product[i] = 0;
      for (int j = 0; j < n; j++)
        product[i] += a[i * n + j] * x[s * n + j];
    }
    DATA sum = 0;
    for (int i = 0; i < n; i++)
      sum += product[i] * x[s * n + i];
    y[s] = sum;
  }
}

static void initialise(void) {
  A = filled(1, size, size);
  X = filled(2, size, size);
  Y = filled(3, 1, size);
  row = filled(4, 1, size);
}
static void compute(void) { forms(size, A, X, Y, row); }
static void report(void) {
  output(Y, (size_t)size);
  output(row, (size_t)size);
}
