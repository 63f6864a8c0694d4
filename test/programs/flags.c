// Conditions around loops that do not change in them, and are no comparisons of integers. The arguments are a nest, a number that conditions depend on,
// and a size. Memory ends, or begins, with what the program accesses; what conditions keep it from accessing cannot be read.
#include "guarded.h"
#include <string.h>

// As in the reference BLAS.
NEST product(int n, int m, double alpha, double beta, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[m]) {
  for (int j = 0; j < n; j++) {
    if (beta == 0)
      for (int i = 0; i < n; i++)
        c[j][i] = 0;
    else if (beta != 1)
      for (int i = 0; i < n; i++)
        c[j][i] *= beta;
    for (int l = 0; l < m; l++) {
      double t = alpha * b[j][l];
      for (int i = 0; i < n; i++)
        c[j][i] += t * a[l][i];
    }
  }
}

// The flag is loaded. What it governs is not there where it does not hold.
NEST columns(int n, double (*restrict c)[n], double (*restrict a)[n], const double *restrict w, const double *restrict flag) {
  for (int i = 0; i < n; i++) {
    c[i][i] += 1;
    if (*flag > 0.5)
      for (int j = 0; j < n; j++)
        c[j][i] += a[j][i] * w[j];
  }
}

// Two flags, one under the other, and a choice between loops.
NEST choice(long n, double f, double g, double *restrict c, const double *restrict a) {
  for (long i = 0; i < n; i++)
    if (f < g) {
      if (f * 2 < g)
        for (long j = 0; j < n; j++)
          c[j * n + i] += 2 * a[j * n + i];
    } else {
      for (long j = 0; j < n; j++)
        c[j * n + i] -= a[j * n + i];
    }
}

// Beside a condition that is affine, and one on data.
NEST mixed(int n, int mode, double (*restrict c)[n], double (*restrict a)[n], const double *restrict w) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if ((mode & 5) != 4 && k != i && w[k] > 0)
        for (int j = 0; j < n; j++)
          c[j][i] += a[j][k];
}

// Rows are solved for from the last unknown on, with a division or without. They are lanes, for which the condition is the same.
NEST solve(int n, int mode, double (*restrict c)[n], double (*restrict a)[n]) {
  for (int j = 0; j < n; j++)
    for (int i = n - 1; i >= 0; i--) {
      double t = 0.75 * c[j][i];
      for (int k = i + 1; k < n; k++)
        t -= a[i][k] * c[j][k];
      if (mode)
        t = t / a[i][i];
      c[j][i] = t;
    }
}

// A loop whose flag the region changes.
NEST changed(int n, double (*restrict c)[n], double (*restrict a)[n], double *restrict flag) {
  for (int i = 0; i < n; i++) {
    if (*flag > 0.5)
      for (int j = 0; j < n; j++)
        c[j][i] += a[j][i];
    *flag += a[0][i];
  }
}

static double *matrix(long n, int at_end) {
  double *m = bytes(sizeof(double) * n * n, at_end);
  for (long i = 0; i < n * n; i++)
    m[i] = (next(64) + 1) / 64.0;
  return m;
}

int main(int argc, char **argv) {
  const char *nest = argv[1];
  double f = atof(argv[2]);
  int n = atoi(argv[3]);
  for (int at_end = 0; at_end < 2; at_end++) {
    double *a = matrix(n, at_end), *b = matrix(n, at_end), *c = matrix(n, at_end), *flag = bytes(sizeof(double), at_end);
    *flag = f;
    if (!strcmp(nest, "product")) product(n, n, 0.75, f, (void *)c, (void *)a, (void *)b);
    if (!strcmp(nest, "columns")) columns(n, (void *)c, f > 0.5 ? (void *)a : bytes(0, 0), f > 0.5 ? b : bytes(0, 0), flag);
    if (!strcmp(nest, "choice")) choice(n, f, 0.75, c, a);
    if (!strcmp(nest, "mixed")) mixed(n, (int)(f * 4), (void *)c, (void *)a, b);
    if (!strcmp(nest, "solve")) solve(n, (int)(f * 4) - 2, (void *)c, (void *)a);
    if (!strcmp(nest, "changed")) changed(n, (void *)c, (void *)a, flag);
    show(nest, c, sizeof(double) * n * n);
    show("flag", flag, sizeof(double));
  }
}
