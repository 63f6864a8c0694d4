// Conditions on data around loops. The arguments are a nest, in which instances its condition holds, and a size. Memory ends, or begins, with what the
// program accesses; what conditions keep it from accessing cannot be read.
#include "guarded.h"
#include <string.h>

NEST product(long n, double f, double *restrict c, const double *restrict a, const double *restrict b) {
  for (long j = 0; j < n; j++)
    for (long l = 0; l < n; l++)
      if (b[j * n + l] != 0) {
        double t = f * b[j * n + l];
        for (long i = 0; i < n; i++)
          c[j * n + i] += t * a[l * n + i];
      }
}

// The condition is on one of two arrays, tested one after the other.
NEST rank_two(int n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (int j = 0; j < n; j++)
    for (int l = 0; l < n; l++)
      if (a[l][j] != 0 || b[l][j] != 0)
        for (int i = 0; i <= j; i++)
          c[j][i] += a[l][i] * b[l][j] + b[l][i] * a[l][j];
}

// What is tested is written later, by the same loops.
NEST triangular(int n, double (*restrict b)[n], double (*restrict a)[n]) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      if (b[j][k] != 0) {
        double t = b[j][k];
        for (int i = 0; i < k; i++)
          b[j][i] += t * a[k][i];
        b[j][k] = t * a[k][k];
      }
}

// What is tested was written before: the condition cannot be looked at in front.
NEST solve(int n, double (*restrict b)[n], double (*restrict a)[n]) {
  for (int j = 0; j < n; j++)
    for (int k = n - 1; k >= 0; k--)
      if (b[j][k] != 0) {
        b[j][k] /= a[k][k] + 2;
        for (int i = 0; i < k; i++)
          b[j][i] -= b[j][k] * a[k][i];
      }
}

// With `continue`, on bytes.
NEST neighbours(int n, float (*restrict out)[n], float (*restrict x)[n], unsigned char (*restrict adjacent)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (!adjacent[i][j])
        continue;
      for (int k = 0; k < n; k++)
        out[i][k] += x[j][k];
    }
}

// One condition governs another, which cannot be evaluated where the first one never holds.
NEST governed(int n, double (*restrict c)[n], double (*restrict a)[n], const int *restrict rows, const int *restrict columns) {
  for (int i = 0; i < n; i++)
    if (rows[i])
      for (int k = 0; k < n; k++)
        if (columns[k] != 0)
          for (int j = 0; j < n; j++)
            c[i][j] += a[k][j] * columns[k];
}

// It governs what a bound is loaded from.
NEST bound(int n, double (*restrict c)[n], double (*restrict a)[n], const int *restrict rows, const int *restrict count) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (rows[k] > 0)
        for (int j = 0; j < *count; j++)
          c[i][j] += a[k][j];
}

// It governs an index array, that the inspector of indirect accesses looks at.
NEST indirect(long n, double *y, const double *x, const int *rows, const int *index) {
  for (long i = 0; i < n; i++)
    if (rows[i])
      for (long k = 0; k < n; k++)
        for (long j = 0; j < n; j++)
          y[j * n + i] += x[index[k] * n + j];
}

// A part of the condition is affine.
NEST off_diagonal(int n, double (*restrict d)[n], double (*restrict a)[n], const double *restrict w) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && w[j] > 0)
        for (int k = 0; k < n; k++)
          d[k][i] += w[j] * a[k][j];
}

// A sum goes on where the condition does not hold, and another statement is executed there.
NEST sums(int n, double *restrict s, double *restrict t, double (*restrict a)[n], const double *restrict w) {
  for (int i = 0; i < n; i++) {
    double sum = 1;
    for (int j = 0; j < n; j++) {
      if (w[j] != 0) {
        for (int k = 0; k < n; k++)
          sum += a[k][i] * w[j];
      } else {
        t[i] += j;
      }
    }
    s[i] = sum;
  }
}

// Both ways have loops.
NEST both(int n, double (*restrict c)[n], double (*restrict a)[n], const int *restrict rows) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      if (rows[k])
        for (int j = 0; j < n; j++)
          c[i][j] += a[k][j];
      else
        for (int j = 0; j < n; j++)
          c[i][j] -= a[k][j];
    }
}

__attribute__((noreturn)) static void stop(void) {
  printf("stopped\n");
  exit(0);
}

// The way that is left out ends the program: what would be tested behind is not there.
NEST stopped(int n, int m, double (*restrict c)[n], double (*restrict a)[n], const int *restrict w, double *restrict t) {
  for (int j = 0; j < n; j++) {
    if (w[j])
      for (int i = 0; i < n; i++)
        c[i][j] += a[i][j];
    else {
      t[j] = 1;
      if (j >= m)
        stop();
    }
    t[j] += 2;
  }
}

// It keeps a later test from dividing by zero.
NEST repaired(int n, double (*restrict c)[n], double (*restrict a)[n], int *restrict d) {
  for (int j = 0; j < n; j++)
    if (100 / d[j] > 3)
      for (int i = 0; i < n; i++)
        c[i][j] += a[i][j];
    else
      d[j + 1] = 5;
}

// It changes the number of tests.
NEST shortened(int n, const int *count, double (*restrict c)[n], double (*restrict a)[n], const int *restrict w, int *z) {
  for (int j = 0; j < *count; j++)
    if (w[j])
      for (int i = 0; i < n; i++)
        c[i][j] += a[i][j];
    else
      z[j] = 0;
}

// Between nests, the function may be left.
NEST returned(int n, int m, double (*restrict c)[n], double (*restrict a)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[j][i] = a[j][i] * 2;
  if (n < m) {
    c[0][0] = 1;
    if (m > 1000)
      return;
    c[0][0] = 2;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[j][i] += c[j][i] * a[j][i];
}

static double *matrix(long n, int at_end) {
  double *m = bytes(sizeof(double) * n * n, at_end);
  for (long i = 0; i < n * n; i++)
    m[i] = (next(64) + 1) / 64.0;
  return m;
}

int main(int argc, char **argv) {
  const char *nest = argv[1], *holds = argv[2];
  long n = atol(argv[3]), is_over = argc > 4;
  for (int at_end = 0; at_end < 2; at_end++) {
    double *a = matrix(n, at_end), *b = matrix(n, at_end), *c = is_over ? a + 1 : matrix(n, at_end);
    int *rows = bytes(sizeof(int) * n, at_end), *index = bytes(sizeof(int) * n, at_end), *count = bytes(sizeof(int), at_end);
    unsigned char *adjacent = bytes(n * n, at_end);
    memset(adjacent, 3, n * n);
    for (long i = 0; i < n; i++) {
      rows[i] = 1 + next(5);
      index[i] = next(n > 1 ? n - 1 : n);
    }
    *count = n;
    // The last instance fails, the first one, every other one, or all.
    for (long i = 0; i < n * n; i++) {
      int fails = !strcmp(holds, "none") || !strcmp(holds, "half") && next(2) || !strcmp(holds, "last") && i == n * n - 1 ||
                  !strcmp(holds, "first") && i == 0;
      if (fails)
        adjacent[i] = 0, b[i] = 0, a[i] = strcmp(nest, "rank_two") ? a[i] : 0;
      if (fails && i / n == n - 1)
        rows[i % n] = 0;
      if (fails && i == 0)
        rows[0] = 0;
    }
    if (!strcmp(holds, "last"))
      b[n - 1] = 0;
    // What nothing of the row is accessed for.
    int *inner = strcmp(holds, "none") ? index : bytes(0, 0), *inner_count = strcmp(holds, "none") ? count : bytes(0, 0);
    double *w = b;
    if (!strcmp(nest, "product")) product(n, 0.75, c, a, b);
    if (!strcmp(nest, "rank_two")) rank_two(n, (void *)c, (void *)a, (void *)b);
    if (!strcmp(nest, "triangular")) triangular(n, (void *)b, (void *)a);
    if (!strcmp(nest, "solve")) solve(n, (void *)b, (void *)a);
    if (!strcmp(nest, "neighbours")) neighbours(n, (void *)c, (void *)a, (void *)adjacent);
    if (!strcmp(nest, "governed")) governed(n, (void *)c, (void *)a, rows, strcmp(holds, "none") ? rows : bytes(0, 0));
    if (!strcmp(nest, "bound")) bound(n, (void *)c, (void *)a, rows, inner_count);
    if (!strcmp(nest, "indirect")) indirect(n - is_over, c, a, rows, inner);
    if (!strcmp(nest, "off_diagonal")) off_diagonal(n, (void *)c, (void *)a, w);
    if (!strcmp(nest, "sums")) sums(n, c, c + (n > 1 ? n : 0), (void *)a, w);
    if (!strcmp(nest, "both")) both(n, (void *)c, (void *)a, rows);
    // One element is there, for which the condition fails.
    int none = !strcmp(holds, "none"), *w_or_one = none ? bytes(sizeof(int), at_end) : rows;
    if (!strcmp(nest, "stopped")) stopped(n, 0, (void *)c, (void *)a, w_or_one, b);
    if (!strcmp(nest, "shortened")) shortened(n, count, (void *)c, (void *)a, w_or_one, none ? count : index);
    if (!strcmp(nest, "returned")) returned(n, none ? 0 : strcmp(holds, "half") ? 500 : 5000, (void *)c, (void *)a);
    if (!strcmp(nest, "repaired")) {
      int *d = bytes(sizeof(int) * (n + 1), at_end);
      for (long i = 0; i <= n; i++)
        d[i] = 1;
      if (none && n > 1)
        d[0] = 50, d[1] = 0;
      repaired(n, (void *)c, (void *)a, d);
      show("d", d, sizeof(int) * (n + 1));
    }
    show(nest, a, sizeof(double) * n * n);
    show("c", c, sizeof(double) * (n * n - is_over));
    show("b", b, sizeof(double) * n * n);
  }
}
