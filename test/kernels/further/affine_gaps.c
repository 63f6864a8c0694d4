// Local alignment where the first element of a gap costs more than the others: three matrices that wait for each other.
#ifndef N
#define N 700
#endif
#include "further.h"

static DATA *Scores, *Best, *Right, *Down;

static NOINLINE void align(int n, int m, const DATA scores[n][m], DATA best[n + 1][m + 1], DATA right[n + 1][m + 1],
                           DATA down[n + 1][m + 1]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      DATA longer = right[i][j - 1] - 1, opened = best[i][j - 1] - 3;
      right[i][j] = longer > opened ? longer : opened;
      longer = down[i - 1][j] - 1;
      opened = best[i - 1][j] - 3;
      down[i][j] = longer > opened ? longer : opened;
      DATA score = best[i - 1][j - 1] + scores[i - 1][j - 1];
      score = right[i][j] > score ? right[i][j] : score;
      score = down[i][j] > score ? down[i][j] : score;
      best[i][j] = score > 0 ? score : 0;
    }
}

static void initialise(void) {
  Scores = filled(1, size, size + 2);
  Best = filled(2, size + 1, size + 3);
  Right = filled(3, size + 1, size + 3);
  Down = filled(4, size + 1, size + 3);
}
static void compute(void) { align(size, size + 2, (void *)Scores, (void *)Best, (void *)Right, (void *)Down); }
static void report(void) { output(Best, (size_t)(size + 1) * (size_t)(size + 3)); }
