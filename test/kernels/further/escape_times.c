// Steps until points leave a circle under the map z * z + c, each counted to the end.
#ifndef N
#define N 300
#endif
#include "further.h"

static int *K;

static NOINLINE void iterate(int n, int m, int steps, int *restrict count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      DATA x = 0, y = 0, u = (DATA)3 * j / m - 2, v = (DATA)2 * i / n - 1;
      int k = 0;
      for (int step = 0; step < steps; step++)
        if (x * x + y * y < 4) {
          DATA next = x * x - y * y + u;
          y = 2 * x * y + v;
          x = next;
          k++;
        }
      count[i * m + j] = k;
    }
}

static void initialise(void) { K = allocate(sizeof(int) * (size_t)size * (size + 3)); }
static void compute(void) { iterate(size, size + 3, 100, K); }
static void report(void) {
  for (size_t i = 0; i < (size_t)size * (size + 3); i++)
    output_number(K[i]);
}
