// A negative argument of a square root sets errno in the thread that calls, whichever thread computes it.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void roots(int n, double (*restrict a)[1000], double (*restrict b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[j][i] = sqrt(a[i][j]);
}
int main(int c, char **v) {
  double (*a)[1000] = malloc(8000000), (*b)[1000] = malloc(8000000);
  for (int bad = -1; bad < 1000; bad += 111) {
    for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) a[i][j] = i * j + 1.0;
    if (bad >= 0) a[bad][999 - bad] = -2.0;
    errno = 0;
    roots(1000, a, b);
    double s = 0; for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) if (b[i][j] == b[i][j]) s += b[i][j];
    printf("%d %d %.17g\n", bad, errno, s);
  }
}
