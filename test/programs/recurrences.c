// Recurrences over tables, with reductions of what they store and offsets that are loaded, and sums that are kept in registers.
#include <stdio.h>
#include <stdlib.h>

#define FUNCTION static __attribute__((noinline))

// A weight may be negative, as long as it stays in the table.
FUNCTION int knapsack(int n, int W, const int *weight, const int *value, int *dp) {
  for (int i = 1; i <= n; i++)
    for (int w = 0; w <= W; w++) {
      if (weight[i - 1] <= w) {
        int t = value[i - 1] + dp[(i - 1) * (W + 1) + w - weight[i - 1]];
        dp[i * (W + 1) + w] = t > dp[(i - 1) * (W + 1) + w] ? t : dp[(i - 1) * (W + 1) + w];
      } else
        dp[i * (W + 1) + w] = dp[(i - 1) * (W + 1) + w];
    }
  return dp[n * (W + 1) + W];
}

FUNCTION unsigned long shifted(long n, long m, const long *shift, unsigned long *a) {
  for (long i = 1; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] += 3 * a[(i - 1) * m + j + shift[i]];
  return a[0];
}

FUNCTION int local_alignment(int n, int m, const char *restrict a, const char *restrict b, int *restrict h) {
  int best = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int d = h[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
      int u = h[(i - 1) * (m + 1) + j] - 1, l = h[i * (m + 1) + j - 1] - 1;
      int v = d > u ? d : u;
      v = v > l ? v : l;
      v = v > 0 ? v : 0;
      h[i * (m + 1) + j] = v;
      if (v > best)
        best = v;
    }
  return best;
}

// The sum starts with what was there, and the maximum below all.
FUNCTION int sum_and_least(int n, int m, int *restrict h, int sum) {
  int least = 1 << 30;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int v = (h[(i - 1) * (m + 1) + j] + h[i * (m + 1) + j - 1]) & 1023;
      h[i * (m + 1) + j] = v;
      sum += v;
      least = v < least ? v : least;
    }
  return sum ^ least;
}

// Not all of what the loop hands on is the reduction.
FUNCTION int handed_on(int n, int m, int *restrict h, int *restrict e) {
  int best = 0, before = 5;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int u = h[(i - 1) * (m + 1) + j] - 1, l = h[i * (m + 1) + j - 1] + 1;
      int v = u > l ? u : l;
      e[i * (m + 1) + j] = before;
      h[i * (m + 1) + j] = v;
      before = best;
      best = v > best ? v : best;
    }
  return best + before;
}

FUNCTION int correlations(int n, int m, const double *restrict x, double *restrict r) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
      for (int i = 0; i < m; i++) {
        double u = x[a * m + i], v = x[b * m + i];
        sa += u;
        sb += v;
        saa += u * u;
        sbb += v * v;
        sab += u * v;
      }
      r[a * n + b] = (m * sab - sa * sb) * (m * saa - sa * sa) * (m * sbb - sb * sb);
    }
  return n;
}

static void run(int n, int m) {
  size_t size = (size_t)(n + 1) * (m + 1);
  int *weight = calloc(n + 1, sizeof *weight), *value = calloc(n + 1, sizeof *value);
  int *h = calloc(size, sizeof *h), *e = calloc(size, sizeof *e);
  long *shift = calloc(n + 1, sizeof *shift);
  unsigned long *l = calloc(size, sizeof *l);
  char *a = malloc(n + 1), *b = malloc(m + 1);
  double *x = malloc(size * sizeof *x), *r = calloc((n + 1) * (n + 1), sizeof *r);
  unsigned long long sum = 0;
#define REPORT(p, count)                                                                                                                   \
  for (size_t i = 0; i < (count) * sizeof *p; i++)                                                                                         \
    sum = sum * 31 + ((unsigned char *)p)[i];                                                                                              \
  printf("%s %llu\n", #p, sum)
#define CALL(call) printf("%s %ld\n", #call, (long)(call))
  for (int signs = 0; signs < 2; signs++) {
    for (int i = 0; i <= n; i++) {
      // The rows behind the first read rows before the last, so that neither a negative nor a large offset leaves the table.
      int is_negative = signs && i > 0 && i < n - 1 && i % 3 == 1;
      weight[i] = is_negative ? -(i % 4) : i * 7 % 11;
      shift[i] = signs && i > 1 && i < n - 1 ? i % 3 - 1 : 0;
      value[i] = i * 5 % 13 + 1;
      a[i] = "ACGT"[i * 3 % 7 % 4];
    }
    for (int j = 0; j <= m; j++)
      b[j] = "ACGT"[j * 5 % 9 % 4];
    for (size_t i = 0; i < size; i++)
      h[i] = 0, e[i] = i % 5, l[i] = i * 3 % 17, x[i] = i * 7 % 16;
    if (!signs || m > 4)
      CALL(knapsack(n, m, weight, value, h));
    REPORT(h, size);
    if (!signs || m > 1)
      CALL(shifted(n, m, shift, l));
    REPORT(l, size);
    for (size_t i = 0; i < size; i++)
      h[i] = 0;
    CALL(local_alignment(n, m, a, b, h));
    REPORT(h, size);
    CALL(sum_and_least(n, m, h, signs));
    REPORT(h, size);
    CALL(handed_on(n, m, h, e));
    REPORT(h, size);
    REPORT(e, size);
    CALL(correlations(n, m, x, r));
    REPORT(r, (size_t)n * n);
  }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 20;
  run(n, n);
  run(n, 4 * n + 1);
  run(4 * n, n / 3);
}
