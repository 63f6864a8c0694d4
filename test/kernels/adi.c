// Alternating-direction implicit integration: sweeps along columns, then along rows.
#ifndef N
#define N 500
#endif
#include "kernel.h"

#ifndef STEPS
#define STEPS 20
#endif
static DATA u[EXTENT(N)][EXTENT(N)];
static DATA v[EXTENT(N)][EXTENT(N)];
static DATA p[EXTENT(N)][EXTENT(N)];
static DATA q[EXTENT(N)][EXTENT(N)];

static NOINLINE void integrate(int steps, int n, DATA a, DATA b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++) {
      v[0][i] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -a / (a * p[i][j - 1] + b);
        q[i][j] = (-a * u[j][i - 1] + (1 + 2 * a) * u[j][i] - a * u[j][i + 1] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      v[n - 1][i] = 1;
      for (int j = n - 2; j >= 1; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 1; i < n - 1; i++) {
      u[i][0] = 1;
      p[i][0] = 0;
      q[i][0] = 1;
      for (int j = 1; j < n - 1; j++) {
        p[i][j] = -a / (a * p[i][j - 1] + b);
        q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - a * v[i + 1][j] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      u[i][n - 1] = 1;
      for (int j = n - 2; j >= 1; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      u[i][j] = datum(1, i, j);
    }
}
static void compute(void) { integrate(STEPS, N, (DATA)-0.25, (DATA)1.5); }
static void report(void) {
  output(&u[0][0], (size_t)N * N);
  output(&v[0][0], (size_t)N * N);
}
