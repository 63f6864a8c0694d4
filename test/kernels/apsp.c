// All-pairs shortest paths by dynamic programming over intermediate nodes, on whole distances.
#ifndef N
#define N 700
#endif
#include "kernel.h"

static DATA path[EXTENT(N)][EXTENT(N)];

static NOINLINE void shortest(int n) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      path[i][j] = (DATA)(1 + (i * 7 + j * 13) % 97);
    }
}
static void compute(void) { shortest(N); }
static void report(void) {
  output(&path[0][0], (size_t)N * N);
}
