// Values that a statement stores, and that loops behind it have in registers.
#include <stdio.h>
#include <string.h>

#define LOOP __attribute__((noinline)) static void
#define N 70

static double a[N][N], b[N][N], w[N + 1][N + 1], x[N + 1];
static long counts[N][N], total[N + 1];
static int root[N][N];

LOOP outer(int n, int m, int p) {
  for (int t = 0; t < p; t++)
    for (int i = 0; i < n; i++) {
      w[t][i] = 2.0 * w[t][i] + x[i];
      for (int j = 0; j < m; j++)
        a[i][j] += w[t][i] * b[t][j];
    }
}
// Tables of intervals, with what is best in the middle.
LOOP intervals(int n) {
  for (int l = 1; l < n; l++)
    for (int i = 0; i < n - l; i++) {
      int j = i + l;
      a[i][j] = 1e30;
      w[i][j] = w[i][j - 1] + x[j];
      for (int r = i + 1; r <= j; r++) {
        double t = a[i][r - 1] + a[r][j] + w[i][j];
        if (t < a[i][j]) {
          a[i][j] = t;
          root[i][j] = r;
        }
      }
    }
}
// The element has another value before the loop ends.
LOOP replaced(int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = x[i] * 3;
    x[i] = s;
    for (int j = 0; j < m; j++) {
      a[i][j] += s * j;
      x[i] = j;
    }
  }
}
// So it has for one of the iterations.
LOOP replaced_once(int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = b[i][0] + 1;
    x[i] = s;
    for (int j = 0; j < m; j++) {
      x[j] = b[i][j];
      a[j][i] += s;
    }
  }
}
// Two elements, which may be the same.
LOOP twice(int n, int m, int k) {
  for (int i = 0; i < n; i++) {
    double s = x[i] + b[i][0];
    x[i] = s;
    x[k] = 2;
    for (int j = 0; j < m; j++)
      a[j][i] += s * b[i][j];
  }
}
LOOP next(int n, int m) {
  for (int i = 0; i < n; i++) {
    double s = x[i] * 0.5;
    x[i] = s;
    for (int j = 0; j < m; j++)
      a[j][i] += s * b[i][j];
    x[i + 1] += s;
    for (int j = 0; j < m; j++)
      b[j][i] += s;
  }
}
LOOP sometimes(int n, int m) {
  for (int i = 0; i < n; i++) {
    long s = total[i] * 7 + i;
    if (i > 3)
      total[i] = s;
    for (int j = 0; j < m; j++)
      counts[j][i] += s;
  }
}
LOOP sums(int n, int m) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < m; j++)
      s += counts[i][j];
    total[i] = s;
    for (int j = 0; j < m; j++)
      counts[i][j] -= s;
  }
}

static void report(const char *what, int n, int m) {
  unsigned long sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum = sum * 31 + (unsigned long)(long)(a[i][j] * 16) + (unsigned long)(long)(w[i][j] * 16) +
            (unsigned long)(long)(b[i][j] * 16) + (unsigned long)counts[i][j] + (unsigned long)root[i][j];
  for (int i = 0; i <= N; i++)
    sum = sum * 31 + (unsigned long)(long)(x[i] * 16) + (unsigned long)total[i];
  printf("%s %d %d %lx\n", what, n, m, sum);
}

static void reset(void) {
  for (int i = 0; i <= N; i++) {
    x[i] = (i * 5 % 17) / 4.0;
    total[i] = i * 3 % 11;
    for (int j = 0; j <= N; j++)
      w[i][j] = (i * 3 + j * 7) % 13 / 8.0;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (i + j * 2) % 19 / 2.0;
      b[i][j] = (i * 11 + j) % 23 / 4.0;
      counts[i][j] = (i * j) % 29;
      root[i][j] = 0;
    }
}

int main(void) {
  static const int sizes[][2] = {{0, 0}, {1, 1}, {1, 5}, {4, 3}, {7, 9}, {16, 16}, {33, 35}, {65, 64}};
  for (int k = 0; k < 8; k++) {
    int n = sizes[k][0], m = sizes[k][1];
    reset();
    outer(n, m, m / 2 + 1);
    report("outer", n, m);
    intervals(n);
    report("intervals", n, m);
    replaced(n, m);
    report("replaced", n, m);
    replaced_once(n, m);
    report("replaced_once", n, m);
    twice(n, m, n / 2);
    report("twice", n, m);
    next(n, m);
    report("next", n, m);
    sometimes(n, m);
    report("sometimes", n, m);
    sums(n, m);
    report("sums", n, m);
  }
  return 0;
}
