// The Laplacian of fourth order in three dimensions, and a step of the wave equation.
#ifndef N
#define N 110
#endif
#include "further.h"

static DATA *U, *V;

static NOINLINE void step(int n, int ld, const DATA (*restrict u)[ld][ld], DATA (*restrict v)[ld][ld], DATA c) {
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < n - 2; j++)
      for (int k = 2; k < n - 2; k++) {
        DATA near = u[i - 1][j][k] + u[i + 1][j][k] + u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] + u[i][j][k + 1];
        DATA far = u[i - 2][j][k] + u[i + 2][j][k] + u[i][j - 2][k] + u[i][j + 2][k] + u[i][j][k - 2] + u[i][j][k + 2];
        v[i][j][k] = 2 * u[i][j][k] - v[i][j][k] + c * (16 * near - far - 90 * u[i][j][k]);
      }
}

static void initialise(void) {
  U = filled(1, size * size, size);
  V = filled(2, size * size, size);
}
static void compute(void) {
  for (int t = 0; t < 4; t++) {
    step(size, EXTENT(size), (const void *)U, (void *)V, (DATA)0.001);
    step(size, EXTENT(size), (const void *)V, (void *)U, (DATA)0.001);
  }
}
static void report(void) { output(U, (size_t)size * size * size); }
