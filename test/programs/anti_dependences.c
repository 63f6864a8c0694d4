// Loops of which each iteration reads what only later ones overwrite, for some offsets, and what earlier ones wrote for others. The argument is a size.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOP static __attribute__((noinline)) void

#define KERNELS(T)                                                                                                             \
  LOOP knapsack_##T(int n, int W, T *dp, const int *a, T *b, T *c) {                                                           \
    for (int i = 0; i < n; i++) {                                                                                              \
      int p = a[i];                                                                                                            \
      T v = b[i];                                                                                                              \
      for (int w = W; w >= p; w--) {                                                                                           \
        T t = dp[w - p] + v;                                                                                                   \
        if (t > dp[w])                                                                                                         \
          dp[w] = t;                                                                                                           \
      }                                                                                                                        \
    }                                                                                                                          \
  }                                                                                                                            \
  /* The bound may be in the table. */                                                                                         \
  LOOP bounds_##T(int n, int W, T *dp, const int *a, T *b, T *c) {                                                             \
    for (int i = 0; i < n; i++)                                                                                                \
      for (int w = W; w >= a[i]; w--)                                                                                          \
        dp[w] += dp[w - a[i]];                                                                                                 \
  }                                                                                                                            \
  LOOP reached_##T(int n, int W, T *restrict dp, const int *restrict a, T *restrict b, T *restrict c) {                        \
    for (int i = 0; i < n; i++)                                                                                                \
      for (int w = W; w >= a[i]; w--)                                                                                          \
        if (dp[w - a[i]])                                                                                                      \
          dp[w] = 1;                                                                                                           \
  }                                                                                                                            \
  LOOP upwards_##T(int p, int W, T *dp, const int *a, T *b, T *c) {                                                            \
    for (int w = 0; w < W; w++)                                                                                                \
      dp[w] = dp[w] - dp[w + p];                                                                                               \
  }                                                                                                                            \
  /* Each waits for an earlier one, if the offset is not negative. */                                                          \
  LOOP recurrence_##T(int p, int W, T *dp, const int *a, T *b, T *c) {                                                         \
    for (int w = 0; w < W; w++)                                                                                                \
      dp[w] = dp[w] - dp[w - p];                                                                                               \
  }                                                                                                                            \
  LOOP chosen_##T(int n, int W, T *dp, const int *a, T *b, T *c) {                                                             \
    for (int i = 0; i < n; i++) {                                                                                              \
      int p = a[i];                                                                                                            \
      for (int w = W; w >= p; w--)                                                                                             \
        if (dp[w - p] + b[i] > dp[w]) {                                                                                        \
          dp[w] = dp[w - p] + b[i];                                                                                            \
          c[w] = (T)(i + 1);                                                                                                   \
        }                                                                                                                      \
    }                                                                                                                          \
  }                                                                                                                            \
  /* What is read is overwritten in front of the read. */                                                                      \
  LOOP behind_##T(int p, int W, T *dp, const int *a, T *b, T *c) {                                                             \
    for (int w = W; w >= 0; w--) {                                                                                             \
      dp[w] = c[w];                                                                                                            \
      b[w] = dp[w - p];                                                                                                        \
    }                                                                                                                          \
  }                                                                                                                            \
  LOOP stored_twice_##T(int p, int W, T *dp, const int *a, T *b, T *c) {                                                       \
    for (int w = 0; w < W; w++) {                                                                                              \
      dp[w] = c[w];                                                                                                            \
      dp[w + 150] = dp[w + p];                                                                                                 \
    }                                                                                                                          \
  }                                                                                                                            \
  LOOP window_##T(int r, int W, T *dp, const int *a, T *b, T *c) {                                                             \
    for (int x = 0; x < W; x++) {                                                                                              \
      T s = 0;                                                                                                                 \
      for (int j = 0; j < r; j++)                                                                                              \
        s += b[j] * dp[x + j];                                                                                                 \
      dp[x] = s;                                                                                                               \
    }                                                                                                                          \
  }                                                                                                                            \
  /* Lanes would store an iteration before others read. */                                                                     \
  LOOP accumulated_##T(int r, int W, T *dp, const int *a, T *b, T *c) {                                                        \
    for (int x = 0; x < W; x++)                                                                                                \
      for (int j = 0; j < r; j++)                                                                                              \
        dp[x] += b[j] * dp[x + j];                                                                                             \
  }                                                                                                                            \
  LOOP read_again_##T(int r, int W, T *dp, const int *a, T *b, T *c) {                                                         \
    for (int x = 0; x < W; x++) {                                                                                              \
      T s = 0;                                                                                                                 \
      for (int j = 0; j < r; j++)                                                                                              \
        s += b[j] * dp[x + j];                                                                                                 \
      dp[x] = s;                                                                                                               \
      for (int j = 0; j < r; j++)                                                                                              \
        s -= b[j] * dp[x + j + 1];                                                                                             \
      c[x] = s;                                                                                                                \
    }                                                                                                                          \
  }

KERNELS(uint8_t)
KERNELS(int16_t)
KERNELS(int)
KERNELS(uint32_t)
KERNELS(uint64_t)
KERNELS(float)
KERNELS(double)

// Offsets around numbers of lanes. The last ones are negative.
static const int OFFSETS[] = {0, 1, 3, 7, 8, 9, 15, 16, 31, 64, 100, -1, -8};

enum { MOST = 512, FRONT = 128 };

static _Alignas(64) char tables[3 * MOST * 8];

#define RUN(T, kernel, of_offset)                                                                                              \
  for (int k = 0; k < (int)(sizeof OFFSETS / sizeof *OFFSETS); k++)                                                            \
    for (int shared = 0; shared < 3; shared++) {                                                                               \
      T *dp = (T *)tables, *b = (T *)(tables + MOST * 8), *c = (T *)(tables + 2 * MOST * 8);                                                     \
      for (int at = 0; at < MOST; at++) {                                                                                      \
        dp[at] = (T)(at * 7 % 5 % 3);                                                                                          \
        b[at] = (T)(at * 5 % 4);                                                                                               \
        c[at] = (T)(at * 3 % 7);                                                                                               \
      }                                                                                                                        \
      int a[] = {OFFSETS[k], OFFSETS[(k + 3) % 11], OFFSETS[k]};                                                               \
      /* Tables that overlap, where that is promised of none. */                                                               \
      T *other = shared == 1 ? dp + 3 : shared == 2 ? dp - 5 : c;                                                              \
      if (shared && !strcmp(#kernel, "reached"))                                                                               \
        continue;                                                                                                              \
      kernel##_##T(of_offset ? OFFSETS[k] : 3, size, dp + FRONT, a, b + FRONT, other + FRONT);                                 \
      uint64_t hash = 0;                                                                                                       \
      for (int at = 0; at < (int)sizeof tables; at++)                                                                          \
        hash = (hash ^ (unsigned char)tables[at]) * 1099511628211u;                                                         \
      printf(#kernel " " #T " %d %d %llx\n", OFFSETS[k], shared, (unsigned long long)hash);                                    \
    }

#define MAXIMA(T)                                                                                                              \
  RUN(T, knapsack, 0)                                                                                                          \
  RUN(T, reached, 0)                                                                                                           \
  RUN(T, chosen, 0)                                                                                                            \
  RUN(T, behind, 1)                                                                                                            \
  RUN(T, stored_twice, 1)

// Sums wrap around.
#define SUMS(T)                                                                                                                \
  RUN(T, bounds, 0)                                                                                                            \
  RUN(T, upwards, 1)                                                                                                           \
  RUN(T, recurrence, 1)                                                                                                        \
  RUN(T, window, 1)                                                                                                            \
  RUN(T, accumulated, 1)                                                                                                       \
  RUN(T, read_again, 1)

int main(int count, char **arguments) {
  int size = count > 1 ? atoi(arguments[1]) : 100;
  MAXIMA(uint8_t)
  MAXIMA(int16_t)
  MAXIMA(int)
  MAXIMA(uint64_t)
  MAXIMA(float)
  MAXIMA(double)
  SUMS(uint8_t)
  SUMS(uint32_t)
  SUMS(uint64_t)
  SUMS(float)
  SUMS(double)
}
