// Loops that become vector lanes, with conditions on data within an iteration. The argument is a size; arrays start at all offsets, and
// some end where memory does, behind what the program accesses.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define M 64
#define LOOP __attribute__((noinline)) static void

LOOP row_sums(long n, long m, double t, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (a[i * m + j] > t)
        s[i] += a[i * m + j];
}
LOOP sums_and_counts(long n, long m, float t, float *restrict a, float *restrict s, int *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      if (a[i * m + j] > t) {
        s[i] = s[i] * 0.5f + a[i * m + j];
        c[i] += (int)j;
      }
}
LOOP either(long n, double *restrict a, double *restrict s, double *restrict u) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[j * n + i] < 0)
        s[i] -= a[j * n + i] * s[i];
      else
        u[i] += 0.25 * u[i] + s[j + n];
}
LOOP escape(long n, long steps, double *restrict x, double *restrict y, int *restrict out) {
  for (long i = 0; i < n; i++) {
    double u = 0, v = 0;
    int k = 0;
    for (long step = 0; step < steps; step++)
      if (u * u + v * v < 4.0) {
        double t = u * u - v * v + x[i] / 256;
        v = 2 * u * v + y[i] / 256;
        u = t;
        k++;
      }
    out[i] = k;
  }
}
LOOP divisions(long n, int *restrict a, int *restrict b, int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (b[i * n + j] > 3)
        s[i] += a[i * n + j] / b[i * n + j] - s[i] % b[i * n + j];
      else
        s[i] -= 1;
}
LOOP divisions_by_one(long n, unsigned d, unsigned *restrict a, unsigned *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] < d)
        s[i] += 1000 / d + a[i * n + j] / d;
}
LOOP switches(long n, int *restrict a, int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      switch (a[i * n + j] & 15) {
      case 1:
        s[i] += 3;
        break;
      case 2:
      case 11:
        s[i] ^= 5 * (int)j;
        break;
      case 7:
        s[i] *= 3;
      case 9:
        s[i] -= (int)j;
        break;
      }
}
LOOP indirect(long n, int *restrict p, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (p[i * n + j] < 20)
        s[i] += a[p[i * n + j]];
}
LOOP same_for_all(long n, double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] < 10)
        s[i] += x[j] * x[j];
}
LOOP uniform_condition(long n, double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (x[j] > 0)
        s[i] += a[i * n + j] * x[j];
}
LOOP nested(long n, double *restrict a, double *restrict s, double *restrict u) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double v = a[i * n + j];
      if (v > 0) {
        if (v > 50)
          s[i] += v;
        else if (v > 20)
          s[i] -= v * u[i];
        u[i] = v;
      } else if (v < -100)
        u[i] += 1;
    }
}
LOOP backward(long n, float *restrict a, float *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[j * n + i] > s[n - 1 - i])
        s[n - 1 - i] = a[j * n + i] - s[n - 1 - i] * 0.5f;
}
LOOP by_threes(long n, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[j * n + i] > 0)
        s[3 * i] = s[3 * i] * 0.5 - a[j * n + i];
}
LOOP bytes(long n, uint8_t *restrict a, uint8_t *restrict s, uint8_t *restrict t) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > s[i])
        s[i] = (uint8_t)(a[i * n + j] * 3 + t[j]);
      else if (a[i * n + j] & 1)
        t[n + i] ^= s[i];
}
LOOP rows_after_start(long n, double t, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++) {
    s[i] = t;
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > s[i])
        s[i] += a[i * n + j] * 0.125;
  }
}
LOOP truths(long n, double *restrict a, double *restrict b, int *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      int is_near = 0;
      if (a[i * n + j] > 0)
        is_near = b[i] * a[i * n + j] < 100 || b[i + n] > 3;
      c[i] = c[i] * 2 + is_near;
    }
}
LOOP largest_and_place(long n, double *restrict a, double *restrict best, int *restrict place) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > best[i]) {
        best[i] = a[i * n + j];
        place[i] = (int)j;
      }
}
LOOP over_threshold_in_parts(long n, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 3; k++)
      for (long j = 0; j < n; j++)
        if (a[i * n + j] > k * s[i + k * n])
          s[i + k * n] += a[i * n + j] * 0.25;
}
// Where the condition holds, `i` is positive, by which LLVM extends `i - 1` without its sign.
LOOP positive_where_on(int n, unsigned char *restrict c, double *restrict a, double *restrict s) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (c[j * n + i] % 8 < i)
        s[i] = s[i] * 0.5 + a[(long)(i - 1) + j];
}
// Values of structures within an iteration.
LOOP without_overflow(long n, int *restrict a, int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      int sum, product;
      s[i] += __builtin_add_overflow(s[i], a[j * n + i] << 24, &sum);
      if (!__builtin_mul_overflow(s[i], a[j * n + i], &product))
        s[i] = product - (int)j;
    }
}
// A short vector is the same for all lanes, and read under a condition.
typedef int pair __attribute__((vector_size(8)));
LOOP pairs(long n, int *restrict a, pair *restrict p, int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[j * n + i] > 20)
        s[i] = s[i] / 3 + p[j][1];
}

static uint64_t seed;
static unsigned next(void) { return (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40; }

static char memory[4][8 * M * M * 2 + 64];

static void *fresh(int which, int offset, int kind) {
  char *at = memory[which] + offset;
  for (int i = 0; i < M * M * 2; i++) {
    double d = (int)(next() % 2001 - 1000) / 8.0;
    float f = d;
    int small = next() % M, byte = next();
    switch (kind) {
    case 'd': memcpy(at + 8 * i, &d, 8); break;
    case 'f': memcpy(at + 4 * i, &f, 4); break;
    case 'i': memcpy(at + 4 * i, &small, 4); break;
    default: at[i] = byte;
    }
  }
  return at;
}

static void show(const char *name) {
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < 4; k++)
    for (size_t i = 0; i < sizeof memory[k]; i++)
      hash = (hash ^ (unsigned char)memory[k][i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

// A page, with none behind it: the address so many bytes before its end.
static void *before_the_end(size_t bytes, int protection) {
  char *pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(pages, 0, 8192);
  mprotect(pages, 4096, protection);
  mprotect(pages + 4096, 4096, PROT_NONE);
  return pages + 4096 - bytes;
}

// What lanes that are off would access is not there, or may not be written.
static void at_the_edge(long n) {
  double *a = fresh(0, 0, 'd');
  long half = n / 2;
  for (long i = half * n; i < n * n; i++)
    a[i] = -1;
  double *s = before_the_end(8 * half, PROT_READ | PROT_WRITE), sum = 0;
  row_sums(n, n, 0, a, s);
  for (long i = 0; i < half; i++)
    sum = sum * 0.5 + s[i];
  printf("behind the end %a\n", sum);
  s = before_the_end(8 * half, PROT_READ | PROT_WRITE);
  largest_and_place(n, a, before_the_end(8 * n, PROT_READ | PROT_WRITE), before_the_end(4 * half, PROT_READ | PROT_WRITE));
  uniform_condition(n, a, fresh(1, 0, 'd'), memset(before_the_end(8 * n, PROT_READ | PROT_WRITE), 0, 8 * n));
  for (long i = 0; i < n * n; i++)
    a[i] = -1;
  row_sums(n, n, 0, a, before_the_end(8 * n, PROT_READ));
  row_sums(n, n, 0, a, before_the_end(0, PROT_READ));
  same_for_all(n, fresh(0, 0, 'd'), before_the_end(8 * n, PROT_READ), before_the_end(8 * n, PROT_READ | PROT_WRITE));
  for (long i = 0; i < n * n; i++)
    a[i] = 11;
  same_for_all(n, a, before_the_end(0, PROT_READ), before_the_end(0, PROT_READ));
  int *p = fresh(1, 0, 'i');
  for (long i = 0; i < n * n; i++)
    p[i] = p[i] < 20 ? p[i] & 7 : 1 << 28;
  indirect(n, p, before_the_end(8 * 8, PROT_READ), before_the_end(8 * n, PROT_READ | PROT_WRITE));
  show("at the edge");
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  for (int at = 0; at < 3; at++) {
    int d = 8 * at, f = 4 * at, b = at;
#define A(k, T, kind, off) ((T *)fresh(k, off, kind))
#define D(k) A(k, double, 'd', d)
#define F(k) A(k, float, 'f', f)
#define I(k) A(k, int, 'i', f)
#define B(k, T) A(k, T, 'b', b)
    row_sums(n, n + at, 20, D(0), D(1)), show("row_sums");
    sums_and_counts(n, n + 1, -30, F(0), F(1), I(2)), show("sums_and_counts");
    either(n, D(0), D(1), D(2)), show("either");
    escape(n, n + 3, D(0), D(1), I(2)), show("escape");
    divisions(n, I(0), I(1), I(2)), show("divisions");
    divisions_by_one(n, at, (unsigned *)I(0), (unsigned *)I(1)), show("divisions_by_one");
    switches(n, I(0), I(1)), show("switches");
    indirect(n, I(0), D(1), D(2)), show("indirect");
    same_for_all(n, D(0), D(1), D(2)), show("same_for_all");
    uniform_condition(n, D(0), D(1), D(2)), show("uniform_condition");
    nested(n, D(0), D(1), D(2)), show("nested");
    backward(n, F(0), F(1)), show("backward");
    by_threes(n, D(0), D(1)), show("by_threes");
    bytes(n, B(0, uint8_t), B(1, uint8_t), B(2, uint8_t)), show("bytes");
    rows_after_start(n, -125, D(0), D(1)), show("rows_after_start");
    truths(n, D(0), D(1), I(2)), show("truths");
    largest_and_place(n, D(0), D(1), I(2)), show("largest_and_place");
    over_threshold_in_parts(n, D(0), D(1)), show("over_threshold_in_parts");
    positive_where_on(n, B(0, uint8_t), D(1), D(2)), show("positive_where_on");
    without_overflow(n, I(0), I(1)), show("without_overflow");
    pairs(n, I(0), (pair *)fresh(1, 8 * at, 'i'), I(2)), show("pairs");
  }
  at_the_edge(n);
}
