// Loops whose iterations begin with something in lanes and go on in order: the first part of a strip of iterations is executed before the
// rest of each. The argument is a size; memory ends behind what the program accesses.
#include "guarded.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>

// The nearest centre, to which the point is added.
NEST nearest(long n, long d, long k, const float *restrict x, const float *restrict c, float *restrict s, int *restrict count) {
  for (long i = 0; i < n; i++) {
    float best = 1e30f;
    int at = 0;
    for (long j = 0; j < k; j++) {
      float t = 0;
      for (long q = 0; q < d; q++)
        t += (x[i * d + q] - c[j * d + q]) * (x[i * d + q] - c[j * d + q]);
      if (t < best) {
        best = t;
        at = j;
      }
    }
    count[at]++;
    for (long q = 0; q < d; q++)
      s[at * d + q] += x[i * d + q];
  }
}
// A gradient, summed over samples in order.
NEST gradient(long n, long d, const double *restrict x, const double *restrict y, const double *restrict w, double *restrict g) {
  for (long i = 0; i < n; i++) {
    double z = 0;
    for (long j = 0; j < d; j++)
      z += x[i * d + j] * w[j];
    double e = z / (1 + fabs(z)) - y[i];
    for (long j = 0; j < d; j++)
      g[j] += e * x[i * d + j];
  }
}
// Two scalars are handed on, from several loops, and there are two loops around.
NEST two_scalars(long t, long n, long d, const float *restrict x, float *restrict y, float *restrict g) {
  for (long r = 0; r < t; r++)
    for (long i = 0; i < n; i++) {
      float s = 0.5f, p = 1;
      for (long j = 0; j < d; j++)
        s = s * 0.5f + x[i * d + j];
      for (long j = 0; j < d; j++)
        p = p * 0.25f + x[i * d + j] * s;
      y[r * n + i] = s;
      for (long j = 0; j < d; j++)
        g[j] = g[j] * p + s;
    }
}
// Lanes of 16 bits, and a running value that stays in order.
NEST hashes(long n, long d, const int16_t *restrict x, int16_t *restrict y) {
  int16_t all = 7;
  for (long i = 0; i < n; i++) {
    int16_t h = 1;
    for (long j = 0; j < d; j++)
      h = h * 31 + x[i * d + j];
    all = all * 17 + h;
    y[i] = all;
  }
}
// What the rest of an iteration writes is read by the first part of the next one: no strips.
NEST updates(long n, long d, const double *restrict x, const double *restrict y, double *restrict w) {
  for (long i = 0; i < n; i++) {
    double z = 0;
    for (long j = 0; j < d; j++)
      z += x[i * d + j] * w[j];
    double e = (y[i] - z) * 0.125;
    for (long j = 0; j < d; j++)
      w[j] += e * x[i * d + j];
  }
}
// The scalar is what the last iteration left, or what was before: no strips.
NEST carried(long n, long d, const double *restrict x, double *restrict y, double *restrict g) {
  double s = 1;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < d; j++)
      s = s * 0.5 + x[i * d + j];
    for (long j = 0; j < d; j++)
      g[j] = g[j] * 0.5 + s;
    y[i] = s;
  }
}
// Rows that are triangles.
NEST triangles(long n, const double *restrict a, double *restrict g, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long j = 0; j <= i; j++)
      s = s * 0.5 + a[i * n + j];
    y[i] = s;
    for (long j = 0; j < n; j++)
      g[j] = g[j] * 0.5 + s * a[i * n + j];
  }
}

// A scalar that the first part writes in every fourth iteration only: its value is handed to the rest of others.
NEST every_fourth(long n, long d, const double *restrict x, double *restrict y, double *restrict g) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    double z = 0, w = 1;
    for (long j = 0; j < d; j++)
      z = z * 0.5 + x[i * d + j];
    if (i % 4 == 0) {
      s = z;
      y[i] = z;
    }
    for (long j = 0; j < d; j++)
      w = w * 0.25 + x[i * d + j];
    for (long j = 0; j < d; j++)
      g[j] = g[j] * w + s;
  }
}

static void *filled(size_t count, size_t size, int at_end, int is_float) {
  char *all = bytes(count * size, at_end);
  for (size_t i = 0; i < count; i++) {
    int value = (int)next(64) - 32;
    if (size == 2)
      ((int16_t *)all)[i] = value;
    else if (size == 4 && is_float)
      ((float *)all)[i] = value / 8.0f;
    else if (size == 4)
      ((int *)all)[i] = value;
    else
      ((double *)all)[i] = value / 8.0;
  }
  return all;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0, sizes[] = {1, 3, 8, n};
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 4; k++) {
      long d = sizes[k];
#define F(count) filled(count, 4, end, 1)
#define D(count) filled(count, 8, end, 0)
      float *s = F(5 * d), *y = F(2 * n), *g = F(d);
      int *count = filled(5, 4, end, 0);
      nearest(n, d, 5, F(n * d), F(5 * d), s, count), show("nearest", s, 20 * d), show("count", count, 20);
      double *dg = D(d), *dy = D(n), *w = D(d), *tg = D(n);
      gradient(n, d, D(n * d), D(n), D(d), dg), show("gradient", dg, 8 * d);
      two_scalars(2, n, d, F(n * d), y, g), show("two_scalars", g, 4 * d), show("y", y, 8 * n);
      int16_t *h = filled(n, 2, end, 0);
      hashes(n, d, filled(n * d, 2, end, 0), h), show("hashes", h, 2 * n);
      updates(n, d, D(n * d), D(n), w), show("updates", w, 8 * d);
      carried(n, d, D(n * d), dy, dg), show("carried", dg, 8 * d), show("y", dy, 8 * n);
      every_fourth(n, d, D(n * d), dy, dg), show("every_fourth", dg, 8 * d), show("y", dy, 8 * n);
      triangles(n, D(n * n), tg, dy), show("triangles", tg, 8 * n), show("y", dy, 8 * n);
    }
}
