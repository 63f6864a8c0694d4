// Sobel filter on bytes.
#ifndef N
#define N 1500
#endif
#include "further.h"

static unsigned char *A, *B;

static NOINLINE void filter(int n, int m, int ld, const unsigned char (*restrict a)[ld], unsigned char (*restrict b)[ld]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int x = a[i - 1][j + 1] + 2 * a[i][j + 1] + a[i + 1][j + 1] - a[i - 1][j - 1] - 2 * a[i][j - 1] - a[i + 1][j - 1];
      int y = a[i + 1][j - 1] + 2 * a[i + 1][j] + a[i + 1][j + 1] - a[i - 1][j - 1] - 2 * a[i - 1][j] - a[i - 1][j + 1];
      int sum = abs(x) + abs(y);
      b[i][j] = (unsigned char)(sum > 255 ? 255 : sum);
    }
}

static void initialise(void) {
  A = bytes(1, size, size + 9);
  B = bytes(2, size, size + 9);
}
static void compute(void) {
  for (int t = 0; t < 5; t++)
    filter(size, size + 9, size + 9, (const void *)A, (void *)B);
}
static void report(void) { output_bytes(B, (size_t)size * (size + 9)); }
