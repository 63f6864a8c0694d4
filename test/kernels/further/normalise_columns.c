// Columns, normalised by their mean and deviation.
#ifndef N
#define N 900
#endif
#include "further.h"

static DATA *A;

static NOINLINE void normalise(int n, int m, int ld, DATA (*a)[ld]) {
  for (int j = 0; j < m; j++) {
    DATA mean = 0, square = 0;
    for (int i = 0; i < n; i++)
      mean += a[i][j];
    mean /= (DATA)n;
    for (int i = 0; i < n; i++)
      square += (a[i][j] - mean) * (a[i][j] - mean);
    DATA deviation = (DATA)sqrt((double)(square / (DATA)n)) + (DATA)0.1;
    for (int i = 0; i < n; i++)
      a[i][j] = (a[i][j] - mean) / deviation;
  }
}

static void initialise(void) { A = filled(1, size, size + 8); }
static void compute(void) { normalise(size, size + 8, size + 8, (void *)A); }
static void report(void) { output(A, (size_t)size * (size + 8)); }
