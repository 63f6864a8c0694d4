// Loops in which a statement meets itself: it reads elements that another iteration of the same loop writes, at one place. The argument
// is a size.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define M 200
#define LOOP __attribute__((noinline)) static void
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

LOOP shortest(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
LOOP shortest_if(int n, float d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float through = d[i][k] + d[k][j];
        if (through < d[i][j])
          d[i][j] = through;
      }
}
LOOP shortest_fmin(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = fmin(d[i][j], d[i][k] + d[k][j]);
}
LOOP shortest_of_ints(int n, int d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
}
LOOP shortest_by_pointer(int n, int *d) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i * n + j] = MIN(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
LOOP shortest_by_columns(int n, float d[][M]) {
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
}
LOOP bottleneck(int n, float d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MAX(d[i][j], MIN(d[i][k] - 1, d[k][j]));
}
LOOP closure(int n, uint8_t d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] |= d[i][k] & d[k][j];
}
LOOP closure_if(int n, int d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (d[i][k] && d[k][j] != i)
          d[i][j] = d[i][k] & 7;
}
LOOP not_idempotent(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][j] * 0.5 - d[i][k] * 0.25 + d[k][j] * 0.125;
}
LOOP gauss_jordan(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      if (i != k)
        for (int j = 0; j < n; j++)
          d[i][j] -= d[i][k] * d[k][j] / 256;
}
LOOP elimination(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      for (int j = k; j < n; j++)
        d[i][j] -= d[i][k] / (3 + d[k][k] * d[k][k]) * d[k][j];
}
LOOP downwards(int n, double d[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = n - 1; j >= 0; j--)
        d[i][j] = d[i][j] * 0.5 - d[i][k] * 0.25;
}
LOOP fixed_column(int n, int c, float d[][M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i][j] = d[i][j] * 0.5f - d[i][c];
}
LOOP shifted_column(int n, int16_t d[][M]) {
  for (int k = 1; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][j] * 3 + d[i][k - 1];
}
LOOP middle(int n, double *a) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      a[i] = a[i] * 0.5 - a[n / 2];
}
LOOP first(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] -= a[0];
}
LOOP last_and_first(int n, double d[][M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i][j] = d[i][j] * 0.25 - d[i][0] * 0.5 + d[i][n - 1];
}
LOOP mirrored(int n, float d[][M]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      d[i][j] = d[i][j] - 0.5f * d[i][n - 1 - j];
}
LOOP two_statements(int n, double d[][M], double e[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        d[i][j] = d[i][j] * 0.5 - d[i][k] * 0.25;
        e[i][j] = e[i][j] * 0.5 + d[i][j] - e[i][k] * 0.125;
      }
}
LOOP with_predecessors(int n, int d[][M], int next[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        int through = d[i][k] + d[k][j];
        if (through < d[i][j]) {
          d[i][j] = through;
          next[i][j] = next[i][k];
        }
      }
}
LOOP with_a_product(int n, float d[][M], float e[][M]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        e[i][j] += d[i][k] * d[k][j];
}
LOOP rows_that_never_meet(int n, double d[][M]) {
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i; k++)
      for (int j = k + 1; j < n; j++)
        d[i][j] -= d[i][k] * d[k][j] / 256;
}

static union {
  double d[M][M];
  float f[M][M];
  int i[M][M];
  int16_t s[M][M];
  uint8_t b[M][M];
  double row[M * M];
  int flat[M * M];
  uint64_t words[M * M];
} a, b;

static uint64_t hash = 14695981039346656037u;

static void report(const char *name) {
  for (size_t i = 0; i < sizeof a / sizeof a.words[0]; i++)
    hash = (hash ^ a.words[i] ^ b.words[i] << 1) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

#define FILL(member)                                                                                                   \
  for (int i = 0; i < M; i++)                                                                                          \
    for (int j = 0; j < M; j++) {                                                                                      \
      a.member[i][j] = (i * 7 + j * 13) % 97;                                                                          \
      b.member[i][j] = (i * 5 + j * 11) % 89;                                                                          \
    }

#define RUN(member, name, ...)                                                                                         \
  do {                                                                                                                 \
    FILL(member) name(n, __VA_ARGS__);                                                                                 \
    report(#name);                                                                                                     \
  } while (0)

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  RUN(d, shortest, a.d);
  RUN(f, shortest_if, a.f);
  RUN(d, shortest_fmin, a.d);
  RUN(i, shortest_of_ints, a.i);
  RUN(i, shortest_by_pointer, a.flat);
  RUN(f, shortest_by_columns, a.f);
  RUN(f, bottleneck, a.f);
  RUN(b, closure, a.b);
  RUN(i, closure_if, a.i);
  RUN(d, not_idempotent, a.d);
  RUN(d, gauss_jordan, a.d);
  RUN(d, elimination, a.d);
  RUN(d, downwards, a.d);
  for (int c = 0; c < M; c += 7)
    RUN(f, fixed_column, c, a.f);
  RUN(s, shifted_column, a.s);
  RUN(d, middle, a.row);
  RUN(d, first, a.row);
  RUN(d, last_and_first, a.d);
  RUN(f, mirrored, a.f);
  RUN(d, two_statements, a.d, b.d);
  RUN(i, with_predecessors, a.i, b.i);
  RUN(f, with_a_product, a.f, b.f);
  RUN(d, rows_that_never_meet, a.d);
}
