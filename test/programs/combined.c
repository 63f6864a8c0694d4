// Several statements that combine values of the same elements, by one operation or by several. The argument is a size.
#include "guarded.h"
#include <stdint.h>

static int larger(int a, int b) { return a >= b ? a : b; }

// The greatest value that each interval may have, of four kinds.
NEST fold(int n, int (*restrict t)[n], const signed char *restrict s) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      if (i + 1 < n) {
        t[i][j] = larger(t[i][j], t[i + 1][j]);
        if (i < j - 1)
          t[i][j] = larger(t[i][j], t[i + 1][j - 1] + (s[i] + s[j] == 3));
        else
          t[i][j] = larger(t[i][j], t[i + 1][j - 1]);
      }
      for (int k = i + 1; k < j; k++)
        t[i][j] = larger(t[i][j], t[i][k] + t[k + 1][j]);
    }
}
// The last part is a sum: it has to come behind the maxima.
NEST fold_and_add(int n, int (*restrict t)[n], const signed char *restrict s) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      for (int k = i + 1; k < j; k++)
        t[i][j] = larger(t[i][j], t[i][k] + t[k + 1][j]);
      t[i][j] += s[j];
    }
}
// Signed and unsigned: two operations on the same bits.
NEST extremes(int n, int (*restrict t)[n], const int (*restrict a)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i][j] = larger(t[i][j], a[j][k]);
        unsigned u = t[i][j], v = a[k][i];
        t[i][j] = u < v ? u : v;
      }
}
// Sums in two statements, where those of another order may overflow on the way.
NEST sums(int n, int (*restrict t)[n], const int (*restrict a)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i][j] += a[j][k];
        if (j > 0)
          t[i][j - 1] -= a[k][i];
      }
}
NEST products(int n, unsigned (*restrict t)[n], const unsigned (*restrict a)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i][j] *= a[j][k];
        t[j][i] *= a[k][i] | 1;
      }
}
// Floating-point numbers are in order.
NEST rounded(int n, float (*restrict t)[n], const float (*restrict a)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i][j] += a[j][k];
        t[i][j] += a[k][i];
      }
}
// What is between two parts reads the element.
NEST watched(int n, int (*restrict t)[n], const int (*restrict a)[n], int (*restrict seen)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        t[i][j] = larger(t[i][j], a[j][k]);
        seen[i][j] ^= t[i][j] + k;
        t[i][j] = larger(t[i][j], a[k][i] - k);
      }
}
NEST bits(int n, uint8_t (*restrict t)[n], const uint8_t (*restrict a)[n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        t[i][j] |= a[j][k];
      for (int j = 0; j < n; j++)
        t[j][i] &= a[k][j];
    }
}

// Each of both loops over `j` goes on with the sum of the iteration before.
NEST apart(int n, int *restrict t, const int (*restrict a)[n], const int (*restrict b)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t[i] += a[i][j];
      if (j > 0)
        t[i] += b[j][i];
    }
}

static void *numbers(size_t count, size_t size, int at_end) {
  unsigned char *all = bytes(count * size, at_end);
  for (size_t i = 0; i < count * size; i++)
    all[i] = next(256);
  return all;
}
static void *small(size_t count, int at_end) {
  int *all = bytes(count * sizeof(int), at_end);
  for (size_t i = 0; i < count; i++)
    all[i] = next(100);
  return all;
}
static void *floats(size_t count, int at_end) {
  float *all = bytes(count * sizeof(float), at_end);
  for (size_t i = 0; i < count; i++)
    all[i] = next(1000) / 7.0f;
  return all;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  size_t all = (size_t)n * n;
  for (int at_end = 0; at_end < 2; at_end++) {
    signed char *s = bytes(n, at_end);
    for (int i = 0; i < n; i++)
      s[i] = next(4);
    int *t = small(all, at_end), *seen = small(all, at_end);
    const int *a = small(all, at_end);
    fold(n, (void *)t, s);
    show("fold", t, all * sizeof *t);
    t = small(all, at_end);
    fold_and_add(n, (void *)t, s);
    show("fold_and_add", t, all * sizeof *t);
    int *wide = numbers(all, sizeof *wide, at_end);
    extremes(n, (void *)wide, (void *)numbers(all, sizeof *wide, at_end));
    show("extremes", wide, all * sizeof *wide);
    t = small(all, at_end);
    sums(n, (void *)t, (void *)a);
    show("sums", t, all * sizeof *t);
    unsigned *u = numbers(all, sizeof *u, at_end);
    products(n, (void *)u, (void *)numbers(all, sizeof *u, at_end));
    show("products", u, all * sizeof *u);
    float *f = floats(all, at_end);
    rounded(n, (void *)f, (void *)floats(all, at_end));
    show("rounded", f, all * sizeof *f);
    t = small(all, at_end);
    watched(n, (void *)t, (void *)a, (void *)seen);
    show("watched", t, all * sizeof *t);
    show("seen", seen, all * sizeof *seen);
    t = small(n, at_end);
    apart(n, t, (void *)a, (void *)seen);
    show("apart", t, n * sizeof *t);
    uint8_t *b = numbers(all, 1, at_end);
    bits(n, (void *)b, (void *)numbers(all, 1, at_end));
    show("bits", b, all);
  }
}
