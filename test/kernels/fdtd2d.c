// Finite-difference time-domain method: three fields on a grid that depend on each other.
#ifndef N
#define N 900
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 60
#endif
static DATA (*ex)[EXTENT(N)];
static DATA (*ey)[EXTENT(N)];
static DATA (*hz)[EXTENT(N)];

static NOINLINE void simulate(int steps, int n, DATA (*ex)[EXTENT(N)], DATA (*ey)[EXTENT(N)], DATA (*hz)[EXTENT(N)]) {
  for (int t = 0; t < steps; t++) {
    for (int j = 0; j < n; j++)
      ey[0][j] = (DATA)t;
    for (int i = 1; i < n; i++)
      for (int j = 0; j < n; j++)
        ey[i][j] = ey[i][j] - (DATA)0.5 * (hz[i][j] - hz[i - 1][j]);
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n; j++)
        ex[i][j] = ex[i][j] - (DATA)0.5 * (hz[i][j] - hz[i][j - 1]);
    for (int i = 0; i < n - 1; i++)
      for (int j = 0; j < n - 1; j++)
        hz[i][j] = hz[i][j] - (DATA)0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
  }
}

static void initialise(void) {
  ex = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  ey = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  hz = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      ex[i][j] = datum(1, i, j);
      ey[i][j] = datum(2, i, j);
      hz[i][j] = datum(3, i, j);
    }
}
static void compute(void) { simulate(STEPS, N, ex, ey, hz); }
static void report(void) {
  output(&ex[0][0], (size_t)N * N);
  output(&ey[0][0], (size_t)N * N);
  output(&hz[0][0], (size_t)N * N);
}
