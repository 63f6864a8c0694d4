// Contractions whose tiles are full and not, of several types and layouts, fields of structures, and conditions on data: for kernels of a
// GPU.
#include <stdio.h>
#include <stdlib.h>

#define LOOP static __attribute__((noinline)) void

struct matrix {
  long rows, columns;
  double scale;
  double *data;
};

LOOP structures(struct matrix *c, const struct matrix *a, const struct matrix *b) {
  for (long i = 0; i < c->rows; i++)
    for (long j = 0; j < c->columns; j++)
      for (long k = 0; k < a->columns; k++)
        c->data[i * c->columns + j] += a->scale * a->data[i * a->columns + k] * b->data[k * b->columns + j];
}

LOOP transposed(long n, long m, long l, float (*restrict c)[m], float (*restrict a)[n], float (*restrict b)[l]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += a[k][i] * b[j][k];
}

// The borders of `a` and `b` are read as well.
LOOP distances(long n, long m, long l, int (*restrict c)[m + 1], int (*restrict a)[l + 2], int (*restrict b)[m + 3]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j + 1] ^= a[i + 1][k + 2] * b[k][j + 3] + a[i + 1][k + 2];
}

LOOP triangle(long n, long l, double (*restrict c)[n], double (*restrict a)[l], double (*restrict b)[l]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[j][k];
}

LOOP four_loops(long h, long n, long m, long l, double (*restrict c)[n][m], double (*restrict a)[n][l],
                double (*restrict b)[l][m]) {
  for (long x = 0; x < h; x++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        for (long k = 0; k < l; k++)
          c[x][i][j] += a[x][i][k] * b[x][k][j];
}

LOOP greatest(long n, long m, long l, short (*restrict c)[m], short (*restrict a)[l], short (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      c[i][j] = -30000;
      for (long k = 0; k < l; k++) {
        short s = a[i][k] + b[k][j];
        c[i][j] = s > c[i][j] ? s : c[i][j];
      }
    }
}

LOOP of_positive(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        if (a[i][k] > 0)
          c[i][j] += a[i][k] * b[k][j];
        else if (b[k][j] < 2)
          c[i][j] -= 1;
}

LOOP thresholds(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++) {
    if (b[i] > 3 && c[i] < 2) {
      a[i] = b[i];
    } else {
      a[i] = c[i] * 2;
      if (c[i] > 5)
        b[i] = 1;
    }
  }
}

// A thread has several points in a tile that is full.
LOOP smoothed(long n, long m, float (*restrict c)[m], float (*restrict a)[m]) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < m - 1; j++)
      c[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}

LOOP smoothed_in_space(long h, long n, long m, double (*restrict c)[n][m], double (*restrict a)[n][m]) {
  for (long x = 1; x < h - 1; x++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < m - 1; j++) {
        c[x][i][j] += a[x - 1][i][j] + a[x + 1][i][j] - 2 * a[x][i - 1][j] + a[x][i + 1][j] * a[x][i][j + 1];
        c[x][i][j] *= 0.5;
      }
}

enum { MOST = 150 * 150 * 3 };

#define ARRAY(T, name)                                                                                                         \
  T *name = malloc(MOST * sizeof(T));                                                                                          \
  for (long at = 0; at < MOST; at++)                                                                                              \
    name[at] = (T)((at * 7 + sizeof(#name) * 3) % 23) - 9

#define SUM(name)                                                                                                              \
  do {                                                                                                                         \
    double sum = 0;                                                                                                            \
    for (long at = 0; at < MOST; at++)                                                                                            \
      sum += name[at] * (double)(at % 31 + 1);                                                                                   \
    printf("%ld %ld %ld " #name " %.17g\n", n, m, l, sum);                                                                      \
  } while (0)

int main(void) {
  static const long sizes[][3] = {{130, 71, 37}, {130, 135, 20}, {64, 128, 16}, {5, 64, 70}, {64, 64, 1}, {65, 63, 0}, {1, 1, 1}};
  for (int number = 0; number < 7; number++) {
    long n = sizes[number][0], m = sizes[number][1], l = sizes[number][2];
    ARRAY(double, one);
    ARRAY(double, another);
    ARRAY(double, result);
    struct matrix c = {n, m, 1, result}, a = {n, l, 1.5, one}, b = {l, m, 1, another};
    structures(&c, &a, &b);
    SUM(result);
    triangle(n, l, (void *)result, (void *)one, (void *)another);
    SUM(result);
    four_loops(2, n, m, l, (void *)result, (void *)one, (void *)another);
    SUM(result);
    of_positive(n, m, l, (void *)result, (void *)one, (void *)another);
    SUM(result);
    thresholds(n * m, result, one, another);
    SUM(result);
    SUM(one);
    ARRAY(float, x);
    ARRAY(float, yy);
    ARRAY(float, zzz);
    transposed(n, m, l, (void *)x, (void *)yy, (void *)zzz);
    SUM(x);
    smoothed(n, m, (void *)x, (void *)yy);
    SUM(x);
    smoothed_in_space(5, n / 2, m / 2, (void *)result, (void *)one);
    SUM(result);
    ARRAY(int, p);
    ARRAY(int, qq);
    ARRAY(int, rrr);
    distances(n, m, l, (void *)p, (void *)qq, (void *)rrr);
    SUM(p);
    ARRAY(short, u);
    ARRAY(short, vv);
    ARRAY(short, www);
    greatest(n, m, l, (void *)u, (void *)vv, (void *)www);
    SUM(u);
  }
}
