// QR decomposition by Householder reflections.
#ifndef N
#define N 300
#endif
#include "further.h"

static DATA *A, *R;

static NOINLINE void decompose(int m, int n, int ld, DATA (*restrict a)[ld], DATA *restrict diagonal) {
  for (int k = 0; k < n; k++) {
    DATA norm = 0;
    for (int i = k; i < m; i++)
      norm += a[i][k] * a[i][k];
    norm = a[k][k] > 0 ? -(DATA)sqrt((double)norm) : (DATA)sqrt((double)norm);
    for (int i = k; i < m; i++)
      a[i][k] /= -norm;
    a[k][k] += 1;
    for (int j = k + 1; j < n; j++) {
      DATA sum = 0;
      for (int i = k; i < m; i++)
        sum += a[i][k] * a[i][j];
      sum = -sum / a[k][k];
      for (int i = k; i < m; i++)
        a[i][j] += sum * a[i][k];
    }
    diagonal[k] = norm;
  }
}

static void initialise(void) {
  A = filled(1, size + 7, EXTENT(size));
  R = filled(2, 1, size);
  for (int i = 0; i < size; i++)
    A[(size_t)i * size + i] += 1;
}
static void compute(void) { decompose(size + 7, size, EXTENT(size), (void *)A, R); }
static void report(void) {
  output(A, (size_t)(size + 7) * size);
  output(R, (size_t)size);
}
