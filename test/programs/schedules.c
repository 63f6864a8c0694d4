// Nests for which another schedule than the first one is looked for: accesses along diagonals, stencils over time, and reflections. The
// argument is a size.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define M 160
#define LOOP __attribute__((noinline)) static void
#define MIN(x, y) ((x) < (y) ? (x) : (y))

static double d[2 * M][M], e[2 * M][M], x[M], y[M];
static float f[2 * M][M];
static int v[2 * M][M];

// A table has a diagonal in each row.
LOOP alignment(int n) {
  for (int i = 2; i < n; i++)
    for (int j = 2; j < n; j++)
      d[i + j][i] = MIN(d[i + j - 2][i - 1] + x[i] * y[j], MIN(d[i + j - 1][i - 1], d[i + j - 1][i]) + 0.5);
}
LOOP alignment_of_ints(int n) {
  for (int i = 2; i < n; i++)
    for (int j = 2; j < n; j++)
      v[i + j][i] = MIN(v[i + j - 2][i - 1] + 3, MIN(v[i + j - 1][i - 1], v[i + j - 1][i]) + 2);
}
LOOP downwards(int n) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++)
      e[j - i][i] = 0.5 * e[j - i - 1][i] + 0.25 * e[j - i - 1][i + 1];
}
LOOP intervals(int n) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++)
      for (int k = i; k < j; k++)
        d[j - i][i] = MIN(d[j - i][i], d[k - i][i] + d[j - k - 1][k + 1] + x[k]);
}
LOOP sheared(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      f[i + j][i] = f[i + j][i] * (float)x[i] + f[i + j][j];
}
LOOP band_times_vector(int n, int k) {
  for (int i = 0; i < n; i++)
    for (int j = i > k ? i - k : 0; j < n && j <= i + k; j++)
      y[i] += d[j - i + k][i] * x[j];
}
LOOP band_transposed(int n, int k) {
  for (int i = 0; i < n; i++)
    for (int j = i > k ? i - k : 0; j < n && j <= i + k; j++)
      y[j] += d[j - i + k][i] * x[i];
}
LOOP band_lu(int n, int w) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n && i <= k + w; i++) {
      e[k - i + w][i] /= e[w][k] + 4;
      for (int j = k + 1; j < n && j <= k + w; j++)
        e[j - i + w][i] -= e[k - i + w][i] * e[j - k + w][k];
    }
}
LOOP anti_diagonal(int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      e[i - j][j] = 0.5 * d[i - j][j] + x[i];
}

// Stencils over time.
LOOP three_points(int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      y[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1]);
    for (int i = 1; i < n - 1; i++)
      x[i] = 0.25 * (y[i - 1] + 2 * y[i] + y[i + 1]);
  }
}
LOOP upwind(int n, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 2; i < n - 1; i++)
      e[t + 1][i] = 0.5 * e[t][i - 2] + 0.25 * e[t][i] + 0.25 * e[t][i + 1];
}
LOOP in_place(int n, int steps) {
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      x[i] = 0.25 * (x[i - 1] + 2 * x[i] + x[i + 1]);
}
LOOP five_points(int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        e[i][j] = 0.2 * (d[i][j] + d[i - 1][j] + d[i + 1][j] + d[i][j - 1] + d[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        d[i][j] = 0.2 * (e[i][j] + e[i - 1][j] + e[i + 1][j] + e[i][j - 1] + e[i][j + 1]);
  }
}
LOOP nine_points(int n, int steps) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        e[i][j] = 0.1 * (d[i - 1][j - 1] + d[i - 1][j] + d[i - 1][j + 1] + d[i][j - 1] + d[i][j] + d[i][j + 1] +
                         d[i + 1][j - 1] + d[i + 1][j] + d[i + 1][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        d[i][j] = e[i][j];
  }
}

// Each column is reflected by one before it, by a sum and a difference.
// All values stay finite: LLVM does not say what sign a NaN has.
LOOP reflections(int n, int m) {
  for (int k = 0; k < n; k++)
    for (int j = k + 1; j < n; j++) {
      double sum = 0;
      for (int i = k; i < m; i++)
        sum += d[i][k] * d[i][j];
      sum = -sum / (d[k][k] * d[k][k] + 4 * m);
      for (int i = k; i < m; i++)
        d[i][j] += sum * d[i][k];
    }
}
LOOP reflections_of_floats(int n, int m) {
  for (int k = 0; k < n; k++)
    for (int j = k + 1; j < n; j++) {
      float sum = 0;
      for (int i = k; i < m; i++)
        sum += f[i][k] * f[i][j];
      for (int i = k; i < m; i++)
        f[i][j] -= 0.001f * sum * f[i][k];
    }
}

static uint64_t hash = 14695981039346656037u;

static void add(const void *values, size_t size) {
  const unsigned char *bytes = values;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ bytes[i]) * 1099511628211u;
}

static void fill(void) {
  for (int i = 0; i < 2 * M; i++)
    for (int j = 0; j < M; j++) {
      d[i][j] = (i * 7 + j * 13) % 97 / 64.0;
      e[i][j] = (i * 5 + j * 11) % 89 / 64.0;
      f[i][j] = (i * 3 + j * 17) % 83 / 64.0f;
      v[i][j] = (i * 19 + j * 23) % 79;
    }
  for (int i = 0; i < M; i++)
    x[i] = i % 29 / 16.0, y[i] = i % 31 / 16.0;
}

#define RUN(name, ...)                                                                                                 \
  do {                                                                                                                 \
    fill();                                                                                                            \
    name(__VA_ARGS__);                                                                                                 \
    add(d, sizeof d), add(e, sizeof e), add(f, sizeof f), add(v, sizeof v), add(x, sizeof x), add(y, sizeof y);        \
    printf("%s %016llx\n", #name, (unsigned long long)hash);                                                           \
  } while (0)

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 40;
  RUN(alignment, n);
  RUN(alignment_of_ints, n);
  RUN(downwards, n);
  RUN(intervals, n);
  RUN(sheared, n);
  for (int k = 0; k < n; k += 1 + k) {
    RUN(band_times_vector, n, k);
    RUN(band_transposed, n, k);
    RUN(band_lu, n, k);
  }
  RUN(anti_diagonal, n);
  for (int steps = 0; steps < n; steps += 1 + steps) {
    RUN(three_points, n, steps);
    RUN(upwind, n, steps);
    RUN(in_place, n, steps);
    RUN(five_points, n, steps);
    RUN(nine_points, n, steps);
  }
  RUN(reflections, n, n);
  RUN(reflections, n / 2, n);
  RUN(reflections_of_floats, n, n);
}
