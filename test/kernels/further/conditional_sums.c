// Sums and numbers of what is above a threshold in the rows of a matrix.
#ifndef N
#define N 2000
#endif
#include "further.h"

static DATA *A, *S;
static int *C;

static NOINLINE void sum(int n, int m, DATA t, const DATA *restrict a, DATA *restrict s, int *restrict count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      if (a[i * m + j] > t) {
        s[i] += a[i * m + j];
        count[i]++;
      }
}

static void initialise(void) {
  A = filled(1, size, size + 3);
  S = filled(2, 1, size);
  C = allocate(sizeof(int) * (size_t)size);
}
static void compute(void) {
  for (int t = 0; t < 4; t++)
    sum(size, size + 3, (DATA)0.4 + (DATA)0.1 * t, A, S, C);
}
static void report(void) {
  output(S, (size_t)size);
  for (int i = 0; i < size; i++)
    output_number(C[i]);
}
