// Loops with switches, on counters and on data.
#include <stdio.h>
#include <stdlib.h>

#define N 60
#define LOOP __attribute__((noinline)) static void

static double a[N * N + 100], b[N * N + 100];
static int p[N * N + 100];

LOOP on_counters(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (j - i) {
      case -1: a[j * n + i] += 1; break;
      case 2: case 3: a[j * n + i] += 2; break;
      case 4: a[j * n + i] *= 3; b[i] += 4; break;
      case 900: b[i] = 7; break;
      default: a[j * n + i] -= 5;
      }
}
LOOP on_unsigned(unsigned n, double *a, double *b) {
  for (unsigned char i = 0; i < n; i++)
    switch (i) {
    case 0: a[i] = 1; break;
    case 200: a[i] = 2; break;
    case 255: return;
    case 31: a[i] = b[i]; b[i + 1] = 3; break;
    }
}
LOOP on_data(int n, double *restrict a, int *restrict p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double v = 0;
      switch (p[j * n + i]) {
      case 3: v = 1; break;
      case 7: case 9: v = a[j]; a[j * n + i] = 2; break;
      case 4: a[i * n + j] = 3; p[j * n + i] = 4; break;
      case -1: v = 6; break;
      }
      a[j * n + i] += v;
    }
}
LOOP falls_through(int n, double *restrict a, const int *restrict p) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (p[j * n + i] & 3) {
      case 0: a[j * n + i] += 1;
      case 1: a[j * n + i] *= 2;
      case 2: a[j * n + i] -= 3;
      }
}
LOOP on_parameter(int n, int how, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (how) {
      case 0: a[j * n + i] = i; break;
      case 1: a[j * n + i] = b[i]; break;
      case 2: b[i] += a[j * n + i]; break;
      }
}

static void reset(void) {
  for (int i = 0; i < N * N + 100; i++) {
    a[i] = i % 17;
    b[i] = i % 11;
    p[i] = i * 7 % 12 - 1;
  }
}

static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < N * N + 100; i++)
    sum += i % 29 * a[i] + i % 31 * b[i] + i % 37 * p[i];
  printf("%s: %.17g\n", name, sum);
  reset();
}

#define SHOW(call) do { call; show(#call); } while (0)

int main(void) {
  reset();
  for (int n = 0; n <= N; n += 15) {
    SHOW(on_counters(n, a, b));
    SHOW(on_unsigned(n, a, b));
    SHOW(on_unsigned(n, a, a + 1));
    SHOW(on_data(n, a, p));
    SHOW(falls_through(n, a, p));
    for (int how = -1; how < 4; how++)
      SHOW(on_parameter(n, how, a, b));
  }
  return 0;
}
