// RNA secondary structure by dynamic programming over intervals.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static int sequence[EXTENT(N)];
static DATA score[EXTENT(N)][EXTENT(N)];

static inline DATA larger(DATA a, DATA b) { return a >= b ? a : b; }

static NOINLINE void fold(int n, const int *sequence) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      score[i][j] = larger(score[i][j], score[i][j - 1]);
      score[i][j] = larger(score[i][j], score[i + 1][j]);
      if (i < j - 1)
        score[i][j] = larger(score[i][j], score[i + 1][j - 1] + (sequence[i] + sequence[j] == 3 ? 1 : 0));
      else
        score[i][j] = larger(score[i][j], score[i + 1][j - 1]);
      for (int k = i + 1; k < j; k++)
        score[i][j] = larger(score[i][j], score[i][k] + score[k + 1][j]);
    }
}

static void initialise(void) {
  for (int i = 0; i < N; i++)
    sequence[i] = (i * i + 1) % 4;
}
static void compute(void) { fold(N, sequence); }
static void report(void) {
  output(&score[0][0], (size_t)N * N);
}
