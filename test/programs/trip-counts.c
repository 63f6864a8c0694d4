// Loops that count in many ways, each run with small bounds of both signs.
#include <stddef.h>
#include <stdio.h>

#define N 200
#define LOOP __attribute__((noinline)) static void

static double a[N + 100], b[N + 100];

LOOP up(int n, double *restrict a) { for (int i = 0; i < n; i++) a[i] += 1; }
LOOP inclusive(unsigned n, double *restrict a) { for (unsigned i = 0; i <= n; i++) a[i] += 2; }
LOOP unequal(int n, double *restrict a) { for (int i = 0; i != n; i += 2) a[i] += 3; }
LOOP down(int n, double *restrict a) { for (int i = n - 1; i >= 0; i--) a[i] += i; }
LOOP unsigned_down(size_t n, double *restrict a) { for (size_t i = n; i-- > 0;) a[i] += i; }
LOOP to_zero(int n, double *restrict a) { while (n--) a[n] += 4; }
LOOP pointers(double *a, double *end) { for (; a != end; a++) *a += 5; }
LOOP pointers_below(double *restrict a, const double *restrict b, size_t n) { while (n-- > 0) *a++ += *b++; }
LOOP by_four(int n, double *restrict a) {
  int i;
  for (i = 0; i + 4 <= n; i += 4) {
    a[i] += 1;
    a[i + 1] += 2;
    a[i + 2] += 3;
    a[i + 3] += 4;
  }
  for (; i < n; i++)
    a[i] += 5;
}
LOOP by_step(int n, int s, double *restrict a) {
  if (s <= 0)
    return;
  for (int i = 0; i < n; i += s)
    a[i] += s;
}
LOOP narrow(unsigned char n, double *restrict a) { for (unsigned char i = 0; i < n; i++) a[i] += 6; }
LOOP at_least_once(int n, double *restrict a) {
  int i = 0;
  do
    a[i] += 7;
  while (++i < n);
}
LOOP half(int n, double *restrict a) { for (int i = 0; i < n / 2; i++) a[i] = a[n - 1 - i] + 1; }
LOOP rest(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n % 4; j++)
      a[4 * (i / 4) + j] += i % 3;
}
LOOP thirds(int n, double *restrict a) {
  for (int i = -n; i < (n + 7) / 3; i++)
    if (i % 3 != 1)
      a[n + i] += i / 3;
}
LOOP both_ends(int n, double *restrict a) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    double t = a[i];
    a[i] = a[j];
    a[j] = t;
  }
}
LOOP two_bounds(int n, int m, double *restrict a) { for (int i = 0; i < n && i < m; i++) a[i] += 8; }
LOOP broken_off(int n, int m, double *restrict a) {
  for (int i = 0; i < n; i++) {
    if (i == m)
      break;
    a[i] += 9;
  }
}

int main(void) {
  for (int n = -6; n < 40; n++) {
    for (int i = 0; i < N + 100; i++)
      a[i] = b[i] = (i * 7) % 13;
    double *p = a + 20;
    // Not known to be in the middle of an array, which would not be in rows of `s`.
    double *volatile unknown = p, *start = unknown;
    up(n, p);
    down(n, p);
    by_four(n, p);
    for (int s = -1; s < 4; s++)
      by_step(n, s, start);
    narrow((unsigned char)n % 64, p);
    at_least_once(n, p);
    half(n, p);
    rest(n, p);
    both_ends(n, p);
    for (int m = -1; m < 50; m += 7) {
      two_bounds(n, m, p);
      broken_off(n, m, p);
    }
    if (n >= 0) {
      thirds(n, p);
      inclusive(n, p);
      unequal(n & ~1, p);
      unsigned_down(n, p);
      to_zero(n, p);
      pointers(p, p + n);
      pointers_below(p, b, n);
    }
    double sum = 0;
    for (int i = 0; i < N + 100; i++)
      sum = 0.9 * sum + a[i];
    printf("%d: %.17g\n", n, sum);
  }
  return 0;
}
