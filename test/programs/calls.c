// Calls that access memory in loops, and types with padding. Each is run with arrays that are apart and that overlap.
#include <math.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define N 40
#define LOOP __attribute__((noinline)) static void

static double a[N * N + 100], b[N * N + 100], c[N * N + 100];
static long double x[N * N + 10], y[N + 10];
static union bits { long double x; long words[2]; } u[N];
static int lengths[N];

LOOP set_rows(long n, long m, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++) {
    memset(a + i * m, 0, m * sizeof(double));
    for (long j = 0; j < m; j++)
      a[i * m + j] += b[j];
  }
}
LOOP set_columns(long n, long m, double *a, double *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      memset(a + j * n + i, i, sizeof(double));
      b[j * n + i] += 1;
    }
}
LOOP copy_pieces(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    memcpy(b + 7 * i, a + i, 7 * sizeof(double));
}
LOOP move_along(int n, int m, double *a) {
  for (int t = 0; t < 3; t++)
    for (int i = 0; i < n; i++)
      memmove(a + i + t, a + i + 1, m * sizeof(double));
}
struct big { double x[9]; };
LOOP structures(int n, struct big *a, struct big *b) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) {
      a[i] = b[i];
      b[i].x[t] = i;
    }
}
LOOP any_length(int n, double *restrict a, const int *restrict length) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    memset(a + i, 0, length[i]);
  }
}
LOOP under_condition(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[i] > 5)
        memcpy(a + j * n + i, b + i, sizeof(double));
}
__attribute__((noinline, pure)) static double look(double v) { return a[3] + v; }
LOOP reads_what_is_written(int n, double *a, const double *restrict b) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++)
      a[i] = look(b[i]) / 2;
}
__attribute__((noinline)) static void put(double *to, double v) { *to = v * 2 + to[1]; }
LOOP writes_its_argument(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      b[j * n + i] += 3;
      put(a + i, j);
    }
}
LOOP lives_inside(long n, double *a, double *b) {
  for (long i = 0; i < n; i++) {
    double t[N];
    for (int j = 0; j < N; j++)
      t[j] = b[j * N + i];
    for (int j = 0; j < N; j++)
      a[j * N + i] = t[N - 1 - j] + t[j];
  }
}
LOOP lengths_of_text(int n, char *text, long *restrict to) {
  for (int i = 0; i < n; i++)
    to[i] = strlen(text + i);
}
__attribute__((noinline)) static long double padded(long n, long m, long double *x, long double *y) {
  long double all = 0;
  for (long i = 0; i < n; i++) {
    y[i] = 0;
    for (long j = 0; j < m; j++)
      y[i] += x[j * m + i];
    all += y[i];
  }
  return all;
}
LOOP mixed(int n, union bits *restrict u) {
  for (int t = 0; t < 2; t++)
    for (int i = 0; i < n; i++) {
      u[i].words[1] = -1L;
      u[i].x = i + t;
    }
}
LOOP ranges(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j * n + i] = hypot(a[j * n + i], cosh(b[j]));
}

static void reset(void) {
  for (int i = 0; i < N * N + 100; i++) {
    a[i] = i % 17;
    b[i] = i % 11;
    c[i] = i % 7;
  }
  for (int i = 0; i < N * N + 10; i++)
    x[i] = i % 13 / 4.0L;
  for (int i = 0; i < N; i++)
    lengths[i] = i % 5 * 4 % 24;
}

static void show(const char *name) {
  double sum = 0;
  for (int i = 0; i < N * N + 100; i++)
    sum += i % 29 * a[i] + i % 31 * b[i] + i % 37 * c[i];
  long bits = 0;
  for (int i = 0; i < N; i++)
    bits += i * u[i].words[0] + u[i].words[1];
  printf("%s: %.17g %ld\n", name, sum, bits);
  reset();
}

#define SHOW(call) do { call; show(#call); } while (0)

int main(void) {
  reset();
  for (long n = 0; n <= N; n += 13) {
    for (long m = 0; m <= n; m += 6) {
      SHOW(set_rows(n, m, a, b));
      SHOW(move_along(n, m, a));
    }
    SHOW(set_columns(n, n, a, b));
    SHOW(set_columns(n, n, a, a + n * n / 2));
    SHOW(copy_pieces(n, a, b));
    SHOW(copy_pieces(n, a + 8 * n, a));
    SHOW(structures(n, (struct big *)a, (struct big *)b));
    SHOW(structures(n, (struct big *)a, (struct big *)(a + 18)));
    SHOW(any_length(n, a, lengths));
    SHOW(under_condition(n, a, b));
    SHOW(reads_what_is_written(n, a, b));
    SHOW(reads_what_is_written(n, c, b));
    SHOW(writes_its_argument(n, a, b));
    SHOW(lives_inside(n, a, b));
    SHOW(lives_inside(n, a, a + 1));
    SHOW(mixed(n, u));
    long double sum = padded(n, n, x, y);
    printf("%.20Lg %.20Lg\n", sum, padded(n, n, x, x + 7));
    SHOW(ranges(n, a, b));
  }
  char text[] = "one, two, three and four; five six seven";
  long to[N];
  lengths_of_text(N, text, to);
  lengths_of_text(8, (char *)to, to + 8);
  b[3] = 1e300;
  errno = 0;
  ranges(20, a, b);
  printf("%ld %ld %d\n", to[3], to[9], errno == ERANGE);
}
