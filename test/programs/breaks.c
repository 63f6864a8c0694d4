// Loops that are left in the middle, under conditions on counters.
#include <limits.h>
#include <stdio.h>

#define N 50
#define LOOP __attribute__((noinline)) static void

static double a[N * N + 100], b[N * N + 100];

LOOP equal(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    if (i == m)
      break;
    b[i] += 2;
  }
}
LOOP in_inner(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      a[j * n + i] += 1;
      if (i + j > m)
        break;
      a[j * n + i] *= b[j];
    }
    b[i] += 1;
  }
}
__attribute__((noinline)) static double afterwards(int n, int m, double *restrict a) {
  double v = 0;
  for (int i = 0; i < n; i++) {
    double w = v + a[i];
    a[i] = v;
    if (i >= m) {
      v = w;
      break;
    }
    a[i + 1] = 1;
    v = w / 2;
  }
  return v;
}
__attribute__((noinline)) static long counter(long n, long m, double *restrict a) {
  long i;
  for (i = 0; i < n; i++) {
    a[i] += 3;
    if (2 * i > m)
      break;
    a[i] *= 2;
  }
  return i;
}
LOOP unbounded(long n, long m, double *restrict a) {
  for (long i = 0;; i++) {
    a[i] += 1;
    if (i == n)
      break;
    a[i] += 2;
    if (i == m)
      break;
    a[i] *= 3;
  }
}
LOOP three(unsigned n, unsigned m, unsigned k, double *a, double *b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < n && j != m; j++) {
      a[j * 50 + i] += b[i];
      if (j > k + i)
        break;
      b[j] += 1;
    }
}
LOOP outer_too(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (i > m)
      break;
    for (int j = 0; j < n; j++) {
      if (j == i)
        break;
      a[j * n + i] += b[j];
    }
    b[i] = i;
  }
  for (int i = 0; i < n; i++)
    b[i] += a[i];
}
LOOP narrow(unsigned char n, unsigned char m, double *restrict a) {
  for (unsigned char i = 0; i < n; i++) {
    if (i == m)
      break;
    a[i] += 5;
  }
}
LOOP at_the_end(int from, int m, double *restrict a) {
  for (int i = from; i < INT_MAX; i++) {
    a[INT_MAX - i] += 1;
    if (i == m)
      break;
  }
}
LOOP conjunction(int n, int m, int k, double *restrict a) {
  for (int i = 0; i < n && i + k < m && i != 17; i++)
    a[i] += 7;
}

static void reset(void) {
  for (int i = 0; i < N * N + 100; i++) {
    a[i] = i % 17;
    b[i] = i % 11;
  }
}

static void show(const char *name, int n, int m) {
  double sum = 0;
  for (int i = 0; i < N * N + 100; i++)
    sum += i % 29 * a[i] + i % 31 * b[i];
  printf("%s %d %d: %.17g\n", name, n, m, sum);
  reset();
}

#define SHOW(call) do { call; show(#call, n, m); } while (0)

int main(void) {
  reset();
  for (int n = 0; n <= N; n += 10)
    for (int m = -3; m <= n + 3; m += 4) {
      SHOW(equal(n, m, a, b));
      SHOW(in_inner(n, m, a, b));
      printf("%.17g\n", afterwards(n, m, a));
      SHOW((void)0);
      printf("%ld\n", counter(n, m, a));
      SHOW((void)0);
      if (m >= 0)
        SHOW(unbounded(n, m, a));
      SHOW(unbounded(n, -1, a));
      SHOW(three(n, m, 7, a, b));
      SHOW(three(n, m, -3, a, b));
      SHOW(three(n, m, 3, a, a + 5));
      SHOW(outer_too(n, m, a, b));
      SHOW(narrow(n, m, a));
      SHOW(at_the_end(INT_MAX - n, INT_MAX - m, a));
      SHOW(conjunction(n, m, 2, a));
      SHOW(conjunction(n, m, -2, a));
    }
  return 0;
}
