// Correlation matrix of the columns of a data set.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA (*D)[EXTENT(N)];
static DATA (*S)[EXTENT(N)];
static DATA mean[EXTENT(N)];
static DATA deviation[EXTENT(N)];

static NOINLINE void correlation(int n, DATA (*D)[EXTENT(N)], DATA (*S)[EXTENT(N)], DATA *mean, DATA *deviation) {
  for (int j = 0; j < n; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += D[i][j];
    mean[j] /= (DATA)n;
  }
  for (int j = 0; j < n; j++) {
    deviation[j] = 0;
    for (int i = 0; i < n; i++)
      deviation[j] += (D[i][j] - mean[j]) * (D[i][j] - mean[j]);
    deviation[j] = (DATA)sqrt((double)(deviation[j] / (DATA)n));
    deviation[j] = deviation[j] <= (DATA)0.1 ? 1 : deviation[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      D[i][j] = (D[i][j] - mean[j]) / ((DATA)sqrt((double)n) * deviation[j]);
  for (int i = 0; i < n - 1; i++) {
    S[i][i] = 1;
    for (int j = i + 1; j < n; j++) {
      S[i][j] = 0;
      for (int k = 0; k < n; k++)
        S[i][j] += D[k][i] * D[k][j];
      S[j][i] = S[i][j];
    }
  }
  if (n > 0)
    S[n - 1][n - 1] = 1;
}

static void initialise(void) {
  D = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  S = allocate(sizeof(DATA[EXTENT(N)][EXTENT(N)]));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      D[i][j] = datum(1, i, j);
      S[i][j] = 0;
    }
}
static void compute(void) { correlation(N, D, S, mean, deviation); }
static void report(void) {
  output(&S[0][0], (size_t)N * N);
}
