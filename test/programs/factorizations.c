// Factorizations, whose tiles off the diagonal are of one statement, and recurrences, which run in wavefronts. The argument is a size.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define M 160
#define FUNCTION __attribute__((noinline)) static void

FUNCTION lu(long n, double a[M][M]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[k][j];
      a[i][j] /= a[j][j];
    }
    for (long j = i; j < n; j++)
      for (long k = 0; k < i; k++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
FUNCTION right_looking(long n, double a[M][M]) {
  for (long k = 0; k < n; k++) {
    for (long i = k + 1; i < n; i++)
      a[i][k] /= a[k][k];
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}
FUNCTION cholesky(long n, float a[M][M]) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++) {
      for (long k = 0; k < j; k++)
        a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
    for (long k = 0; k < i; k++)
      a[i][i] -= a[i][k] * a[i][k];
    a[i][i] = a[i][i] * 0.5f + 1.0f;
  }
}
FUNCTION upper_cholesky(long n, double a[M][M]) {
  for (long j = 0; j < n; j++) {
    for (long i = 0; i < j; i++) {
      for (long k = 0; k < i; k++)
        a[i][j] -= a[k][i] * a[k][j];
      a[i][j] /= a[i][i];
    }
    for (long k = 0; k < j; k++)
      a[j][j] -= a[k][j] * a[k][j];
    a[j][j] = a[j][j] * 0.25 + 2.0;
  }
}
FUNCTION right_looking_cholesky(long n, long p, float *restrict a) {
  for (long k = 0; k < n; k++) {
    for (long i = k + 1; i < n; i++)
      a[i * p + k] /= a[k * p + k];
    for (long i = k + 1; i < n; i++)
      for (long j = k + 1; j <= i; j++)
        a[i * p + j] -= a[i * p + k] * a[j * p + k];
  }
}
FUNCTION column_major(int n, int p, double a[restrict p][p]) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++)
      a[k][i] /= a[k][k];
    for (int j = k + 1; j < n; j++)
      for (int i = k + 1; i < n; i++)
        a[j][i] -= a[k][i] * a[j][k];
  }
}
FUNCTION solve_backward(int n, int m, int p, const float u[restrict p][p], float b[restrict p][p]) {
  for (int i = n - 1; i >= 0; i--)
    for (int r = 0; r < m; r++) {
      for (int j = i + 1; j < n; j++)
        b[i][r] -= u[i][j] * b[j][r];
      b[i][r] /= u[i][i];
    }
}
FUNCTION solve_transposed(int n, int m, int p, const double l[restrict p][p], double b[restrict p][p]) {
  for (int r = 0; r < m; r++)
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++)
        b[r][i] -= l[i][j] * b[r][j];
      b[r][i] /= l[i][i];
    }
}
FUNCTION three_factors(int n, int p, double a[restrict p][p], double *restrict d) {
  for (int j = 0; j < n; j++) {
    double s = a[j][j];
    for (int k = 0; k < j; k++)
      s -= a[j][k] * a[j][k] * d[k];
    d[j] = s;
    for (int i = j + 1; i < n; i++) {
      double t = a[i][j];
      for (int k = 0; k < j; k++)
        t -= a[i][k] * a[j][k] * d[k];
      a[i][j] = t / s;
    }
  }
}
FUNCTION reads_what_it_writes(int n, int p, double a[restrict p][p]) {
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++)
      a[i][k] = a[i][k] * 0.5 + 1;
    for (int i = 0; i < n; i++)
      for (int j = k; j < n; j++)
        a[i][j] -= a[i][k] * a[j][k] * 0.001;
  }
}
FUNCTION many_right_hand_sides(long n, double a[M][M], double b[M][M]) {
  for (long i = 0; i < n; i++)
    for (long r = 0; r < n; r++) {
      for (long j = 0; j < i; j++)
        b[i][r] -= a[i][j] * b[j][r];
      b[i][r] /= a[i][i];
    }
}
FUNCTION inverse(long n, double a[M][M]) {
  for (long j = 0; j < n; j++) {
    for (long i = j + 1; i < n; i++) {
      double s = a[i][j];
      for (long k = j + 1; k < i; k++)
        s += a[i][k] * a[k][j];
      a[i][j] = -s;
    }
  }
}
FUNCTION in_place(long n, long steps, double a[M][M]) {
  for (long t = 0; t < steps; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j + 1]) / 5;
}
FUNCTION along_both(long n, float a[M][M], float b[M][M]) {
  for (long i = 1; i < n; i++)
    for (long j = 1; j < n; j++)
      a[i][j] = b[i][j] + 0.5f * a[i - 1][j] / (1 + a[i][j - 1] * a[i][j - 1]);
}
FUNCTION against_each_other(long n, double a[M][M]) {
  for (long i = 1; i < n; i++)
    for (long j = n - 2; j >= 0; j--)
      a[i][j] = 0.25 * a[i - 1][j] / (2 + a[i][j + 1] * a[i - 1][j + 1]);
}
FUNCTION forward(long n, double a[M][M], double *restrict x) {
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}
FUNCTION gram_schmidt(long n, double a[M][M], double r[M][M]) {
  for (long k = 0; k < n; k++) {
    double norm = 0;
    for (long i = 0; i < n; i++)
      norm += a[i][k] * a[i][k];
    r[k][k] = norm / 4;
    for (long i = 0; i < n; i++)
      a[i][k] /= r[k][k];
    for (long j = k + 1; j < n; j++) {
      r[k][j] = 0;
      for (long i = 0; i < n; i++)
        r[k][j] += a[i][k] * a[i][j];
      for (long i = 0; i < n; i++)
        a[i][j] -= a[i][k] * r[k][j];
    }
  }
}

// One of two stores, each under a condition, ends the sum for each element.
FUNCTION cholesky_by_elements(int n, int p, double a[restrict p][p]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = a[i][j];
      for (int k = 0; k < j; k++)
        s -= a[i][k] * a[j][k];
      if (i == j)
        a[i][j] = s * 0.25 + 2.0;
      else
        a[i][j] = s / a[j][j];
    }
}
FUNCTION lu_by_elements(long n, float a[M][M]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = a[i][j];
      long last = i < j ? i : j;
      for (long k = 0; k < last; k++)
        s -= a[i][k] * a[k][j];
      if (j < i)
        s /= a[j][j];
      a[i][j] = s;
    }
}
// The third store is of another element.
FUNCTION into_two(long n, double a[restrict M][M], double b[restrict M][M]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double s = 0;
      for (long k = 0; k <= i; k++)
        s += a[i][k] * a[k][j];
      if (j < i)
        b[i][j] = s;
      else if (j == i)
        b[i][i] = s * 2, b[j][0] = s;
      else
        b[i][j] = s / 4;
    }
}

static double a[M][M], b[M][M];
static float c[M][M], d[M][M];

static void fill(long salt, long n) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < M; j++) {
      a[i][j] = (double)((i * 37 + j * 11 + salt) % 101) / 128 + (i == j ? n + 1 : 0);
      b[i][j] = (double)((i * 7 + j * 29 + salt) % 97) / 64;
      c[i][j] = (float)a[i][j], d[i][j] = (float)b[i][j];
    }
}

static void report(const char *name) {
  uint64_t hash = 14695981039346656037u;
  const void *all[] = {a, b, c, d};
  const size_t sizes[] = {sizeof a, sizeof b, sizeof c, sizeof d};
  for (int k = 0; k < 4; k++)
    for (size_t x = 0; x < sizes[k]; x++)
      hash = (hash ^ ((const unsigned char *)all[k])[x]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

#define RUN(salt, call) (fill(salt, n), call, report(#call))

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 100;
  // A length of rows that is no constant.
  int row = argc > 2 ? atoi(argv[2]) : M;
  RUN(1, lu(n, a));
  RUN(2, right_looking(n, a));
  RUN(3, cholesky(n, c));
  RUN(4, many_right_hand_sides(n, a, b));
  RUN(5, inverse(n, a));
  RUN(6, in_place(n, 5, a));
  RUN(7, along_both(n, c, d));
  RUN(8, against_each_other(n, a));
  RUN(9, forward(n, a, b[3]));
  RUN(10, upper_cholesky(n, a));
  RUN(11, right_looking_cholesky(n, row, c[0]));
  RUN(12, column_major(n, row, a));
  RUN(13, solve_backward(n, n / 2 + 3, row, c, d));
  RUN(14, solve_transposed(n, n / 2 + 3, row, a, b));
  RUN(15, three_factors(n, row, a, b[1]));
  RUN(16, reads_what_it_writes(n, row, a));
  RUN(17, gram_schmidt(n, a, b));
  RUN(18, cholesky_by_elements(n, row, a));
  RUN(19, lu_by_elements(n, c));
  RUN(20, into_two(n, a, b));
  return 0;
}
