// Covariance matrix of the columns of a data set; variable-length arrays.
#ifndef N
#define N 900
#endif
#include "kernel.h"

static DATA (*D)[EXTENT(N)];
static DATA (*S)[EXTENT(N)];
static DATA mean[EXTENT(N)];

static NOINLINE void covariance(int n, int m, DATA D[n][m], DATA S[m][m], DATA mean[m]) {
  for (int j = 0; j < m; j++) {
    mean[j] = 0;
    for (int i = 0; i < n; i++)
      mean[j] += D[i][j];
    mean[j] /= (DATA)n;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      D[i][j] -= mean[j];
  for (int i = 0; i < m; i++)
    for (int j = i; j < m; j++) {
      S[i][j] = 0;
      for (int k = 0; k < n; k++)
        S[i][j] += D[k][i] * D[k][j];
      S[i][j] /= (DATA)n - 1;
      S[j][i] = S[i][j];
    }
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
static void compute(void) { covariance(N, N, D, S, mean); }
static void report(void) {
  output(&S[0][0], (size_t)N * N);
}
