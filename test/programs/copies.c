// Register tiles, and parallel loops sunk into others: sums in two dimensions, contractions, triangles. Some read what they write
// at other places, too, where copies of a statement must not be taken to be apart; others have vectors side by side. The argument is a size.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define M 44
#define LOOP __attribute__((noinline)) static void

LOOP transposed_product(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[j * n + k];
}
LOOP product(int n, float *restrict a, float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
LOOP scaled_product(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = 1.5 * sum + 0.5 * c[i * n + j];
    }
}
LOOP two_sums(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = c[i * n + j], t = 1;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      for (int k = 1; k < n; k++)
        t = t * 0.5 + b[k * n + j] - s;
      c[i * n + j] = s < t ? s + c[i * n + j] : t;
    }
}
LOOP symmetric_product(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < i; k++) {
        c[k * n + j] += 1.5 * b[i * n + j] * a[i * n + k];
        sum += b[k * n + j] * a[i * n + k];
      }
      c[i * n + j] = 0.5 * c[i * n + j] + b[i * n + j] * a[i * n + i] + 1.5 * sum;
    }
}
LOOP columns_below(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double sum = 0;
      for (int k = i; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum - c[i * n + j];
    }
}
LOOP batch(int n, float *restrict a, float *restrict b, float *restrict c) {
  for (int q = 0; q < 3; q++)
    for (int i = 0; i < n / 3; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++)
          sum += a[(q * (n / 3) + i) * n + k] * b[k * n + j];
        c[(q * (n / 3) + i) * n + j] *= sum;
      }
}
LOOP lower_triangle(int n, double *restrict a, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * a[j * n + k];
}
LOOP transform(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int u = 0; u < n; u++)
    for (int v = 0; v < n; v++) {
      double sum = 0;
      for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
          sum += a[x * n + y] * b[u * n + x] * b[v * n + y];
      c[u * n + v] = sum;
    }
}
LOOP convolution(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n - 5; i++)
    for (int j = 0; j < n - 5; j++)
      for (int x = 0; x < 5; x++)
        for (int y = 0; y < 5; y++)
          c[i * n + j] += a[(i + x) * n + j + y] * b[x * 5 + y];
}
LOOP rank_four(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          for (int p = 0; p < n; p++)
            c[((i * n + j) * n + k) * n + l] += a[(i * n + p) * n + k] * b[(j * n + l) * n + p];
}
LOOP rows_below(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i * n + j] = c[i * n + j] * b[k * n + j] + a[i * n + k] * c[(i + 1) * n + j];
}
LOOP down_columns(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n; j++)
      c[(i + 1) * n + j] = c[i * n + j] * b[j] + a[i * n + j];
}
LOOP every_other(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n / 2; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[2 * i * n + j] = c[2 * i * n + j] * b[j * n + k] + c[(2 * i + 1) * n + j] * a[i * n + k];
}
LOOP anti_diagonals(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - i; j++)
      for (int k = 0; k < n; k++)
        c[(i + j) * n + j] += a[i * n + k] * b[j * n + k];
}

static uint64_t seed = 1;
static unsigned next(void) { return (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40; }

enum { DOUBLES = 12 * 12 * 12 * 12 + M * M, FLOATS = M * M };

// Allocated, so that compilers do not know where they are.
static double *doubles[3];
static float *floats[3];

static void fill(void) {
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < DOUBLES; i++)
      doubles[k][i] = (int)(next() % 2001 - 1000) / 1024.0 + 0.1;
    for (int i = 0; i < FLOATS; i++)
      floats[k][i] = (int)(next() % 2001 - 1000) / 1024.0f + 0.1f;
  }
}

static uint64_t hash_of(uint64_t hash, const void *memory, size_t size) {
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ ((const unsigned char *)memory)[i]) * 1099511628211u;
  return hash;
}

static void show(const char *name) {
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < 3; k++)
    hash = hash_of(hash_of(hash, doubles[k], DOUBLES * sizeof(double)), floats[k], FLOATS * sizeof(float));
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  for (int k = 0; k < 3; k++) {
    doubles[k] = malloc(DOUBLES * sizeof(double));
    floats[k] = malloc(FLOATS * sizeof(float));
  }
#define RUN(f) fill(), f(n, doubles[0], doubles[1], doubles[2]), show(#f)
  RUN(transposed_product);
  fill(), product(n, floats[0], floats[1], floats[2]), show("product");
  RUN(scaled_product);
  RUN(two_sums);
  RUN(symmetric_product);
  RUN(columns_below);
  fill(), batch(n, floats[0], floats[1], floats[2]), show("batch");
  fill(), lower_triangle(n, doubles[0], doubles[2]), show("lower_triangle");
  RUN(transform);
  RUN(convolution);
  fill(), rank_four(n % 13, doubles[0], doubles[1], doubles[2]), show("rank_four");
  RUN(rows_below);
  RUN(down_columns);
  RUN(every_other);
  RUN(anti_diagonals);
}
