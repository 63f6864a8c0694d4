// Flat arrays whose rows are as long as a parameter says, in the ways that programs index them. The argument says which nest;
// then come the sizes. Some calls are such that narrow indices wrap around, or rows overlap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 16 };

static double A[CELLS], B[CELLS];
static unsigned char X[CELLS], Y[CELLS];
struct point {
  float x, y, z;
};
static struct point P[CELLS], Q[CELLS];

#define NOINLINE __attribute__((noinline)) static

// The diagonal's index is `i * (n + 1)` after InstCombine.
NOINLINE void diagonals(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) {
      double sum = 0;
      for (int k = j; k < i; k++)
        sum += a[i * n + k] * b[k * n + j];
      b[i * n + j] = -sum / a[i * n + i];
    }
    b[i * n + i] = 1 / a[i * n + i];
  }
}

NOINLINE void factors(size_t n, double *a) {
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++) {
      a[i * n + k] /= a[k * n + k];
      for (size_t j = k + 1; j < n; j++)
        a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
}

// Rows have a border.
NOINLINE void border(int n, double *a, double *b) {
  int ld = n + 2;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      b[i * ld + j] = a[(i - 1) * ld + j] + a[(i + 1) * ld + j] + a[i * ld + j - 1] + a[i * ld + j + 1];
}

// With `step * columns` of 2^32, and a length that is less, all rows are the same.
NOINLINE void wrapped(unsigned rows, unsigned step, unsigned columns, unsigned length, double *a) {
  for (unsigned j = 0; j < length; j++)
    for (unsigned i = step; i < rows; i += 2)
      a[i * columns + j] = a[(i - step) * columns + j] * 0.5 + a[i * columns + j];
}

// With a length beyond the columns, a row overlaps the next one.
NOINLINE void overlapping(int rows, int columns, int length, double *a) {
  for (int j = 0; j < length; j++)
    for (int i = 1; i < rows; i++)
      a[i * columns + j] = a[(i - 1) * columns + j] * 0.5 + a[i * columns + j];
}

NOINLINE void pixels(int n, int m, const unsigned char *restrict x, unsigned char *restrict y) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 3; c++)
        y[(j * n + i) * 3 + c] = x[(i * m + j) * 3 + c];
}

NOINLINE void points(int n, int m, const struct point *restrict p, struct point *restrict q) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      q[j * n + i] = p[i * m + j];
}

NOINLINE void volume(int n, int m, int p, const double *restrict a, double *restrict b) {
  for (int k = 0; k < p; k++)
    for (int j = 1; j < m; j++)
      for (int i = 1; i < n; i++)
        b[(i * m + j) * p + k] = a[((i - 1) * m + j) * p + k] + a[(i * m + j - 1) * p + k] + b[((i - 1) * m + j) * p + k];
}

// The product of four sizes may have 124 bits.
NOINLINE void tensor(int n, int p, int q, int r, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          b[((i * p + j) * q + k) * r + l] = a[((l * p + k) * q + j) * r + i];
}

// An element on the diagonal and those behind it are rows of `n + 1` elements, of which the last has only one.
NOINLINE void upper(int n, double *r, const double *a) {
  for (int k = 0; k < n; k++) {
    r[k * n + k] = a[k];
    for (int j = k + 1; j < n; j++)
      r[k * n + j] = a[j] * 0.5 + r[k * n + j];
  }
}

// A block of a matrix ends before its last row does.
NOINLINE void block(int n, int m, int ld, double *a, const double *b) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      a[i * ld + j] = b[j * m + i] * 0.5 + a[i * ld + j];
}

// Windows are longer than the distance between them, which may be 0 or negative: what is only read may overlap.
NOINLINE void windows(int n, int taps, int hop, const double *x, double *y) {
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int k = 0; k < taps; k++)
      sum += x[i * hop + k] * (k + 1);
    y[i] = sum;
  }
}

// Two windows in one array, half of which is known to be behind the next one's begin.
NOINLINE void halves(long n, long hop, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 2 * hop; k++)
      y[i] += x[i * hop + k] * x[k];
}

// The last element of a row is in that row where rows have any.
NOINLINE void last(long n, long m, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    for (long j = 1; j < m; j++)
      y[i * m + j] += 0.5 * y[i * m + j - 1];
    y[i * m + m - 1] /= 2 + x[i * m + m - 1];
  }
}

static unsigned long hash(const void *bytes, size_t size) {
  unsigned long hash = 5381;
  for (size_t i = 0; i < size; i++)
    hash = hash * 33 + ((const unsigned char *)bytes)[i];
  return hash;
}

int main(int argc, char **argv) {
  const char *nest = argv[1];
  unsigned s[4] = {0};
  for (int i = 2; i < argc && i < 6; i++)
    s[i - 2] = (unsigned)strtoul(argv[i], NULL, 10);
  for (int i = 0; i < CELLS; i++) {
    A[i] = 1 + (double)((i * 37 + 11) % 101) / 128;
    B[i] = 1 + (double)((i * 53 + 7) % 89) / 128;
    X[i] = (unsigned char)(i * 29 + 3);
    P[i] = (struct point){(float)i, (float)(i % 7), (float)(i % 11)};
  }
  if (!strcmp(nest, "diagonals"))
    diagonals((int)s[0], A, B);
  if (!strcmp(nest, "factors")) {
    for (size_t i = 0; i < s[0]; i++)
      A[i * s[0] + i] += s[0];
    factors(s[0], A);
  }
  if (!strcmp(nest, "border"))
    border((int)s[0], A, B);
  if (!strcmp(nest, "wrapped"))
    wrapped(s[0], s[1], s[2], s[3], A);
  if (!strcmp(nest, "overlapping"))
    overlapping((int)s[0], (int)s[1], (int)s[2], A);
  if (!strcmp(nest, "pixels"))
    pixels((int)s[0], (int)s[1], X, Y);
  if (!strcmp(nest, "points"))
    points((int)s[0], (int)s[1], P, Q);
  if (!strcmp(nest, "volume"))
    volume((int)s[0], (int)s[1], (int)s[2], A, B);
  if (!strcmp(nest, "tensor"))
    tensor((int)s[0], (int)s[1], (int)s[2], (int)s[3], A, B);
  if (!strcmp(nest, "upper"))
    upper((int)s[0], A, A + s[0] * s[0] - s[1]);
  if (!strcmp(nest, "block"))
    block((int)s[0], (int)s[1], (int)s[2], A, A + (s[1] - 1) * s[2] + s[0] - s[3]);
  // The output begins so many elements behind the last window's end, or in front of the first one.
  if (!strcmp(nest, "windows"))
    windows((int)s[0], (int)s[1], (int)s[2], A + 5000, A + 5000 + ((int)s[0] - 1) * (int)s[2] + (int)s[1] + (int)s[3]);
  if (!strcmp(nest, "windows-back"))
    windows((int)s[0], (int)s[1], -(int)s[2], A + 5000, A + 5000 + (int)s[1] + (int)s[3]);
  if (!strcmp(nest, "halves"))
    halves(s[0], s[1], A, B);
  if (!strcmp(nest, "last"))
    last((int)s[0], (int)s[1], A + 256, B + 256);
  printf("%lx %lx %lx %lx\n", hash(A, sizeof A), hash(B, sizeof B), hash(Y, sizeof Y), hash(Q, sizeof Q));
}
