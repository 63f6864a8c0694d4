// Products in which several rows of several vectors are accumulated in registers. The argument is a size; memory ends behind what the
// program accesses.
#include "guarded.h"
#include <stdint.h>
#include <string.h>

#define PRODUCT(name, type)                                                                                        \
  NEST name(long n, long m, long p, const type *restrict a, const type *restrict b, type *restrict c) {            \
    for (long i = 0; i < n; i++)                                                                                   \
      for (long j = 0; j < m; j++)                                                                                 \
        for (long k = 0; k < p; k++)                                                                               \
          c[i * m + j] += a[i * p + k] * b[k * m + j];                                                             \
  }
PRODUCT(product_double, double)
PRODUCT(product_float, float)
PRODUCT(product_short, int16_t)

// Rows are columns of a transposed matrix.
NEST transposed(long n, long m, long p, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++)
        c[i * m + j] += a[k * n + i] * b[k * m + j];
}
// Lengths of paths, of which a part is the same along the rows.
NEST least(long n, long m, long p, const float *restrict a, const float *restrict b, const float *restrict w, float *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < p; k++) {
        float x = a[i * p + k] + b[k * m + j] * w[j];
        c[i * m + j] = x < c[i * m + j] ? x : c[i * m + j];
      }
}
// Triangles: rows begin and end at different columns, and sums have different lengths.
NEST triangle(long n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[k * n + i] * b[k * n + j];
}
NEST triangular(long n, const double *restrict a, const double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = i; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
// Two loops beside those of a product.
NEST contraction(long q, long n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (long e = 0; e < q; e++)
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        for (long f = 0; f < q; f++)
          for (long k = 0; k < n; k++)
            c[(e * n + i) * n + j] += a[((e * q + f) * n + i) * n + k] * b[(f * n + k) * n + j];
}

static void *filled(size_t count, size_t size, int at_end) {
  char *all = bytes(count * size, at_end);
  for (size_t i = 0; i < count; i++) {
    int value = (int)next(64) - 32;
    if (size == 2)
      ((int16_t *)all)[i] = value;
    else if (size == 4)
      ((float *)all)[i] = value / 7.0f;
    else
      ((double *)all)[i] = value / 7.0;
  }
  return all;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0, others[][2] = {{n, n}, {n + 5, 3}, {2 * n + 1, 130}};
#define H(count) filled(count, 2, end)
#define F(count) filled(count, 4, end)
#define D(count) filled(count, 8, end)
  for (int end = 0; end < 2; end++) {
    for (int k = 0; k < 3; k++) {
      long m = others[k][0], p = others[k][1];
      double *d = D(n * m);
      float *f = F(n * m);
      int16_t *h = H(n * m);
      product_double(n, m, p, D(n * p), D(p * m), d), show("product_double", d, 8 * n * m);
      product_float(n, m, p, F(n * p), F(p * m), f), show("product_float", f, 4 * n * m);
      product_short(n, m, p, H(n * p), H(p * m), h), show("product_short", h, 2 * n * m);
      transposed(n, m, p, D(n * p), D(p * m), d), show("transposed", d, 8 * n * m);
      least(n, m, p, F(n * p), F(p * m), F(m), f), show("least", f, 4 * n * m);
    }
    double *d = D(n * n);
    triangle(n, D(n * n), D(n * n), d), show("triangle", d, 8 * n * n);
    triangular(n, D(n * n), D(n * n), d), show("triangular", d, 8 * n * n);
    float *f = F(3 * n * n);
    contraction(3, n, F(9 * n * n), F(3 * n * n), f), show("contraction", f, 12 * n * n);
  }
}
