// Loops whose bounds, subscripts and checks are of sizes that are known at run time only. The argument is how far a size is off:
// with 0 there is no error. Whatever happens, the memory is what it was to be when it happens.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 50

static double a[N * N], b[N * N];

static void print(void) {
  double sum = 0;
  for (int i = 0; i < N * N; i++)
    sum = 0.9 * sum + a[i] + 2 * b[i];
  printf("%.17g\n", sum);
  fflush(stdout);
}

__attribute__((noinline)) static void fail(long index, long length) {
  printf("%ld is not below %ld\n", index, length);
  print();
  _exit(3);
}

static inline double *at(double *a, unsigned long length, unsigned long index) {
  if (index >= length)
    fail(index, length);
  return &a[index];
}

__attribute__((noinline)) static void checked(unsigned long n, unsigned long length, double *restrict a,
                                              double *restrict b) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++)
      *at(a, length, j * n + i) += *at(b, length, j * n + i);
}

__attribute__((noinline)) static void backwards(long n, long m, long length, double *restrict a, double *restrict b) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = 0; j < m; j++) {
      long index = j * n + i;
      if (index < 0 || index >= length)
        fail(index, length);
      a[index] += 0.5 * b[index];
    }
}

__attribute__((noinline)) static void divided(unsigned long n, unsigned long d, double (*restrict a)[N],
                                              double (*restrict b)[N]) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < N / d; j++)
      a[j][i] += b[j][i];
}

__attribute__((noinline)) static void rest(long n, long m, double (*restrict a)[N], double (*restrict b)[N]) {
  for (long t = 0; t < m; t++) {
    long i;
    for (i = 0; i < n - 3; i++)
      a[i][t] += b[i][t] * 2;
    for (; i < n; i++)
      a[i][t] -= b[i][t] * 3;
  }
}

__attribute__((noinline)) static void pointers(long n, long m, double (*restrict a)[N], const double *restrict from) {
  for (long t = 0; t < m; t++) {
    const double *p = from;
    for (long i = 0; i < n; i++)
      a[i][t] += *p++;
    for (long i = 0; i < n; i++)
      a[i][t] += 2 * *p++;
  }
}

struct view {
  char *base;
  long steps[2];
};

static inline double *of(const struct view *v, long i, long j) {
  return (double *)(v->base + i * v->steps[0] + j * v->steps[1]);
}

__attribute__((noinline)) static void shifted(long n, long m, struct view *a, struct view *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      *of(a, i + 1, j) = *of(a, i, j) + 0.25 * *of(b, i, j);
}

// Rows and elements that are apart, that are in the other order, that overlap, and that go backwards.
static void views(void) {
  const long steps[][2] = {{8, 400}, {16, 400}, {400, 8}, {8, 8}, {8, 24}, {24, 8}, {0, 8}, {8, 0}, {0, 0}, {-8, 400}, {8, -400},
                           {-400, -8}, {8, 168}, {8, 160}};
  const int count = sizeof steps / sizeof *steps;
  for (int x = 0; x < count; x++)
    for (int y = 0; y < count; y++)
      for (long n = 0; n <= 20; n += 4) {
        struct view v = {(char *)&a[N * N / 2], {steps[x][0], steps[x][1]}};
        struct view w = {(char *)&b[N * N / 2], {steps[y][0], steps[y][1]}};
        shifted(n, 19, &v, &w);
        w.base = (char *)&a[N * N / 2];
        shifted(n, 20, &v, &w);
        print();
        for (int i = 0; i < N * N; i++)
          a[i] = i % 17;
      }
}

int main(int argc, char **argv) {
  long off = argc > 1 ? atol(argv[1]) : 0;
  for (int i = 0; i < N * N; i++) {
    a[i] = i % 17;
    b[i] = i % 13 * 0.25;
  }
  for (long n = 0; n <= 7; n++) {
    divided(off ? n : 0, 0 + (off ? 2 + n : 0), (void *)a, (void *)b);
    rest(n, 5, (void *)a, (void *)b);
    pointers(n, 6, (void *)a, b);
  }
  divided(N, 3, (void *)a, (void *)b);
  rest(N, N - 1, (void *)a, (void *)b);
  pointers(N, N - 2, (void *)a, b);
  for (long n = 0; n <= N; n += 7) {
    checked(n, n * n, a, b);
    backwards(n, N - 1, n * (N - 1), a, b);
  }
  print();
  checked(40, 40 * 40 - off, a, b);
  print();
  backwards(30, 40, 30 * 40 + 5 - off, a, b);
  print();
  // Neither is of any array: nothing is accessed.
  checked(0, -off, a, b);
  backwards(-1, 1L << 62, 0, a, b);
  // Where the product wraps around, the check is of what is left.
  backwards(1, 2, off > 5 ? 1 : 2, a, b);
  print();
  views();
  return 0;
}
