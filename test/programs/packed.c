// Products of which tiles are read in buffers. Memory ends behind what the program accesses of the packed array.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef DATA
#define DATA double
#endif
#define LOOP __attribute__((noinline)) static void
enum { N = 101, M = 133, K = 87 };

LOOP transposed(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++)
        c[i][j] += a[i][k] * b[j][k];
}
// Subscripts with offsets: tiles begin where subscripts do not.
LOOP shifted(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M - 3; j++)
      for (int k = 0; k < K - 5; k++)
        c[i][j] += a[i][k] * b[j + 3][k + 5];
}
// Rows of triangles.
LOOP triangles(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < K; k++)
        c[i][j] += a[i][k] * b[j][k];
}
LOOP distances(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      DATA sum = 0;
      for (int k = 0; k < K; k++) {
        DATA d = a[i][k] - b[j][k];
        sum += d * d;
      }
      c[i][j] = sum;
    }
}
// Sizes at run time: packed by force only.
LOOP sized(long n, long m, long p, const DATA *restrict a, const DATA *restrict b, DATA *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i * m + j] += a[i * p + k] * b[j * p + k];
}
// Consecutive rows are packed by force only, too.
LOOP rows(DATA a[restrict N][M], DATA b[restrict M][K], DATA c[restrict N][K]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < K; j++)
      for (int k = 0; k < M; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// A tile of four columns has one of them, so that there is no loop over columns inside of it.
LOOP holes(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++)
        if (j % 4 == 0)
          c[i][j] += a[i][k] * b[j][k];
}

// Two products in sequence, whose buffers are in the same place.
LOOP twice(DATA a[restrict N][K], DATA b[restrict M][K], DATA c[restrict N][M], DATA d[restrict K][M], DATA e[restrict N][K]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      for (int k = 0; k < K; k++)
        c[i][j] += a[i][k] * b[j][k];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < K; j++)
      for (int k = 0; k < M; k++)
        e[i][j] += c[i][k] * d[j][k];
}

// An array that ends where memory does.
static DATA *at_end(size_t count, int salt) {
  size_t page = sysconf(_SC_PAGESIZE), bytes = (count * sizeof(DATA) + page - 1) / page * page;
  char *memory = mmap(0, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory + bytes, page, PROT_NONE))
    exit(2);
  DATA *values = (DATA *)(memory + bytes) - count;
  for (size_t k = 0; k < count; k++)
    values[k] = (DATA)((k * 7919 + salt * 104729) % 4093) / 4096;
  return values;
}
static void print(const DATA *values, size_t count) {
  for (size_t k = 0; k < count; k++)
    printf("%a\n", (double)values[k]);
}

int main(int argc, char **argv) {
  long size = argc > 1 ? atol(argv[1]) : 50;
  DATA *a = at_end(N * M, 1), *b = at_end(M * K, 2), *c = at_end(N * M, 3);
  transposed((void *)(a + N * (M - K)), (void *)b, (void *)c);
  print(c, N * M);
  shifted((void *)(a + N * (M - K)), (void *)b, (void *)c);
  print(c, N * M);
  triangles((void *)(a + N * (M - K)), (void *)b, (void *)c);
  print(c, N * M);
  distances((void *)(a + N * (M - K)), (void *)b, (void *)c);
  print(c, N * M);
  rows((void *)a, (void *)b, (void *)(c + N * (M - K)));
  print(c, N * M);
  holes((void *)(a + N * (M - K)), (void *)b, (void *)c);
  print(c, N * M);
  DATA *d = at_end(K * M, 7), *e = at_end(N * K, 8);
  twice((void *)(a + N * (M - K)), (void *)b, (void *)c, (void *)d, (void *)e);
  print(e, N * K);
  long n = size, m = size + 3, p = 2 * size + 1;
  DATA *x = at_end(n * p, 4), *y = at_end(m * p, 5), *z = at_end(n * m, 6);
  sized(n, m, p, x, y, z);
  print(z, n * m);
}
