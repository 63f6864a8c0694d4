// A filter of 65 taps along a signal of 16-bit integers.
#ifndef N
#define N 400000
#endif
#include "further.h"

static int16_t *X, *H;
static int32_t *Y;

static NOINLINE void filter(int n, int taps, const int16_t *restrict x, const int16_t *restrict h, int32_t *restrict y) {
  for (int i = 0; i < n; i++) {
    int32_t sum = 0;
    for (int k = 0; k < taps; k++)
      sum += h[k] * x[i + k];
    y[i] = sum >> 8;
  }
}

static void initialise(void) {
  X = allocate(sizeof(int16_t) * (size_t)(size + 65));
  Y = allocate(sizeof(int32_t) * (size_t)size);
  H = allocate(sizeof(int16_t) * 65);
  for (int i = 0; i < size + 65; i++)
    X[i] = (int16_t)(i * 77);
  for (int i = 0; i < 65; i++)
    H[i] = (int16_t)(i * 13 - 300);
}
static void compute(void) { filter(size, 65, X, H, Y); }
static void report(void) {
  for (int i = 0; i < size; i++)
    output_number(Y[i]);
}
