// Storage from the heap that holds numbers of one type first, and of another one later. Accesses that are added for scalars see what is there.
#include <stdio.h>
#include <stdlib.h>

#define LOOP __attribute__((noinline)) static void
#define N 24

// The stored value is in a register when the element is overwritten.
LOOP stored(long n, long m, double *w, float *f, double (*restrict a)[N], const double *restrict x) {
  for (long i = 0; i < n; i++) {
    double s = 2 * w[i] + x[i];
    w[i] = s;
    f[2 * i] = (float)s / 2;
    f[2 * i + 1] = (float)s;
    for (long j = 0; j < m; j++)
      a[j][i] += s * x[j];
  }
}
// So is the loaded one.
LOOP loaded(long n, long m, const double *w, float *f, double (*restrict a)[N], const double *restrict x) {
  for (long i = 0; i < n; i++) {
    double s = w[i];
    f[2 * i] = 1;
    f[2 * i + 1] = 2;
    for (long j = 0; j < m; j++)
      a[j][i] += s * x[j];
  }
}
// The sum is in a register while the element has other numbers.
LOOP summed(long n, double *w, const float *f) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long j = 0; j < 2; j++)
      s += f[2 * i + j];
    w[i] = s;
  }
}
LOOP used(long n, long m, double *w, const float *f, double (*restrict a)[N], const double *restrict x) {
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long j = 0; j < m; j++)
      s += a[i][j] * f[2 * i + (j & 1)];
    w[i] = s;
    for (long j = 0; j < m; j++)
      a[i][j] -= s * x[j];
  }
}

static double table[N][N], x[N];

static void report(const char *what, const double *w) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += table[i][j] * (i * 7 + j) + (w ? w[i] : 0);
  printf("%s %a\n", what, sum);
}

int main(void) {
  for (int apart = 0; apart < 2; apart++) {
    void *one = malloc(N * sizeof(double)), *other = apart ? malloc(N * sizeof(double)) : one;
    for (int i = 0; i < N; i++) {
      x[i] = i % 5;
      for (int j = 0; j < N; j++)
        table[i][j] = (i + j) % 3;
    }
    double *w = one;
    float *f = other;
    for (int i = 0; i < N; i++)
      w[i] = i % 4;
    stored(N, N - 3, w, f, table, x);
    report("stored", NULL);
    for (int i = 0; i < N; i++)
      w[i] = i % 3;
    loaded(N, N - 2, w, f, table, x);
    report("loaded", NULL);
    for (int i = 0; i < 2 * N; i++)
      f[i] = (float)(i % 7);
    summed(N, w, f);
    report("summed", w);
    for (int i = 0; i < 2 * N; i++)
      f[i] = (float)(i % 3);
    used(N, N - 1, w, f, table, x);
    report("used", w);
  }
  return 0;
}
