// Lanes whose elements are a few elements apart. The argument is a size; memory ends with the last element that the program accesses, or begins with
// the first one.
#include "guarded.h"
#include <stdint.h>

// Real parts.
NEST real_parts(long n, const double *restrict a, double *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.5 * s[j] + a[2 * (k * n + j)];
}
// Both parts.
NEST products(long n, const float *restrict a, const float *restrict b, float *restrict s) {
  for (long j = 0; j < n; j++) {
    float re = 0, im = 0;
    for (long k = 0; k < n; k++) {
      float ar = a[2 * k], ai = a[2 * k + 1], br = b[2 * (k * n + j)], bi = b[2 * (k * n + j) + 1];
      re += ar * br - ai * bi;
      im += ar * bi + ai * br;
    }
    s[j] = re - im;
  }
}
// A color of pixels.
NEST color(long n, const uint8_t *restrict a, int *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 3 * (s[j] >> 1) + a[3 * (k * n + j)];
}
// From the last one to the first one.
NEST backward(long n, const float *restrict a, float *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.5f * s[j] - a[4 * (k * n + n - 1 - j)];
}
// A field of records.
struct record {
  double x;
  long n;
  double y;
};
NEST field(long n, const struct record *restrict a, double *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.25 * s[j] + a[k * n + j].y;
}
// The elements of lanes are aligned, and those between them are not.
struct point {
  _Alignas(16) float x;
  float y, z, w;
};
NEST aligned(long n, const struct point *restrict a, float *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.5f * s[j] + a[k * n + j].x;
}
NEST aligned_backward(long n, const struct point *restrict a, float *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.5f * s[j] - a[k * n + n - 1 - j].x;
}
// Five elements are too far.
NEST far(long n, const double *restrict a, double *restrict s) {
  for (long j = 0; j < n; j++)
    for (long k = 0; k < n; k++)
      s[j] = 0.5 * s[j] + a[5 * (k * n + j)];
}

#define FILLED(T, name, count)                                                                                                   \
  size_t size_of_##name = sizeof(T) * (count);                                                                                   \
  T *name = bytes(size_of_##name, at_end);                                                                                       \
  for (size_t i = 0; i < size_of_##name / sizeof(T); i++)                                                                        \
  name[i] = (T)(next(2000) / 8.0)

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0, last = n * n - 1;
  if (n == 0)
    return 0;
  for (int at_end = 0; at_end < 2; at_end++) {
    FILLED(double, a, 2 * last + 1);
    FILLED(double, s, n);
    real_parts(n, a, s);
    FILLED(float, b, 2 * last + 2);
    FILLED(float, r, 2 * n);
    FILLED(float, t, n);
    products(n, r, b, t);
    FILLED(uint8_t, c, 3 * last + 1);
    FILLED(int, u, n);
    color(n, c, u);
    FILLED(float, d, 4 * last + 1);
    FILLED(float, v, n);
    backward(n, d, v);
    double *e = bytes((3 * last + 3) * sizeof(double), at_end);
    for (long i = 0; i <= 3 * last + 2; i++)
      e[i] = next(2000) / 8.0;
    FILLED(double, w, n);
    field(n, (struct record *)e, w);
    FILLED(float, g, 4 * n * n);
    FILLED(float, y, n);
    aligned(n, (struct point *)g, y);
    aligned_backward(n, (struct point *)g, y);
    FILLED(double, f, 5 * last + 1);
    FILLED(double, x, n);
    far(n, f, x);
    show("real_parts", s, size_of_s);
    show("products", t, size_of_t);
    show("color", u, size_of_u);
    show("backward", v, size_of_v);
    show("field", w, size_of_w);
    show("aligned", y, size_of_y);
    show("far", x, size_of_x);
  }
}
