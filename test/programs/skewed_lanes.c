// Recurrences along both loops of a nest, whose wavefronts have rows as lanes that hand on values. The arguments are two sizes.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTION __attribute__((noinline)) static void

#define DISTANCE(T, name)                                                                                                      \
  FUNCTION name(long n, long m, long w, T (*restrict d)[w], const char *restrict a, const char *restrict b) {                  \
    for (long i = 1; i <= n; i++)                                                                                              \
      for (long j = 1; j <= m; j++) {                                                                                          \
        T s = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), u = d[i - 1][j] + 1, l = d[i][j - 1] + 1;                              \
        if (u < s)                                                                                                             \
          s = u;                                                                                                               \
        if (l < s)                                                                                                             \
          s = l;                                                                                                               \
        d[i][j] = s;                                                                                                           \
      }                                                                                                                        \
  }
DISTANCE(int8_t, distance_8)
DISTANCE(uint16_t, distance_16)
DISTANCE(int32_t, distance_32)
DISTANCE(int64_t, distance_64)

#define FILTER(T, name)                                                                                                        \
  FUNCTION name(long n, long m, long w, T (*restrict y)[w], const T (*restrict x)[w], T a, T b, T c) {                         \
    for (long i = 1; i <= n; i++)                                                                                              \
      for (long j = 1; j <= m; j++)                                                                                            \
        y[i][j] = x[i][j] + a * y[i - 1][j] + b * y[i][j - 1] - c * y[i - 1][j - 1];                                           \
  }
FILTER(float, filter_f)
FILTER(double, filter_d)
FILTER(int32_t, filter_i)
FILTER(int16_t, filter_s)

// The order of the terms decides which loads come first.
#define STENCILS(T, suffix)                                                                                                    \
  FUNCTION five_##suffix(long t, long n, long m, long w, T (*restrict u)[w], const T (*restrict f)[w]) {                       \
    for (long k = 0; k < t; k++)                                                                                               \
      for (long i = 1; i < n; i++)                                                                                             \
        for (long j = 1; j < m; j++)                                                                                           \
          u[i][j] = (u[i][j + 1] + u[i + 1][j] + u[i - 1][j] + u[i][j - 1] - f[i][j]) / 4;                                     \
  }                                                                                                                            \
  FUNCTION nine_##suffix(long n, long m, long w, T (*restrict u)[w]) {                                                         \
    for (long i = 1; i < n; i++)                                                                                               \
      for (long j = 1; j < m; j++)                                                                                             \
        u[i][j] = (u[i - 1][j - 1] + u[i - 1][j] + u[i - 1][j + 1] + u[i][j - 1] + u[i][j] + u[i][j + 1] + u[i + 1][j - 1] +   \
                   u[i + 1][j] + u[i + 1][j + 1]) / 9;                                                                         \
  }
STENCILS(float, f)
STENCILS(double, d)
STENCILS(int32_t, i)

// Neighbours further away, backward loops, two statements, two arrays, transposed.
FUNCTION far(long n, long m, long w, double (*restrict a)[w]) {
  for (long i = 2; i <= n; i++)
    for (long j = 3; j <= m; j++)
      a[i][j] = a[i - 2][j] * 0.5 + a[i][j - 3] * 0.25 + a[i - 1][j + 1] * 0.125 + a[i - 2][j - 2];
}
FUNCTION backward(long n, long m, long w, double (*restrict a)[w]) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = m - 1; j >= 0; j--)
      a[i][j] += a[i + 1][j] * 0.5 + a[i][j + 1] * 0.25;
}
FUNCTION mixed(long n, long m, long w, float (*restrict a)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = m - 1; j >= 0; j--)
      a[i][j] += a[i - 1][j] * 0.5f + a[i][j + 1] * 0.25f;
}
FUNCTION gaps(long n, long m, long w, float (*restrict h)[w], float (*restrict e)[w], const float *restrict s) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++) {
      float up = h[i - 1][j] - 3.0f, on = e[i - 1][j] - 1.0f;
      e[i][j] = up > on ? up : on;
      float diagonal = h[i - 1][j - 1] + s[i + j], left = h[i][j - 1] - 2.0f;
      float best = diagonal > e[i][j] ? diagonal : e[i][j];
      h[i][j] = best > left ? best : left;
    }
}
FUNCTION transposed(long n, long m, long w, double (*restrict a)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++)
      a[j][i] += a[j][i - 1] * 0.5 + a[j - 1][i] * 0.25;
}
FUNCTION triangle(long n, long w, double (*restrict a)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= i; j++)
      a[i][j] = a[i - 1][j - 1] + a[i][j - 1] * 0.5;
}
FUNCTION wide(long n, long m, long w, int32_t (*restrict a)[w], int64_t (*restrict b)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++) {
      a[i][j] = a[i - 1][j] ^ (int32_t)b[i][j - 1];
      b[i][j] = b[i - 1][j] + a[i][j - 1];
    }
}
// Distances that differ: elements meet again after any number of rows.
FUNCTION column(long n, long m, long w, double (*restrict a)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++)
      a[i][j] = a[i - 1][j] * 0.5 + a[i][j - 1] * 0.25 + a[i][0] * 0.125;
}
FUNCTION stretched(long n, long m, long w, double (*restrict a)[w]) {
  for (long i = 1; i <= n; i++)
    for (long j = 1; j <= m; j++)
      a[i][j] = a[i - 1][j] * 0.5 + a[i][j - 1] * 0.25 + a[i / 2][j] * 0.125;
}

static uint64_t hash;
static void put(const void *bytes, size_t n) {
  for (size_t k = 0; k < n; k++)
    hash = (hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211u;
}

#define SIZE(n, m) ((size_t)((n) + 4) * (size_t)((m) + 4))
#define ARRAY(T, name)                                                                                                         \
  T *name = malloc(SIZE(n, m) * sizeof(T) + 1024);                                                                             \
  for (size_t k = 0; k < SIZE(n, m) + 1024 / sizeof(T); k++)                                                                   \
    name[k] = (T)((k * 2654435761u >> 7) % 23);
#define RUN(T, name, call)                                                                                                     \
  {                                                                                                                            \
    ARRAY(T, x)                                                                                                                \
    ARRAY(T, y)                                                                                                                \
    call;                                                                                                                      \
    hash = 14695981039346656037u;                                                                                              \
    put(x, SIZE(n, m) * sizeof(T));                                                                                            \
    put(y, SIZE(n, m) * sizeof(T));                                                                                            \
    printf("%s %016llx\n", name, (unsigned long long)hash);                                                                    \
    free(x);                                                                                                                   \
    free(y);                                                                                                                   \
  }
#define AS(array) ((void *)(array))

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 37, m = argc > 2 ? atol(argv[2]) : 41;
  float *table = malloc((n + m + 1) * sizeof(float));
  for (long k = 0; k <= n + m; k++)
    table[k] = (float)(k * k % 11);
  char *a = malloc(n + 1), *b = malloc(m + 1);
  for (long i = 0; i <= n; i++)
    a[i] = i * i * 7 % 5;
  for (long j = 0; j <= m; j++)
    b[j] = j * j * 3 % 7 % 5;
  RUN(int8_t, "distance_8", distance_8(n, m, m + 1, AS(x), a, b))
  RUN(uint16_t, "distance_16", distance_16(n, m, m + 1, AS(x), a, b))
  RUN(int32_t, "distance_32", distance_32(n, m, m + 1, AS(x), a, b))
  RUN(int64_t, "distance_64", distance_64(n, m, m + 1, AS(x), a, b))
  RUN(float, "filter_f", filter_f(n, m, m + 1, AS(x), AS(y), 0.3f, 0.4f, 0.1f))
  RUN(double, "filter_d", filter_d(n, m, m + 1, AS(x), AS(y), 0.3, 0.4, 0.1))
  RUN(int32_t, "filter_i", filter_i(n, m, m + 1, AS(x), AS(y), 3, 5, 7))
  RUN(int16_t, "filter_s", filter_s(n, m, m + 1, AS(x), AS(y), 3, 5, 7))
  RUN(float, "five_f", five_f(3, n, m, m + 1, AS(x), AS(y)))
  RUN(double, "five_d", five_d(21, n, m, m + 1, AS(x), AS(y)))
  RUN(int32_t, "five_i", five_i(2, n, m, m + 1, AS(x), AS(y)))
  RUN(float, "nine_f", nine_f(n, m, m + 1, AS(x)))
  RUN(double, "nine_d", nine_d(n, m, m + 1, AS(x)))
  RUN(int32_t, "nine_i", nine_i(n, m, m + 1, AS(x)))
  RUN(double, "far", far(n, m, m + 4, AS(x)))
  RUN(double, "backward", backward(n, m, m + 2, AS(x)))
  RUN(float, "mixed", mixed(n, m, m + 2, AS(x)))
  RUN(float, "gaps", gaps(n, m, m + 1, AS(x), AS(y), table))
  RUN(double, "transposed", transposed(n, m, n + 2, AS(x)))
  RUN(double, "triangle", triangle(n < m ? n : m, m + 1, AS(x)))
  RUN(int64_t, "wide", wide(n, m, m + 1, AS(x), AS(y)))
  RUN(double, "column", column(n, m, m + 1, AS(x)))
  RUN(double, "stretched", stretched(n, m, m + 1, AS(x)))
  return 0;
}
