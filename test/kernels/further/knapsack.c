// The best value of a knapsack for each capacity: a row for each thing that may be in it.
#ifndef N
#define N 1500
#endif
#include "further.h"

static int *B, *W, *V;

static NOINLINE void fill_up(int n, int m, int ld, const int *restrict weight, const int *restrict value, int (*restrict best)[ld]) {
  for (int i = 1; i <= n; i++)
    for (int c = 0; c <= m; c++) {
      best[i][c] = best[i - 1][c];
      if (weight[i] <= c && best[i - 1][c - weight[i]] + value[i] > best[i][c])
        best[i][c] = best[i - 1][c - weight[i]] + value[i];
    }
}

static void initialise(void) {
  B = allocate(sizeof(int) * (size_t)(size + 1) * (size + 6));
  W = allocate(sizeof(int) * (size_t)(size + 1));
  V = allocate(sizeof(int) * (size_t)(size + 1));
  for (int i = 0; i <= size; i++) {
    W[i] = 1 + (int)(40 * datum(1, i, 0));
    V[i] = (int)(1000 * datum(2, i, 0));
  }
}
static void compute(void) { fill_up(size, size + 5, size + 6, W, V, (void *)B); }
static void report(void) {
  for (size_t i = 0; i < (size_t)(size + 1) * (size + 6); i++)
    output_number(B[i]);
}
