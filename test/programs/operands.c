// Products in which a factor is computed of one element alone, which rows of a register tile have in a buffer. The argument is a size; memory ends
// behind what the program accesses, or begins with it.
#include "guarded.h"

#ifndef DATA
#define DATA double
#endif

NEST scaled(long n, long m, long p, DATA s, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i * m + j] += s * a[i * p + k] * b[k * m + j];
}
// Several operations, by columns of a transposed matrix.
NEST transposed(long n, long m, long p, DATA s, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i * m + j] -= b[k * m + j] * ((s - a[k * n + i]) / s);
}
// Subscripts with offsets: tiles begin where subscripts do not.
NEST shifted(long n, long m, long p, DATA s, DATA a[restrict][p + 5], DATA b[restrict][m], DATA c[restrict][m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i][j] += a[i + 3][k + 5] * s * b[k][j];
}
// Least sums.
NEST least(long n, long m, long p, DATA s, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++) {
        DATA x = a[i * p + k] + s + b[k * m + j];
        c[i * m + j] = x < c[i * m + j] ? x : c[i * m + j];
      }
}
// Sums of different lengths.
NEST triangular(long n, long m, DATA s, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = i; k < n; k++)
        c[i * m + j] += s * a[i * n + k] * b[k * m + j];
}
// Rows that end at different columns.
NEST triangle(long n, long m, DATA s, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < m; k++)
        c[i * n + j] += s * a[i * m + k] * b[k * n + j];
}

static DATA *filled(size_t count, int at_end) {
  DATA *all = bytes(count * sizeof(DATA), at_end);
  for (size_t i = 0; i < count; i++)
    all[i] = ((int)next(64) - 32) / (DATA)7;
  return all;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0, sizes[][3] = {{n, n, n}, {n, n + 3, 2 * n + 1}, {n + 770, 17, 9}, {9, n + 530, 4}, {7, 5, n + 130}};
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 5; k++) {
      long n = sizes[k][0], m = sizes[k][1], p = sizes[k][2];
      DATA s = (DATA)4 / 3;
#define D(count) filled(count, end)
      DATA *c = D(n * m);
      scaled(n, m, p, s, D(n * p), D(p * m), c);
      show("scaled", c, n * m * sizeof(DATA));
      transposed(n, m, p, s, D(n * p), D(p * m), c);
      show("transposed", c, n * m * sizeof(DATA));
      shifted(n, m, p, s, (void *)D((n + 3) * (p + 5)), (void *)D(p * m), (void *)c);
      show("shifted", c, n * m * sizeof(DATA));
      least(n, m, p, s, D(n * p), D(p * m), c);
      show("least", c, n * m * sizeof(DATA));
      triangular(n, m, s, D(n * n), D(n * m), c);
      show("triangular", c, n * m * sizeof(DATA));
      DATA *square = D(n * n);
      triangle(n, m, s, D(n * m), D(m * n), square);
      show("triangle", square, n * n * sizeof(DATA));
    }
}
