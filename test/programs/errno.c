// Square roots that set errno: in each place where an argument is negative, and where none is. The first argument is the number of
// elements.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LOOP __attribute__((noinline)) static void

LOOP roots(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    y[i] = sqrt(x[i]);
}
LOOP distances(int n, const float (*p)[3], float *d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < 3; k++)
        s += (p[i][k] - p[j][k]) * (p[i][k] + 5);
      d[(long)i * n + j] = sqrtf(s);
    }
}
LOOP sums(int n, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += sqrt(x[(long)i * n + j]);
    y[i] = s;
  }
}
LOOP both(int n, const double *restrict x, const float *restrict f, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[(long)j * n + i] += sqrt(x[(long)j * n + i]) + sqrtf(f[i]);
}

// Arguments that a condition leaves out set nothing.
LOOP positive_only(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++)
      if (x[(long)j * n + i] > 0) {
        s += sqrt(x[(long)j * n + i]);
        t = t * 0.5 + s;
      }
    y[i] = s - t;
  }
}
LOOP off_the_diagonal(int n, const double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++)
      if (j != i) {
        s += sqrt(x[(long)j * n + i]);
        t = t * 0.5 + s;
      }
    y[i] = s - t;
  }
}

static void report(const char *what, int n, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += isnan(y[i]) ? 1000.0 : y[i] * (1 + i % 7);
  printf("%s %d %.17g\n", what, errno == EDOM, sum);
  errno = 0;
}

int main(int argc, char **argv) {
  int n = 61, all = n * n;
  double *x = malloc(all * sizeof *x), *y = malloc(all * sizeof *y);
  float *f = malloc(all * sizeof *f), *d = malloc(all * sizeof *d);
  const double special[] = {-1, -0.0, -INFINITY, NAN, -5e-324, INFINITY, 2};
  for (int place = -1; place < n; place += place < 0 || place > n - 3 ? 1 : 13)
    for (int k = 0; k < 7; k++) {
      for (int i = 0; i < all; i++) {
        x[i] = i % 11;
        f[i] = i % 5;
        y[i] = 0;
      }
      if (place >= 0)
        x[place] = x[(all + place) / 2] = special[k];
      errno = 0;
      roots(n, x, y);
      report("roots", n, y);
      roots(all, x, y);
      report("roots", all, y);
      sums(n, x, y);
      report("sums", n, y);
      both(n, x, f, y);
      report("both", all, y);
      positive_only(n, x, y);
      report("positive_only", n, y);
      off_the_diagonal(n, x, y);
      report("off_the_diagonal", n, y);
      for (int i = 0; i < n; i++)
        x[i * n + i] = special[k];
      off_the_diagonal(n, x, y);
      report("off_the_diagonal", n, y);
      f[place < 0 ? 0 : place] = (float)special[k];
      both(n, x, f, y);
      report("both", all, y);
      distances(20, (const void *)f, d);
      for (int i = 0; i < all; i++)
        y[i] = i < 400 ? d[i] : 0;
      report("distances", 400, y);
    }
  return 0;
}
