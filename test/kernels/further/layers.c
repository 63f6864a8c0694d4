// Samples that go through two layers of a network, one after the other, by way of a row.
#ifndef N
#define N 300
#endif
#include "further.h"

static DATA *X, *V, *W, *Y, *row;

static NOINLINE void layers(int n, const DATA *restrict x, const DATA *restrict v, const DATA *restrict w, DATA *restrict y,
                            DATA *restrict hidden) {
  for (int s = 0; s < n; s++) {
    for (int j = 0; j < n; j++) {
      DATA sum = 0;
      for (int i = 0; i < n; i++)
        sum += v[j * n + i] * x[s * n + i];
      hidden[j] = sum > 1 ? sum : 1;
    }
    for (int k = 0; k < n; k++) {
      DATA sum = 0;
      for (int j = 0; j < n; j++)
        sum += w[k * n + j] * hidden[j];
      y[s * n + k] = sum;
    }
  }
}

static void initialise(void) {
  X = filled(1, size, size);
  V = filled(2, size, size);
  W = filled(3, size, size);
  Y = filled(4, size, size);
  row = filled(5, 1, size);
}
static void compute(void) { layers(size, X, V, W, Y, row); }
static void report(void) {
  output(Y, (size_t)size * size);
  output(row, (size_t)size);
}
