// All-pairs shortest paths, and on each of them the node behind the first one.
#ifndef N
#define N 600
#endif
#include "further.h"

static DATA *D;
static int *P;

static NOINLINE void shortest(int n, int ld, DATA (*restrict d)[ld], int (*restrict next)[ld]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i][k] + d[k][j] < d[i][j]) {
          d[i][j] = d[i][k] + d[k][j];
          next[i][j] = next[i][k];
        }
}

static void initialise(void) {
  D = filled(1, size, size + 1);
  P = allocate(sizeof(int) * (size_t)size * (size + 1));
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      D[(size_t)i * (size + 1) + j] += (DATA)((i * 7 + j * 13) % 97);
      P[(size_t)i * (size + 1) + j] = j;
    }
}
static void compute(void) { shortest(size, size + 1, (void *)D, (void *)P); }
static void report(void) {
  output(D, (size_t)size * (size + 1));
  for (size_t i = 0; i < (size_t)size * (size + 1); i++)
    output_number(P[i]);
}
