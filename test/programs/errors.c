// Loops that end in an error under conditions on their counters. The argument is how far the bounds are off: with 0 there
// is no error. Whatever happens, the memory is what it was to be when it happens.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 50

static double a[N][N], b[N][N];
static long off;

static void print(void) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = 0.9 * sum + a[i][j] + 2 * b[i][j];
  printf("%.17g\n", sum);
  fflush(stdout);
}

static void aborted(int signal) {
  print();
  _exit(3);
}

__attribute__((noinline)) static void fail(long i) {
  printf("error at %ld\n", i);
  abort();
}

__attribute__((noinline)) static void checked(long n, long rows, long columns, double (*restrict a)[N],
                                              double (*restrict b)[N]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      if (j >= rows)
        abort();
      if (i >= columns)
        fail(i);
      a[j][i] = b[j][i] + 1;
    }
  if (rows < n)
    fail(rows);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[j][i] += a[j][i];
}

__attribute__((noinline)) static double used_later(long n, long m, double (*restrict a)[N]) {
  double last = 0;
  long i;
  for (i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      if (i + j > m)
        fail(100 * i + j);
      a[j][i] += 0.5;
      last = a[j][i];
    }
  return last + i;
}

int main(int argc, char **argv) {
  off = argc > 1 ? atol(argv[1]) : 0;
  signal(SIGABRT, aborted);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = b[i][j] = (i + 3 * j) % 11;
  checked(N, N, N, a, b);
  print();
  printf("%g\n", used_later(N, 2 * N, a));
  print();
  switch (off) {
  case 1: checked(N, N - 10, N, a, b); break;
  case 2: checked(N, N, N - 10, a, b); break;
  case 3: checked(N - 1, N, N, a, b); break;
  case 4: printf("%g\n", used_later(N, N + 20, a)); break;
  }
  print();
  return 0;
}
