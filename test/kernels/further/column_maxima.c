// The largest element of each column, and the row that it is in.
#ifndef N
#define N 2000
#endif
#include "further.h"

static DATA *A, *L;
static int *R;

static NOINLINE void largest(int n, int m, const DATA *restrict a, DATA *restrict best, int *restrict row) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      if (a[i * m + j] > best[j]) {
        best[j] = a[i * m + j];
        row[j] = i;
      }
}

static void initialise(void) {
  A = filled(1, size, size + 3);
  L = allocate(sizeof(DATA) * (size_t)(size + 3));
  R = allocate(sizeof(int) * (size_t)(size + 3));
}
static void compute(void) {
  for (int t = 0; t < 4; t++)
    largest(size, size + 3, A, L, R);
}
static void report(void) {
  output(L, (size_t)size + 3);
  for (int j = 0; j < size + 3; j++)
    output_number(R[j]);
}
