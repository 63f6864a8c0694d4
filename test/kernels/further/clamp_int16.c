// Clamps samples of 16 bits, and counts in each row those that were out of range.
#ifndef N
#define N 2000
#endif
#include "further.h"

static int16_t *A;
static int *C;

static NOINLINE void clamp(int n, int m, int16_t low, int16_t high, int16_t *restrict a, int *restrict count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > high) {
        a[i * m + j] = high;
        count[i]++;
      } else if (a[i * m + j] < low) {
        a[i * m + j] = low;
        count[i]--;
      }
}

static void initialise(void) {
  A = allocate(sizeof(int16_t) * (size_t)size * (size + 3));
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size + 3; j++)
      A[(size_t)i * (size + 3) + j] = (int16_t)(2000 * datum(1, i, j) - 1000);
  C = allocate(sizeof(int) * (size_t)size);
}
static void compute(void) {
  for (int t = 0; t < 4; t++)
    clamp(size, size + 3, (int16_t)(-900 + 50 * t), (int16_t)(800 - 100 * t), A, C);
}
static void report(void) {
  for (size_t i = 0; i < (size_t)size * (size + 3); i++)
    output_number(A[i]);
  for (int i = 0; i < size; i++)
    output_number(C[i]);
}
