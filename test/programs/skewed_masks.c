// Recurrences along both loops of a nest, with conditions on data within an iteration. The arguments are two sizes.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FUNCTION __attribute__((noinline)) static void

#define SUBSEQUENCE(T, name)                                                                                                   \
  FUNCTION name(int n, int m, int w, T (*restrict l)[w], const char *restrict a, const char *restrict b) {                     \
    for (int i = 1; i <= n; i++)                                                                                               \
      for (int j = 1; j <= m; j++) {                                                                                           \
        if (a[i - 1] == b[j - 1])                                                                                              \
          l[i][j] = l[i - 1][j - 1] + 1;                                                                                       \
        else                                                                                                                   \
          l[i][j] = l[i - 1][j] > l[i][j - 1] ? l[i - 1][j] : l[i][j - 1];                                                     \
      }                                                                                                                        \
  }
SUBSEQUENCE(int, subsequence_32)
SUBSEQUENCE(long, subsequence_64)
SUBSEQUENCE(int16_t, subsequence_16)

// An arm reads nothing of the row before.
FUNCTION diagonal(long n, long m, long w, int (*restrict l)[w], const char *restrict a, const char *restrict b) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++) {
      if (a[i - 1] == b[j - 1])
        l[i][j] = a[i - 1] + 2 * b[j - 1];
      else
        l[i][j] = l[i - 1][j] * 3 + (l[i][j - 1] ^ l[i - 1][j - 1]);
    }
}
// Three ways, and values from further away.
FUNCTION three_ways(long n, long m, long w, double (*restrict u)[w], const double (*restrict f)[w]) {
  for (long i = 2; i <= n; i++)
    for (long j = 2; j <= m; j++) {
      if (f[i][j] > 0.5)
        u[i][j] = u[i - 1][j] * 0.5 + u[i][j - 1] * 0.25;
      else if (f[i][j] > 0.25)
        u[i][j] = u[i - 2][j - 2] + f[i][j];
      else
        u[i][j] = u[i][j - 2] - u[i - 2][j] * 0.125;
    }
}
// A read in any case, and others under a condition.
FUNCTION partly(long n, long m, long w, float (*restrict u)[w], const float (*restrict f)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++) {
      float v = u[i - 1][j] * 0.5f;
      if (f[i][j] > 0.5f)
        v += u[i][j - 1] * u[i - 1][j - 1];
      u[i][j] = v + f[i][j];
    }
}
// Elements that keep their value in some instances.
FUNCTION kept(long n, long m, long w, double (*restrict u)[w], const double (*restrict f)[w]) {
  for (long i = 1; i < n; i++)
    for (long j = 1; j < m; j++)
      if (f[i][j] > 0.3)
        u[i][j] = (u[i - 1][j] + u[i][j - 1] + u[i + 1][j] + u[i][j + 1]) * 0.25;
}
FUNCTION kept_and_read(long n, long m, long w, int (*restrict u)[w], const int (*restrict f)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++)
      if (u[i - 1][j] + u[i][j - 1] < u[i][j] + f[i][j])
        u[i][j] = u[i - 1][j] + u[i][j - 1];
}
// Backward, and lanes along columns.
FUNCTION backward(long n, long m, long w, int (*restrict l)[w], const char *restrict a, const char *restrict b) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = m - 1; j >= 0; j--) {
      if (a[i] == b[j])
        l[i][j] = l[i + 1][j + 1] + 1;
      else
        l[i][j] = l[i + 1][j] > l[i][j + 1] ? l[i + 1][j] : l[i][j + 1];
    }
}
FUNCTION columns(long n, long m, long w, int (*restrict l)[w], const char *restrict a, const char *restrict b) {
  for (long j = 1; j <= m; j++)
    for (long i = 1; i <= n; i++) {
      switch (a[i - 1] - b[j - 1]) {
      case 0:
        l[i][j] = l[i - 1][j - 1] + 7;
        break;
      case 1:
        l[i][j] = l[i][j - 1] - 1;
        break;
      default:
        l[i][j] = l[i - 1][j] ^ l[i][j - 1];
      }
    }
}

static void show(const char *name, const void *data, size_t bytes) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

#define RUN(T, name, call)                                                                                                     \
  {                                                                                                                            \
    size_t count = (size_t)(n + 5) * (m + 5);                                                                                  \
    T *x = malloc(count * sizeof(T)), *y = malloc(count * sizeof(T));                                                          \
    for (size_t k = 0; k < count; k++) {                                                                                       \
      x[k] = (T)(k * 2654435761u % 1021 / (T)4);                                                                               \
      y[k] = (T)(k * 40503u % 97 / (T)97);                                                                                     \
    }                                                                                                                          \
    call;                                                                                                                      \
    show(name, x, count * sizeof(T));                                                                                          \
    free(x), free(y);                                                                                                          \
  }
#define AS(p) ((void *)p)

// The first row is not there: no instance reads it, as all of the next row are equal.
static void without_first_row(long n) {
  enum { W = 1024 };
  size_t bytes = (size_t)(n + 1) * W * sizeof(int);
  char *rows = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(rows, W * sizeof(int), PROT_NONE);
  char *a = malloc(n + 1), b[W];
  for (long i = 0; i <= n; i++)
    a[i] = i == 0 ? 1 : i * i % 3;
  memset(b, 1, W);
  diagonal(n, W - 1, W, AS(rows), a, b);
  show("without_first_row", rows + (n > 0) * W * sizeof(int), bytes - W * sizeof(int));
  munmap(rows, bytes);
  free(a);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 37, m = argc > 2 ? atol(argv[2]) : 41;
  char *a = malloc(n + 1), *b = malloc(m + 1);
  for (long i = 0; i <= n; i++)
    a[i] = i * i * 7 % 5;
  for (long j = 0; j <= m; j++)
    b[j] = j * j * 3 % 7 % 5;
  RUN(int, "subsequence_32", subsequence_32(n, m, m + 1, AS(x), a, b))
  RUN(long, "subsequence_64", subsequence_64(n, m, m + 1, AS(x), a, b))
  RUN(int16_t, "subsequence_16", subsequence_16(n, m, m + 1, AS(x), a, b))
  RUN(int, "diagonal", diagonal(n, m, m + 1, AS(x), a, b))
  RUN(double, "three_ways", three_ways(n, m, m + 1, AS(x), AS(y)))
  RUN(float, "partly", partly(n, m, m + 1, AS(x), AS(y)))
  RUN(double, "kept", kept(n, m, m + 1, AS(x), AS(y)))
  RUN(int, "kept_and_read", kept_and_read(n, m, m + 1, AS(x), AS(y)))
  RUN(int, "backward", backward(n, m, m + 2, AS(x), a, b))
  RUN(int, "columns", columns(n, m, m + 1, AS(x), a, b))
  without_first_row(n);
}
