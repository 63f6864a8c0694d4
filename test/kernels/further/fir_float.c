// A filter of 65 taps along a signal of floats.
#ifndef N
#define N 400000
#endif
#include "further.h"

static float *X, *Y, *H;

static NOINLINE void filter(int n, int taps, const float *restrict x, const float *restrict h, float *restrict y) {
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = 0; k < taps; k++)
      sum += h[k] * x[i + k];
    y[i] = sum;
  }
}

static void initialise(void) {
  X = allocate(sizeof(float) * (size_t)(size + 65));
  Y = allocate(sizeof(float) * (size_t)size);
  H = allocate(sizeof(float) * 65);
  for (int i = 0; i < size + 65; i++)
    X[i] = (float)datum(1, i, 0);
  for (int i = 0; i < 65; i++)
    H[i] = (float)datum(2, i, 0);
}
static void compute(void) { filter(size, 65, X, H, Y); }
static void report(void) {
  for (int i = 0; i < size; i++)
    output_number((double)Y[i]);
}
