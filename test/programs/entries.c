// Loops whose bounds rely on the loop around them: rows of register tiles, short loops and rests of lanes change places with a loop that
// has no iterations for some values of the iterators around it, or for some sizes.
//
// The value of each iteration of the outer loop is in no array, so that it stays in a scalar slot.
//
// The arguments are the sizes.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 400 };

#define LOOP __attribute__((noinline)) static void

// No row has elements behind t = n.
LOOP triangle(long T, long n, double *restrict a, double *restrict b, double *restrict x, double *restrict s) {
  for (long t = 0; t < T; t++) {
    double v = x[t] / (b[t] + 2);
    x[t] = v * 0.5;
    for (long i = 0; i < n - t; i++)
      for (long j = 0; j < n - t; j++)
        s[i] = s[i] * 0.5 + a[i * SIZE + j] * v;
  }
}

LOOP rows(long T, long n, double *restrict a, double *restrict y, double *restrict x, double *restrict s) {
  for (long t = 0; t < T; t++) {
    x[t] = x[t] * 0.5 + s[t];
    for (long i = 0; i < n - t; i++)
      for (long j = 0; j < n - t; j++)
        y[t * SIZE + i] += a[i * SIZE + j] * s[j];
  }
}

// No column has elements behind t = m, whatever the number of rows.
LOOP columns(long T, long n, long m, double *restrict a, double *restrict x, double *restrict s) {
  for (long t = 0; t < T; t++) {
    double v = x[t] / (s[t] + 2);
    x[t] = v * 0.5;
    for (long j = 0; j < m - t; j++)
      for (long i = 0; i < n; i++)
        s[i] = s[i] * 0.5 + a[i * SIZE + j] * v;
  }
}

// Both have iterations, or none.
LOOP product(long n, long m, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n - m; i++)
    for (long j = 0; j < n - m; j++)
      for (long k = 0; k < m - n + 2 * i; k++)
        c[i * SIZE + j] += a[i * SIZE + k] * b[k * SIZE + j];
}

int main(int argc, char **argv) {
  long T = argc > 1 ? atol(argv[1]) : 60, n = argc > 2 ? atol(argv[2]) : 20;
  double *a = calloc(SIZE * SIZE, sizeof *a), *b = calloc(SIZE * SIZE, sizeof *b), *c = calloc(SIZE * SIZE, sizeof *c);
  double *x = calloc(SIZE, sizeof *x), *s = calloc(SIZE, sizeof *s);
  for (long i = 0; i < SIZE * SIZE; i++)
    a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  for (long i = 0; i < SIZE; i++)
    s[i] = i % 3, x[i] = i % 11;
  triangle(T, n, a, b, x, s);
  rows(T, n, a, c, x, s);
  columns(T, n, T / 3, a, x, s);
  columns(T, T / 3, n, a, x, s);
  product(T, n, a, b, c);
  double sum = 0;
  for (long i = 0; i < SIZE * SIZE; i++)
    sum += (i % 13 + 1) * c[i];
  for (long i = 0; i < SIZE; i++)
    printf("%.17g %.17g\n", s[i], x[i]);
  printf("%.17g\n", sum);
}
