// Generations of the game of life, on bytes.
#ifndef N
#define N 800
#endif
#include "further.h"

static unsigned char *A, *B;

static NOINLINE void live(int generations, int n, int m, int ld, unsigned char (*a)[ld], unsigned char (*b)[ld]) {
  for (int t = 0; t < generations; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        int sum = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] +
                  a[i + 1][j + 1];
        b[i][j] = sum == 3 || (sum == 2 && a[i][j]);
      }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
}

static void initialise(void) {
  A = bytes(1, size, size + 2);
  B = bytes(2, size, size + 2);
  for (size_t i = 0; i < (size_t)size * (size + 2); i++)
    A[i] = A[i] % 5 < 2;
}
static void compute(void) { live(20, size, size + 2, size + 2, (void *)A, (void *)B); }
static void report(void) { output_bytes(A, (size_t)size * (size + 2)); }
