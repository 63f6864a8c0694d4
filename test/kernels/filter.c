// Recursive edge filter: forward and backward passes along rows, then along columns.
#ifndef N
#define N 1400
#endif
#include "kernel.h"

static DATA (*in)[EXTENT(N)];
static DATA (*out)[EXTENT(N)];
static DATA (*ya)[EXTENT(N)];
static DATA (*yb)[EXTENT(N)];

static NOINLINE void smooth(int n, DATA a, DATA b, DATA (*in)[EXTENT(N)], DATA (*out)[EXTENT(N)], DATA (*ya)[EXTENT(N)], DATA (*yb)[EXTENT(N)]) {
  for (int i = 0; i < n; i++) {
    DATA before = 0, previous = 0;
    for (int j = 0; j < n; j++) {
      ya[i][j] = a * in[i][j] + b * previous + (DATA)0.1 * before;
      before = previous;
      previous = ya[i][j];
    }
  }
  for (int i = 0; i < n; i++) {
    DATA previous = 0, input = 0;
    for (int j = n - 1; j >= 0; j--) {
      yb[i][j] = a * input + b * previous;
      input = in[i][j];
      previous = yb[i][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = ya[i][j] + yb[i][j];
  for (int j = 0; j < n; j++) {
    DATA previous = 0;
    for (int i = 0; i < n; i++) {
      ya[i][j] = a * out[i][j] + b * previous;
      previous = ya[i][j];
    }
  }
  for (int j = 0; j < n; j++) {
    DATA previous = 0;
    for (int i = n - 1; i >= 0; i--) {
      yb[i][j] = a * out[i][j] + b * previous;
      previous = yb[i][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = ya[i][j] + yb[i][j];
}

static void initialise(void) {
  in = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  out = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  ya = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  yb = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      in[i][j] = datum(1, i, j);
      out[i][j] = 0;
      ya[i][j] = 0;
      yb[i][j] = 0;
    }
}
static void compute(void) { smooth(N, (DATA)0.5, (DATA)0.25, in, out, ya, yb); }
static void report(void) {
  output(&out[0][0], (size_t)N * N);
}
