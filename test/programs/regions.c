// Loops in sequence, under conditions, and with code between them; what they compute is used afterwards.
#include <stdio.h>

#define N 60

__attribute__((noinline)) static double several(long n, long m, double *restrict a, double *restrict b,
                                                double (*restrict c)[N]) {
  double s = 1;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      c[j][i] = a[i] + b[j];
  a[3] = b[2];
  double half = a[0] / 2;
  if (m > 7) {
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        s += c[j][i];
  } else {
    b[7] = 5;
  }
  for (long i = 0; i < m; i++)
    b[i] += a[n - 1 - i] * half;
  return s + half;
}

__attribute__((noinline)) static long counters(long n, long m, double (*restrict c)[N]) {
  long i = 0, last = -1;
  for (; i < n; i++)
    for (long j = 0; j < n; j++)
      c[j][i] *= 2;
  if (n > m)
    for (; i < 2 * n - m; i++)
      last = i;
  else
    last = m;
  for (long k = m; k < n; k++)
    for (long j = 0; j < n; j++)
      c[j][k] += last;
  return 100 * i + last;
}

__attribute__((noinline)) static void in_loop(long n, double (*restrict a)[N], double (*restrict b)[N]) {
  for (long t = 0; t < 3; t++) {
    printf("step %ld\n", t);
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        a[j][i] += b[j][i] + t;
    if (t < n)
      b[t][t] = 9;
    for (long i = 0; i < n; i++)
      for (long j = t; j < n; j++)
        b[j][i] += a[j][i];
  }
}

static double a[N], b[N], c[N][N], d[N][N];

int main(void) {
  for (long n = 8; n <= N; n += 26)
    for (long m = 0; m <= n; m += 6) {
      for (int i = 0; i < N; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
        for (int j = 0; j < N; j++)
          c[i][j] = d[i][j] = (i + 3 * j) % 11;
      }
      printf("%ld %ld: %g\n", n, m, several(n, m, a, b, c));
      printf("%ld\n", counters(n, m, c));
      in_loop(n, c, d);
      double sum = 0;
      for (int i = 0; i < N; i++) {
        sum = 0.9 * sum + a[i] + 2 * b[i];
        for (int j = 0; j < N; j++)
          sum = 0.9 * sum + c[i][j] + 2 * d[i][j];
      }
      printf("%.17g\n", sum);
    }
  return 0;
}
