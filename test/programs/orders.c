// Live ranges that change places, and reductions in another order.
#include <limits.h>
#include <stdio.h>

#define N 70
#define LOOP __attribute__((noinline)) static void

static int a[N][N], b[N][N], s[N];
static float x[N][N], y[N][N];
static double z[N][N];

LOOP phi(int n, float (*restrict x)[N], float (*restrict y)[N], double (*restrict z)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float t;
      if (i < n / 2)
        t = x[j][i] * 2;
      else
        t = y[j][i] + 1;
      z[j][i] = (double)t * t;
    }
}
LOOP across(int n, float (*restrict x)[N], double (*restrict z)[N]) {
  float t = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      z[j][i] = t;
      if (i > j)
        t = x[j][i];
    }
  z[0][0] = t;
}
LOOP temporary(int n, int (*restrict a)[N], int (*restrict b)[N]) {
  static int t[N];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      t[j] = a[j][i] + 1;
    for (int j = 0; j < n; j++)
      b[j][i] = t[n - 1 - j];
  }
}
// The sums of rows stay in range, those of columns need not.
LOOP sum(int n, int *restrict s, int (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[0] += a[j][i];
}
LOOP extremes(int n, int *restrict s, int (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[1] = s[1] > a[j][i] ? s[1] : a[j][i];
      s[2] = s[2] < a[j][i] ? s[2] : a[j][i];
      s[3] ^= a[j][i];
      s[4] |= a[j][i];
      s[5] &= a[j][i];
      s[6] *= a[j][i];
    }
}
LOOP own(int n, int (*restrict a)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[3][5] += a[j][i];
}
LOOP between(int n, int *restrict s, int (*restrict a)[N]) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      s[7] += a[j][i];
    s[i] = s[7];
  }
}
LOOP strict(int n, float *restrict s, float (*restrict x)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s[0] += x[j][i];
}
LOOP two_kinds(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      s[j] += a[j][i] % 16;
      s[i] ^= b[j][i];
    }
}

LOOP in_register(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  int t = s[1];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t += a[j][i];
      t -= b[j][i];
    }
  s[0] = t;
}
LOOP of_columns(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  unsigned all = 1;
  for (int i = 0; i < n; i++) {
    int t = s[i];
    for (int j = 0; j < n; j++) {
      if (i < j)
        t += a[j][i];
      for (int k = j; k < n; k++)
        t -= b[k][i];
    }
    all *= t;
    s[i] = t;
  }
  b[0][0] = all;
}
// Both values are needed, the old and the new one.
LOOP old_and_new(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  int t = 1;
  for (int i = 0; i < n; i++) {
    int old = t;
    for (int j = 0; j < n; j++)
      t += a[j][i];
    for (int j = 0; j < n; j++)
      b[j][i] = old - t;
  }
  s[0] = t;
}
// The last value stays the last one.
LOOP last(int n, float *restrict s, float (*restrict x)[N], float (*restrict y)[N]) {
  float t = 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n - i; j++) {
      t = x[j][i] * 2;
      y[j][i] += t;
    }
  s[0] = t;
}
LOOP anew(int n, int *restrict s, int (*restrict a)[N]) {
  int t = 5;
  for (int i = 0; i < n; i++) {
    t = i;
    for (int j = 0; j < n; j++)
      t ^= a[j][i];
  }
  s[0] = t;
}
LOOP handed(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  unsigned p = 0, q = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      unsigned next = p + q + b[j][i];
      p = q;
      q = next;
      a[j][i] = p;
    }
  s[0] = q - p;
}
LOOP on_data(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  int t = s[2];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] > 0)
        t += a[j][i];
      else if (b[j][i] < -5)
        t -= a[i][j];
  s[3] = t;
}
// A condition on data around an update in memory, and one on the sum so far.
LOOP in_memory(int n, int *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] > 3)
        s[4] += a[j][i];
}
LOOP saturating(int n, int *restrict s, int (*restrict a)[N]) {
  int t = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (t < 1000)
        t += a[j][i];
  s[5] = t;
}
LOOP both_kinds(int n, unsigned *restrict s, int (*restrict a)[N], int (*restrict b)[N]) {
  unsigned t = 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] % 3)
        t += a[j][i];
      else
        t *= a[j][i];
  s[6] = t;
}
// The sums have a loop of their own, of which no iterations are executed at once.
LOOP of_its_own(int n, int *restrict a, int *b) {
  for (int i = 0; i < 16; i++) {
    b[i] = a[i] * 2;
    int t = b[n] + 1;
    for (int j = 0; j < n - i; j++)
      b[i - 1] += t;
  }
}

static void fill(void) {
  for (int i = 0; i < N; i++) {
    s[i] = i;
    for (int j = 0; j < N; j++) {
      a[i][j] = (j % 2 ? -1 : 1) * (INT_MAX / 3 * (i % 2 + 1)) + i * j;
      b[i][j] = i - j;
      x[i][j] = 1.0f / (1 + i + j);
      y[i][j] = i * 0.25f - j;
      z[i][j] = i + j;
    }
  }
}
static void report(const char *name) {
  unsigned long h = 5381;
  const void *parts[] = { a, b, s, x, y, z };
  unsigned long sizes[] = { sizeof a, sizeof b, sizeof s, sizeof x, sizeof y, sizeof z };
  for (int k = 0; k < 6; k++)
    for (unsigned long i = 0; i < sizes[k]; i++)
      h = h * 33 ^ ((const unsigned char *)parts[k])[i];
  printf("%s %lx\n", name, h);
}

int main(void) {
  int sizes[] = { 0, 1, 2, 7, N };
  for (int k = 0; k < 5; k++) {
    int n = sizes[k];
    fill(); phi(n, x, y, z); report("phi");
    fill(); across(n, x, z); report("across");
    fill(); temporary(n, a, b); report("temporary");
    fill();
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] /= N;
    sum(n, s, a); report("sum");
    fill();
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = a[i][j] % 2;
    extremes(n, s, a); report("extremes");
    fill();
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] /= 2 * N;
    own(n, a); report("own");
    between(n, s, a); report("between");
    strict(n, x[0], y); report("strict");
    two_kinds(n, s, a, b); report("two kinds");
    fill();
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] /= 2 * N;
    in_register(n, s, a, b); report("in a register");
    of_columns(n, s, a, b); report("of columns");
    old_and_new(n, s, a, b); report("old and new");
    last(n, x[0], y, x); report("last");
    anew(n, s, a); report("anew");
    handed(n, s, a, b); report("handed");
    fill();
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] /= 2 * N;
    of_its_own(n, a[1], b[1]); report("of its own");
    on_data(n, s, a, b); report("on data");
    in_memory(n, s, a, b); report("in memory");
    saturating(n, s, a); report("saturating");
    both_kinds(n, (unsigned *)s, a, b); report("both kinds");
  }
  return 0;
}
