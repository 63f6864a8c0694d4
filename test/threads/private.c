// Arrays on the stack that each iteration fills before it reads them, and some that have to stay shared.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define SIZE 40

// Each element of a row is filled, and read in another order.
#define FILLED(name, type)                                                                                             \
  static NOINLINE void name(long n, const type (*restrict in)[SIZE], type (*restrict out)[SIZE]) {                     \
    for (long i = 0; i < n; i++) {                                                                                     \
      type t[SIZE];                                                                                                    \
      for (long k = 0; k < SIZE; k++)                                                                                  \
        t[k] = in[i][k] * 3 + 1;                                                                                       \
      for (long k = 0; k < SIZE; k++)                                                                                  \
        out[i][k] = t[SIZE - 1 - k] - t[k];                                                                            \
    }                                                                                                                  \
  }

FILLED(filled8, int8_t)
FILLED(filled16, uint16_t)
FILLED(filled32, int)
FILLED(filled64, long)
FILLED(filled_floats, float)
FILLED(filled_doubles, double)

// Rows of sums: those of a product in place.
static NOINLINE void sums(long n, double (*restrict a)[SIZE], const double (*restrict b)[SIZE]) {
  for (long i = 0; i < n; i++) {
    double row[SIZE];
    for (long j = 0; j < SIZE; j++) {
      row[j] = 0;
      for (long k = 0; k < SIZE; k++)
        row[j] += a[i][k] * b[k][j];
    }
    for (long j = 0; j < SIZE; j++)
      a[i][j] = row[j];
  }
}

// Recurrences in two arrays, of two dimensions and of one.
static NOINLINE void two(long n, const int (*restrict in)[SIZE], int (*restrict out)[SIZE]) {
  for (long i = 0; i < n; i++) {
    int table[SIZE][3], last[SIZE];
    for (long k = 0; k < SIZE; k++)
      for (long c = 0; c < 3; c++)
        table[k][c] = in[i][k] * (int)(c + 1) + (k > 0 ? table[k - 1][2 - c] : 0);
    last[SIZE - 1] = in[i][0];
    for (long k = SIZE - 2; k >= 0; k--)
      last[k] = last[k + 1] * 3 + table[k][1];
    for (long k = 0; k < SIZE; k++)
      out[i][k] = last[k] ^ table[k][2];
  }
}

// Members of structures.
struct point {
  double x, y;
};

static NOINLINE void points(long n, const double (*restrict in)[SIZE], double (*restrict out)[SIZE]) {
  for (long i = 0; i < n; i++) {
    struct point p[SIZE];
    for (long k = 0; k < SIZE; k++) {
      p[k].x = in[i][k];
      p[k].y = in[i][SIZE - 1 - k] * 2;
    }
    for (long k = 1; k < SIZE; k++)
      out[i][k] = p[k].x * p[k - 1].y - p[k - 1].x * p[k].y;
  }
}

// Lanes around the loops inside have copies of their own, and iterations that fill no vector are behind the loop on threads.
static NOINLINE void lanes(long n, const double (*restrict in)[SIZE], double (*restrict out)[SIZE]) {
  for (long i = 0; i < n; i++) {
    double t[8];
    for (long k = 0; k < 8; k++)
      t[k] = in[i][7 - k] * 2 + (k > 0 ? t[k - 1] : 0);
    for (long j = 0; j < SIZE; j++)
      for (long k = 0; k < 8; k++)
        out[i][0] += t[k] * in[i][j];
  }
}

// A loop on threads in each step of another one.
static NOINLINE void steps(long n, long steps, double (*restrict a)[SIZE]) {
  for (long s = 0; s < steps; s++)
    for (long i = 0; i < n; i++) {
      double t[SIZE];
      for (long k = 0; k < SIZE; k++)
        t[k] = a[i][k] * 0.5 + s;
      for (long k = 0; k < SIZE; k++)
        a[i][k] += t[SIZE - 1 - k];
    }
}

// Elements that are constants, so that LLVM keeps them in registers.
static NOINLINE void small(long n, long steps, int (*restrict a)[SIZE]) {
  for (long s = 0; s < steps; s++)
    for (long i = 0; i < n; i++) {
      int t[3];
      for (long k = 0; k < 3; k++)
        t[k] = a[i][k] * 5 + (int)s;
      for (long k = 0; k < 3; k++)
        a[i][k] = t[(k + 1) % 3] - t[k];
    }
}

// As much of an array as the iteration has, and a sum of all of them.
static NOINLINE long triangle(long n, const long (*restrict in)[SIZE], long (*restrict out)[SIZE]) {
  long all = 3;
  for (long i = 0; i < n; i++) {
    long t[SIZE];
    for (long k = 0; k <= i % SIZE; k++)
      t[k] = in[i][k] * 3;
    for (long k = 0; k <= i % SIZE; k++) {
      out[i][k] = t[i % SIZE - k];
      all += t[k] ^ i;
    }
  }
  return all;
}

// The array is filled in part: what is read behind it is what another iteration has left there.
static NOINLINE void in_part(long n, const int (*restrict in)[SIZE], int (*restrict out)[SIZE]) {
  int t[SIZE];
  for (long k = 0; k < SIZE; k++)
    t[k] = (int)k;
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < SIZE / 2; k++)
      t[k * 2] = in[i][k] + t[k * 2 + 1];
    for (long k = 0; k < SIZE; k++)
      out[i][k] = t[k];
    t[3] = out[i][4] * 3;
  }
}

// The last row is used behind the loop.
static NOINLINE long behind(long n, const long (*restrict in)[SIZE], long (*restrict out)[SIZE]) {
  long t[SIZE] = {0}, sum = 0;
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < SIZE; k++)
      t[k] = in[i][k] * 3;
    for (long k = 0; k < SIZE; k++)
      out[i][k] = t[SIZE - 1 - k];
  }
  for (long k = 0; k < SIZE; k++)
    sum = sum * 7 + t[k];
  return sum;
}

// Something else knows the array.
static long *known;

static NOINLINE void know(long *t) { known = t; }

static NOINLINE long escapes(long n, const long (*restrict in)[SIZE], long (*restrict out)[SIZE]) {
  long sum = 0, t[SIZE];
  know(t);
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < SIZE; k++)
      t[k] = in[i][k] * 3;
    for (long k = 0; k < SIZE; k++)
      out[i][k] = t[SIZE - 1 - k];
  }
  for (long k = 0; n > 0 && k < SIZE; k++)
    sum = sum * 7 + known[k];
  return sum;
}

// As large as copies may be.
static NOINLINE void largest(long n, const double (*restrict in)[SIZE], double (*restrict out)[SIZE]) {
  for (long i = 0; i < n; i++) {
    double t[4096];
    for (long k = 0; k < 4096; k++)
      t[k] = in[i][k % SIZE] * 2 + k;
    for (long k = 0; k < SIZE; k++)
      out[i][k] = t[100 * k];
  }
}

// Too large for the stack of each thread.
static NOINLINE void large(long n, const double (*restrict in)[SIZE], double (*restrict out)[SIZE]) {
  for (long i = 0; i < n; i++) {
    double t[200 * SIZE];
    for (long k = 0; k < 200 * SIZE; k++)
      t[k] = in[i][k % SIZE] * 2 + k;
    for (long k = 0; k < SIZE; k++)
      out[i][k] = t[200 * k];
  }
}

#define FILL(type, a)                                                                                                  \
  for (long i = 0; i < SIZE * rows; i++) {                                                                             \
    x = x * 1664525 + 1013904223;                                                                                      \
    ((type *)a)[i] = (type)((int)(x >> 20) % 19 - 9);                                                                  \
  }
#define SAY(name)                                                                                                      \
  {                                                                                                                    \
    unsigned long sum = 0;                                                                                             \
    for (unsigned char *byte = out; byte < (unsigned char *)out + bytes; byte++)                                       \
      sum = sum * 31 + *byte;                                                                                          \
    printf(name " %lx\n", sum);                                                                                        \
  }
#define CHECK(name, type)                                                                                              \
  {                                                                                                                    \
    FILL(type, in);                                                                                                    \
    FILL(type, out);                                                                                                   \
    name(n, in, out);                                                                                                  \
    SAY(#name);                                                                                                        \
  }
#define CHECK_SUM(name, type)                                                                                          \
  {                                                                                                                    \
    FILL(type, in);                                                                                                    \
    FILL(type, out);                                                                                                   \
    printf("%ld ", (long)name(n, in, out));                                                                            \
    SAY(#name);                                                                                                        \
  }

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000, rows = n + SIZE;
  size_t bytes = sizeof(double) * SIZE * rows;
  void *in = calloc(1, bytes), *out = calloc(1, bytes);
  unsigned x = 7;
  CHECK(filled8, int8_t);
  CHECK(filled16, uint16_t);
  CHECK(filled32, int);
  CHECK(filled64, long);
  CHECK(filled_floats, float);
  CHECK(filled_doubles, double);
  FILL(double, out);
  FILL(double, in);
  sums(n, out, in);
  SAY("sums");
  CHECK(two, int);
  CHECK(points, double);
  CHECK(lanes, double);
  FILL(double, out);
  steps(n, 5, out);
  SAY("steps");
  FILL(int, out);
  small(n, 5, out);
  SAY("small");
  CHECK_SUM(triangle, long);
  CHECK(in_part, int);
  CHECK_SUM(behind, long);
  CHECK_SUM(escapes, long);
  CHECK(largest, double);
  CHECK(large, double);
}
