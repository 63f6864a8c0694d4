// Loops whose iterations read rows and columns that later ones overwrite, with some paths of negative length: strips with panels.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))

__attribute__((noinline)) static void shortest(int n, double d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
}

__attribute__((noinline)) static void shortest_floats(int n, int ld, float *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i * ld + k] + d[k * ld + j] < d[i * ld + j])
          d[i * ld + j] = d[i * ld + k] + d[k * ld + j];
}

__attribute__((noinline)) static void widest(int n, int32_t d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MAX(d[i][j], MIN(d[i][k], d[k][j]));
}

__attribute__((noinline)) static void reachable(int n, uint8_t *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i * n + j] |= d[i * n + k] & d[k * n + j];
}

// By columns.
__attribute__((noinline)) static void paths_by_columns(int n, int64_t *d) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        d[j * n + i] = MIN(d[j * n + i], d[k * n + i] + d[j * n + k]);
}

// All elements change in each iteration.
__attribute__((noinline)) static void products(int n, double d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] += 0.001 * d[i][k] * d[k][j];
}

// Rows only meet the loop.
__attribute__((noinline)) static void rows(int n, int m, double d[n][m], const double w[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        d[i][j] = 0.5 * d[i][j] + w[k][i] * d[k][j];
}

// The nodes in between are some of all.
__attribute__((noinline)) static void through_some(int n, int from, int to, float d[n][n]) {
  for (int k = from; k < to; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
}

static uint64_t state;
static int number(int below) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)below);
}

static uint64_t hash = 1469598103934665603u;
static void add(const void *data, size_t bytes) {
  const unsigned char *b = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ b[i]) * 1099511628211u;
}

#define FILL(p, count, value)                                                                                                                        \
  for (int at = 0; at < (count); at++)                                                                                                              \
  (p)[at] = (value)

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0, m = n / 2 + 3, ld = n + 5;
  int all = n * ld + n * m + 1;
  state = 17 + n;
  double *d = malloc(all * sizeof *d), *w = malloc(all * sizeof *w);
  float *f = malloc(all * sizeof *f);
  int32_t *i32 = malloc(all * sizeof *i32);
  int64_t *i64 = malloc(all * sizeof *i64);
  uint8_t *u8 = malloc(all);
  for (int least = 1; least >= -3; least -= 4) {
    FILL(d, all, number(1000) + least);
    FILL(f, all, (float)(number(1000) + least));
    FILL(i32, all, number(100000));
    FILL(i64, all, number(1000) + (least > 0));
    FILL(u8, all, (uint8_t)(number(5) == 0 ? number(256) : 0));
    shortest(n, (void *)d);
    add(d, n * n * sizeof *d);
    shortest_floats(n, ld, f);
    add(f, n * ld * sizeof *f);
    widest(n, (void *)i32);
    add(i32, n * n * sizeof *i32);
    reachable(n, u8);
    add(u8, n * n);
    paths_by_columns(n, i64);
    add(i64, n * n * sizeof *i64);
    FILL(d, all, 0.01 * number(100));
    FILL(w, all, 0.01 * number(100));
    products(n, (void *)d);
    add(d, n * n * sizeof *d);
    FILL(d, all, 0.01 * number(100));
    rows(n, m, (void *)d, (void *)w);
    add(d, n * m * sizeof *d);
    FILL(f, all, (float)(number(1000) + least));
    through_some(n, n / 5, n - n / 7, (void *)f);
    add(f, n * n * sizeof *f);
    printf("%d %016llx\n", n, (unsigned long long)hash);
  }
  free(d), free(w), free(f), free(i32), free(i64), free(u8);
}
