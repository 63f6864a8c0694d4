// Products of matrices for matrix instructions of a GPU: of several layouts, in full tiles and others. All numbers are integers, which are
// the same however sums are rounded.
#include <stdio.h>
#include <stdlib.h>

#define LOOP static __attribute__((noinline)) void

LOOP product(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// The first factor is computed of what is in shared memory, and of an argument.
LOOP scaled(long n, long m, long l, double x, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      c[i][j] *= 3;
      for (long k = 0; k < l; k++)
        c[i][j] += x * a[i][k] * b[k][j];
    }
}

LOOP first_transposed(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[n],
                      double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += b[k][j] * a[k][i];
}

LOOP second_transposed(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l],
                       double (*restrict b)[l]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] -= a[i][k] * b[j][k];
}

LOOP in_columns(long n, long m, long l, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[l]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[j][i] += a[k][i] * b[j][k];
}

LOOP shifted(long n, long m, long l, double (*restrict c)[m + 1], double (*restrict a)[l + 2],
             double (*restrict b)[m + 3]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j + 1] += a[i + 1][k + 2] * b[k][j + 3];
}

LOOP batched(long h, long n, long m, long l, double (*restrict c)[n][m], double (*restrict a)[n][l],
             double (*restrict b)[l][m]) {
  for (long x = 0; x < h; x++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        for (long k = 0; k < l; k++)
          c[x][i][j] += a[x][i][k] * b[x][k][j];
}

// Two loops over products.
LOOP of_two_loops(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[3][l],
                  double (*restrict b)[l][m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long x = 0; x < 3; x++)
        for (long k = 0; k < l; k++)
          c[i][j] += a[i][x][k] * b[x][k][j];
}

LOOP in_a_scalar(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      double sum = 0;
      for (long k = 0; k < l; k++)
        sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
}

// A factor is a scalar that is written to an element as well.
LOOP of_sums(long n, long m, double (*restrict c)[m], double (*restrict d)[n], double (*restrict a)[n],
             double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++) {
      double sum = 0;
      for (long l = 0; l < 3; l++)
        sum += a[i][l] * a[l][k];
      d[i][k] = sum;
      for (long j = 0; j < m; j++)
        c[i][j] += sum * b[k][j];
    }
}

// A factor depends on the column, and so is no operand of a row.
LOOP weighted(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += a[i][k] * (double)(j & 7) * b[k][j];
}

// The sum is not what is written.
LOOP halved(long n, long m, long l, double (*restrict c)[m], double (*restrict a)[l], double (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] = (c[i][j] + a[i][k] * b[k][j]) * (k == 0 ? 2.0 : 1.0);
}

// Sizes that are constants, with which tiles are smaller.
LOOP of_constant_sizes(double (*restrict c)[72], double (*restrict a)[20], double (*restrict b)[72]) {
  for (long i = 0; i < 130; i++)
    for (long j = 0; j < 72; j++)
      for (long k = 0; k < 20; k++)
        c[i][j] += a[i][k] * b[k][j];
}

enum { SIZE = 140 * 140 * 3 };

static double *numbers(unsigned seed) {
  double *all = malloc(SIZE * sizeof(double));
  for (int k = 0; k < SIZE; k++) {
    seed = seed * 1103515245 + 12345;
    all[k] = (int)(seed >> 20 & 15) - 7;
  }
  return all;
}

static void dump(const char *name, const double *c) {
  unsigned long long hash = 0;
  for (int k = 0; k < SIZE; k++)
    hash = hash * 31 + (unsigned long long)(long long)c[k];
  printf("%s %llx\n", name, hash);
}

#define RUN(call)                                                                                                      \
  do {                                                                                                                 \
    double *c = numbers(1);                                                                                            \
    call;                                                                                                              \
    dump(#call, c);                                                                                                    \
    free(c);                                                                                                           \
  } while (0)

int main(int argc, char **argv) {
  static const long sizes[][3] = {{128, 64, 16}, {129, 131, 33}, {140, 128, 47}, {70, 70, 64}, {128, 128, 3}};
  double *a = numbers(2), *b = numbers(3), *d = numbers(4);
  for (int k = 0; k < 5; k++) {
    long n = sizes[k][0], m = sizes[k][1], l = sizes[k][2];
    RUN(product(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(scaled(n, m, l, 2.0, (void *)c, (void *)a, (void *)b));
    RUN(first_transposed(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(second_transposed(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(in_columns(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(shifted(n, m - 1, l, (void *)c, (void *)a, (void *)b));
    RUN(of_two_loops(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(in_a_scalar(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(of_sums(l, m, (void *)c, (void *)d, (void *)a, (void *)b));
    RUN(weighted(n, m, l, (void *)c, (void *)a, (void *)b));
    RUN(halved(n, m, l, (void *)c, (void *)a, (void *)b));
  }
  RUN(batched(3, 128, 70, 35, (void *)c, (void *)a, (void *)b));
  RUN(of_constant_sizes((void *)c, (void *)a, (void *)b));
  free(a);
  free(b);
  free(d);
}
