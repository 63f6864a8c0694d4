// Comparisons of integers that are wider than any number of the model, also with constants near the end of their types.
//
// The argument is the number of iterations. The result is printed bit for bit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 64 };

static double below[SIZE][SIZE], above[SIZE][SIZE], others[SIZE][SIZE];

__attribute__((noinline)) static void add(long m, double (*restrict a)[SIZE], double (*restrict b)[SIZE],
                                          double (*restrict c)[SIZE]) {
  unsigned __int128 steps = 0;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < m; j++) {
      c[j][i] += 2;
      if (steps < (unsigned __int128)-5)
        a[j][i] += 1;
      if ((unsigned __int128)j + 7 > (unsigned __int128)-3)
        b[j][i] += 1;
    }
    steps += 3;
  }
}

int main(int argc, char **argv) {
  add(argc > 1 ? atol(argv[1]) : 20, below, above, others);
  unsigned long hash = 0;
  double (*all[])[SIZE] = {below, above, others};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < SIZE * SIZE; i++) {
      unsigned long bits;
      memcpy(&bits, &all[k][0][i], sizeof bits);
      hash = hash * 31 + bits;
    }
  printf("%lx\n", hash);
}
