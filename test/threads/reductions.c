// Reductions of all kinds. Sums and products of floating-point numbers are exact, so that their order does not matter.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define REDUCTION(name, type, first, update)                                                                           \
  static NOINLINE type name(const type *a, long n) {                                                                   \
    type s = first;                                                                                                    \
    for (long i = 0; i < n; i++)                                                                                       \
      update;                                                                                                          \
    return s;                                                                                                          \
  }

REDUCTION(sum8, int8_t, 3, s += a[i])
REDUCTION(sum16, uint16_t, 3, s += a[i])
REDUCTION(sum32, int, 3, s += a[i])
REDUCTION(sum64, long, 3, s += a[i])
REDUCTION(difference, int, 3, s -= a[i])
REDUCTION(mixed, unsigned, 3, s = s + a[i] - a[n - 1 - i] * 2)
REDUCTION(product, unsigned, 5, s *= (a[i] | 1))
REDUCTION(conjunction, int, -1, s &= (a[i] | 12))
REDUCTION(disjunction, int, 16, s |= (a[i] & 7))
REDUCTION(parity, unsigned, 9, s ^= a[i] * 2654435761u)
REDUCTION(greatest, int, -5, s = a[i] > s ? a[i] : s)
REDUCTION(least, int, 5, s = a[i] < s ? a[i] : s)
REDUCTION(greatest_unsigned, uint64_t, 5, s = a[i] > s ? a[i] : s)
REDUCTION(least_unsigned, uint16_t, 500, s = a[i] < s ? a[i] : s)
REDUCTION(conditional, int, 1, if (a[i] > 3) s += a[i])
REDUCTION(counted, int, 0, s += a[i] > 3)
REDUCTION(sum_of_floats, float, 3, s += a[i])
REDUCTION(sum_of_doubles, double, 3, s += a[i])
REDUCTION(difference_of_doubles, double, 3, s -= a[i])
REDUCTION(product_of_doubles, double, 3, s *= (a[i] > 0 ? 2 : 0.5))

static NOINLINE long nested(const int *a, long n, long m) {
  long s = 1;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s += (long)a[i] * a[j];
  return s;
}

static NOINLINE long triangle(const int *a, long n) {
  long s = 1;
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      s += a[i] ^ a[j];
  return s;
}

static NOINLINE long backward(const int *a, long n) {
  long s = 1;
  for (long i = n - 1; i >= 0; i -= 3)
    s += a[i];
  return s;
}

static NOINLINE long two(const int *a, long n, int *greatest) {
  long s = 0;
  int g = 0;
  for (long i = 0; i < n; i++) {
    s += a[i];
    g = a[i] > g ? a[i] : g;
  }
  *greatest = g;
  return s;
}

// Each row has a sum of its own, and all rows have one together.
static NOINLINE long rows(const int *a, long n, long m, long *sums) {
  long all = 0;
  for (long i = 0; i < n; i++) {
    long own = 0;
    for (long j = 0; j < m; j++)
      own += a[i + j];
    sums[i] = own;
    all += own;
  }
  return all;
}

// Two loops add to one sum.
static NOINLINE long both(const int *a, const int *b, long n, long m) {
  long s = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s += (long)a[i] * b[j];
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      s -= (long)a[i] ^ b[j];
  return s;
}

// A sum goes on in each step.
static NOINLINE long steps(int *a, long n, long steps) {
  long s = 0;
  for (long t = 0; t < steps; t++)
    for (long i = 0; i < n; i++) {
      a[i] = a[i] * 3 + (int)t;
      s += a[i];
    }
  return s;
}

// Loops in turns that combine by different operations, each with what the one before has left.
static NOINLINE unsigned in_turns(const int *a, long n, long m) {
  unsigned s = 1;
  for (long i = 0; i < n; i++) {
    s ^= (unsigned)a[i];
    for (long j = 0; j < m; j++)
      s += (unsigned)(a[j] * (int)i);
    for (long j = 0; j < m; j++)
      s *= (unsigned)a[j] | 1;
  }
  return s;
}

// No reduction: the sum so far is used.
static NOINLINE long prefix(const int *a, long n, long *out) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    s += a[i];
    out[i] = s;
  }
  return s;
}

// No reduction: two operations.
static NOINLINE unsigned alternating(const int *a, long n) {
  unsigned s = 1;
  for (long i = 0; i < n; i++) {
    s += a[i];
    s *= 3;
  }
  return s;
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 1000;
  long *out = calloc(n + 1, sizeof *out);
  int *a = calloc(2 * n + 1, sizeof *a);
  float *f = calloc(n + 1, sizeof *f);
  double *d = calloc(n + 1, sizeof *d);
  unsigned x = 7;
  for (long i = 0; i < 2 * n; i++) {
    x = x * 1664525 + 1013904223;
    a[i] = (int)(x >> 20) % 19 - 9;
  }
  for (long i = 0; i < n; i++)
    f[i] = d[i] = a[i];
#define SAY(value) printf(#value " %ld\n", (long)(value))
  SAY(sum8((int8_t *)a, n));
  SAY(sum16((uint16_t *)a, n));
  SAY(sum32(a, n));
  SAY(sum64((long *)a, n));
  SAY(difference(a, n));
  SAY(mixed((unsigned *)a, n));
  SAY(product((unsigned *)a, n));
  SAY(conjunction(a, n));
  SAY(disjunction(a, n));
  SAY(parity((unsigned *)a, n));
  SAY(greatest(a, n));
  SAY(least(a, n));
  SAY(greatest_unsigned((uint64_t *)a, n));
  SAY(least_unsigned((uint16_t *)a, n));
  SAY(conditional(a, n));
  SAY(counted(a, n));
  printf("floats %a %a %a %a\n", sum_of_floats(f, n), sum_of_doubles(d, n), difference_of_doubles(d, n),
         product_of_doubles(d, n < 1000 ? n : 1000));
  SAY(nested(a, n, n));
  SAY(triangle(a, n));
  SAY(backward(a, n));
  int g;
  SAY(two(a, n, &g));
  SAY(g);
  SAY(rows(a, n, n, out));
  SAY(both(a, a + n, n, n / 2));
  SAY(in_turns(a, n < 20 ? n : 20, n));
  SAY(prefix(a, n, out));
  SAY(alternating(a, n));
  SAY(steps(a, n, 5));
  long all = 0;
  for (long i = 0; i < n; i++)
    all = all * 31 + out[i] + a[i];
  SAY(all);
}
