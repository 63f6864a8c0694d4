// Loops that become vector lanes: all kinds of strides, types and operations. The argument is a size; arrays start at all offsets.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define M 64
#define LOOP __attribute__((noinline)) static void

LOOP rows_of_dot_products(long n, long m, double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s[i] += a[i * m + j] * x[j];
}
LOOP with_floats(long n, long m, float *restrict a, float *restrict x, float *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      s[i] = s[i] * 0.5f + a[i * m + j] / (x[j] + 3.0f);
}
LOOP reversed(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[n - 1 - i] = a[n - 1 - i] * b[j] - b[n - 1 - i];
}
LOOP by_threes(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[3 * i] = b[2 * i + j] - a[3 * i] * b[j];
}
LOOP by_parameter(long n, long k, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * k + j] = b[j * k + i] - 2 * a[i * k + j];
}
LOOP transposed(long n, float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[j * n + i] = b[i * n + j];
}
LOOP mixed(long n, double *restrict a, float *restrict b, int8_t *restrict c, int16_t *restrict d) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] += b[j] * c[i * n + j] + (double)(int16_t)(d[i] * 3 + j);
}
LOOP bytes(long n, uint8_t *restrict a, uint8_t *restrict b, uint32_t *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] = (a[i * n + j] + b[j * n + i] + 1) >> 1 ^ (uint8_t)c[i];
}
LOOP choices(long n, double *restrict a, double *restrict b, int *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double u = a[i] - b[j], w = b[i] * 0.25, v = b[j] < a[i] ? u : w;
      a[i] = c[j] > c[i] + 2 ? v : -v;
    }
}
LOOP functions(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] = __builtin_fma(sqrt(fabs(a[i])), b[j], __builtin_copysign(b[i], a[i]));
}
LOOP powers(long n, double *restrict a, int k) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] += __builtin_floor(a[i * n + j]) + (double)(k >> (i & 7));
}
LOOP counters_as_data(int n, double *restrict a, int *restrict c, unsigned char *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i * 0.5 - j;
      c[j * n + i] = 7 * i + j;
      d[i * n + j] = i * j;
    }
}
LOOP divisions(long n, int *restrict a, int *restrict b, unsigned *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] = (a[i] + b[j]) / (b[i] | 1) + (int)(c[j] % (c[i] | 1u));
}
LOOP indirect(long n, double *restrict a, int *restrict p, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] += b[p[i]] * b[p[j]];
}
LOOP lower_triangle(long n, double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j <= i; j++)
      s[i] += a[i * n + j] * x[j];
}
LOOP upper_triangle(long n, double *restrict a, double *restrict x, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = i; j < n; j++)
      s[i] -= a[j * n + i] * x[j];
}
LOOP product(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
}
LOOP two_statements(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      b[i * n + j] = a[i * n + j] * 2;
      c[i * n + j] = b[i * n + j] + a[j * n + i];
    }
}
LOOP by_steps(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i += 2)
    for (long j = 1; j < n; j += 3)
      a[i] += b[j] * b[i + 1];
}
LOOP downwards(long n, float *restrict a, float *restrict b) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = 0; j < n; j++)
      a[i] = a[i] * b[j] + b[i];
}
LOOP rows_in_and_out(long n, double *restrict a, double *restrict b, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      s[i] = s[i] * 0.75 + a[i * n + j];
      b[i * n + j] = s[i];
    }
}
LOOP rows_in_place(long n, float *restrict a, float *restrict x, float *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      s[i] = s[i] * x[j] + a[i * n + j];
      a[i * n + j] = s[i] - a[i * n + j];
    }
}
LOOP rows_backwards(long n, double *restrict a, double *restrict b, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = n - 1; j >= 0; j--) {
      s[i] = s[i] * 0.5 - a[i * n + j];
      b[i * n + j] = s[i] + 1;
    }
}
LOOP rows_of_two(long n, double *restrict a, double *restrict b, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      s[i] += a[i * n + j] * b[i * n + j];
}
LOOP rows_of_shorts(long n, int16_t *restrict a, int16_t *restrict x, int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      s[i] = (s[i] * 7 >> 3) + a[i * n + j] * x[j];
}
LOOP rows_of_bytes(long n, uint8_t *restrict a, uint8_t *restrict b, uint8_t *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      s[i] = s[i] * 33 + a[i * n + j];
      b[i * n + j] = s[i] ^ j;
    }
}
LOOP rows_with_overlaps(long n, double *restrict a, double *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j + 1 < n; j++) {
      s[i] = s[i] * 0.5 + a[i * n + j + 1];
      a[i * n + j] = s[i];
    }
}
LOOP apart(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[j * n + k];
}
LOOP apart_and_near(long n, float *restrict a, float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (long k = 0; k < n; k++) {
        float d = a[i * n + k] - b[j * n + k];
        c[i * n + j] += d * d;
      }
    }
}
LOOP two_sums(long n, double *restrict a, double *restrict b, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double left = 0, right = 0;
    for (long j = 0; j < n; j++) {
      left += a[i * n + j] * b[j];
      right += b[i * n + j] * a[j];
    }
    y[i] = 1.5 * left - right;
  }
}
LOOP running_sums(long n, float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++) {
      sum += a[i * n + j];
      b[i * n + j] = sum;
    }
  }
}
LOOP recursive_filter(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++) {
    double one = 0, two = 0;
    for (long j = n - 1; j >= 0; j--) {
      double next = a[i * n + j] + 0.5 * one - 0.25 * two;
      b[i * n + j] = next;
      two = one;
      one = next;
    }
  }
}
LOOP two_loops_inside(long n, double *restrict a, double *restrict b, int16_t *restrict y) {
  for (long i = 0; i < n; i++) {
    double least = 1e9, most = -1e9;
    for (long j = 0; j < n; j++) {
      double v = a[i * n + j] - b[j];
      least = v < least ? v : least;
      most = v > most ? v : most;
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] = (int)((a[i * n + j] - least) * (most - least)) & 1023;
  }
}
LOOP triangle_inside(long n, double *restrict a, double *restrict y, double *restrict z) {
  for (long i = 0; i < n; i++) {
    double sum = 0, product = 1;
    for (long j = 0; j <= i; j++) {
      sum += a[i * n + j];
      product = product * 0.5 + a[i * n + j];
    }
    y[i] = sum - product;
    z[i] = sum * product;
  }
}
LOOP sums_added(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double sum = 0;
      for (long k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = 1.5 * sum + 0.5 * c[i * n + j];
    }
}
LOOP sums_of_rows_added(long n, long m, float *restrict a, float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      float sum = 1, most = -1e9f;
      for (long k = 0; k < n; k++) {
        float v = a[i * n + k] - b[j * n + k];
        sum += v * v;
        most = v > most ? v : most;
      }
      c[i * m + j] += sum * most;
    }
}
LOOP sums_of_parts_added(long n, double *restrict a, double *restrict b, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double sum = 0;
      for (long k = 0; k <= i; k++)
        sum += a[i * n + k] * b[k * n + j];
      if (j > 2)
        c[i * n + j] -= sum;
    }
}
LOOP roots(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] = sqrt(a[i] * a[i] + b[j] * b[j]);
}
LOOP choices_of_loads(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i] = b[j] < a[i] ? a[i] - b[j] : b[i] * 0.25;
}
LOOP normalised_rows(long n, float *restrict a, float *restrict b) {
  for (long i = 0; i < n; i++) {
    float mean = 0, square = 0;
    for (long j = 0; j < n; j++)
      mean += a[i * n + j];
    for (long j = 0; j < n; j++)
      square += (a[i * n + j] - mean) * (a[i * n + j] - mean);
    for (long j = 0; j < n; j++)
      a[i * n + j] = (a[i * n + j] - mean) * square + b[j];
  }
}
LOOP runge_kutta_steps(long n, long m, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long t = 0; t < m; t++) {
      double k[3], s[3];
      k[0] = y[3 * i + 1] - y[3 * i];
      k[1] = y[3 * i] * (0.28 - y[3 * i + 2]) - y[3 * i + 1];
      k[2] = 0.125 * y[3 * i] * y[3 * i + 1] - y[3 * i + 2];
      for (int c = 0; c < 3; c++)
        s[c] = y[3 * i + c] + 0.25 * k[c];
      for (int c = 0; c < 3; c++)
        y[3 * i + c] = s[c] - 0.125 * k[2 - c];
    }
}
LOOP squares_of_small_matrices(long n, float *restrict a) {
  for (long i = 0; i < n; i++) {
    float square[3][3];
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) {
        square[r][c] = 0;
        for (int k = 0; k < 3; k++)
          square[r][c] += a[9 * i + 3 * r + k] * a[9 * i + 3 * k + c];
      }
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        a[9 * i + 3 * r + c] = square[c][r];
  }
}
LOOP windows_in_a_buffer(long n, int16_t *restrict a, int *restrict b) {
  for (long i = 0; i < n; i++) {
    int16_t buffer[16];
    for (int k = 0; k < 16; k++)
      buffer[k] = a[i + k] > b[k] ? a[i + k] - b[k] : b[k];
    int sum = 0;
    for (int k = 0; k < 16; k++)
      sum += buffer[k] * buffer[15 - k];
    b[20 + i] = sum;
  }
}
LOOP what_is_kept_in_a_buffer(long n, double *restrict a) {
  double kept[4] = {0, 0, 0, 0};
  for (long i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) {
      kept[k] = 0.5 * kept[k] + a[4 * i + k];
      a[4 * i + k] = kept[3 - k];
    }
}

// Several elements of an array stay in registers in each lane.
LOOP forces(long n, double *restrict x, double *restrict w, double *restrict f) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double u = x[3 * j] - x[3 * i], v = x[3 * j + 1] - x[3 * i + 1], z = x[3 * j + 2] - x[3 * i + 2];
      double weight = w[j] * (u * u + v * v + z * z);
      f[3 * i] += weight * u;
      f[3 * i + 1] += weight * v;
      f[3 * i + 2] += weight * z;
    }
}
LOOP complex_rows(long n, float *restrict a, float *restrict b, float *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float re = a[2 * (i * n + j)], im = a[2 * (i * n + j) + 1];
      c[2 * i] += re * b[2 * j] - im * b[2 * j + 1];
      c[2 * i + 1] += re * b[2 * j + 1] + im * b[2 * j];
    }
}
LOOP forces_nearby(long n, double *restrict x, double *restrict f) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double u = x[2 * j] - x[2 * i], v = x[2 * j + 1] - x[2 * i + 1];
      if (u * u + v * v < 9000) {
        f[2 * i] += u * v;
        f[2 * i + 1] -= v;
      }
    }
}
LOOP one_by_the_other(long n, double *restrict a, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      c[2 * i] = 0.5 * c[2 * i] + a[i * n + j] - 0.125 * c[2 * i + 1];
      c[2 * i + 1] = 0.25 * c[2 * i] - a[i * n + j];
    }
}
// These are not kept: both may be one element, and the third one is read only.
LOOP columns_of_parameters(long n, long p, long q, double *restrict a, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      c[i * n + p] += a[i * n + j];
      c[i * n + q] = 0.5 * c[i * n + q] - a[i * n + j];
    }
}
LOOP two_and_one_read(long n, double *restrict a, double *restrict c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      c[3 * i] += a[i * n + j] * c[3 * i + 2];
      c[3 * i + 1] -= a[i * n + j] * c[3 * i + 2];
    }
}

static uint64_t seed;
static unsigned next(void) { return (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40; }

static char memory[6][8 * M * M * 2 + 64];

static void *fresh(int which, int offset, int kind) {
  char *at = memory[which] + offset;
  for (int i = 0; i < M * M * 2; i++) {
    double d = (int)(next() % 2001 - 1000) / 8.0;
    float f = d;
    int small = next() % M, byte = next();
    switch (kind) {
    case 'd': memcpy(at + 8 * i, &d, 8); break;
    case 'f': memcpy(at + 4 * i, &f, 4); break;
    case 'i': memcpy(at + 4 * i, &small, 4); break;
    default: at[i] = byte;
    }
  }
  return at;
}

static void show(const char *name) {
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < 6; k++)
    for (size_t i = 0; i < sizeof memory[k]; i++)
      hash = (hash ^ (unsigned char)memory[k][i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  for (int at = 0; at < 3; at++) {
    int d = 8 * at, f = 4 * at, b = at;
#define A(k, T, kind, off) ((T *)fresh(k, off, kind))
#define D(k) A(k, double, 'd', d)
#define F(k) A(k, float, 'f', f)
#define I(k) A(k, int, 'i', f)
#define B(k, T) A(k, T, 'b', b)
    rows_of_dot_products(n, n + at, D(0), D(1), D(2)), show("rows_of_dot_products");
    with_floats(n, n + 1, F(0), F(1), F(2)), show("with_floats");
    reversed(n, D(0), D(1)), show("reversed");
    by_threes(n, D(0), D(1)), show("by_threes");
    by_parameter(n, n + 5, D(0), D(1)), show("by_parameter");
    transposed(n, F(0), F(1)), show("transposed");
    mixed(n, D(0), F(1), B(2, int8_t), A(3, int16_t, 'b', 2 * at)), show("mixed");
    bytes(n, B(0, uint8_t), B(1, uint8_t), (uint32_t *)I(2)), show("bytes");
    choices(n, D(0), D(1), I(2)), show("choices");
    functions(n, D(0), D(1)), show("functions");
    powers(n, D(0), 12345), show("powers");
    counters_as_data(n, D(0), I(1), B(2, unsigned char)), show("counters_as_data");
    divisions(n, I(0), I(1), (unsigned *)I(2)), show("divisions");
    indirect(n, D(0), I(1), D(2)), show("indirect");
    lower_triangle(n, D(0), D(1), D(2)), show("lower_triangle");
    upper_triangle(n, D(0), D(1), D(2)), show("upper_triangle");
    product(n, D(0), D(1), D(2)), show("product");
    two_statements(n, D(0), D(1), D(2)), show("two_statements");
    by_steps(n, D(0), D(1)), show("by_steps");
    downwards(n, F(0), F(1)), show("downwards");
    rows_in_and_out(n, D(0), D(1), D(2)), show("rows_in_and_out");
    rows_in_place(n, F(0), F(1), F(2)), show("rows_in_place");
    rows_backwards(n, D(0), D(1), D(2)), show("rows_backwards");
    rows_of_two(n, D(0), D(1), D(2)), show("rows_of_two");
    rows_of_shorts(n, A(0, int16_t, 'b', 2 * at), A(1, int16_t, 'b', 2 * at), I(2)), show("rows_of_shorts");
    rows_of_bytes(n, B(0, uint8_t), B(1, uint8_t), B(2, uint8_t)), show("rows_of_bytes");
    rows_with_overlaps(n, D(0), D(1)), show("rows_with_overlaps");
    apart(n, D(0), D(1), D(2)), show("apart");
    apart_and_near(n, F(0), F(1), F(2)), show("apart_and_near");
    two_sums(n, D(0), D(1), D(2)), show("two_sums");
    running_sums(n, F(0), F(1)), show("running_sums");
    recursive_filter(n, D(0), D(1)), show("recursive_filter");
    two_loops_inside(n, D(0), D(1), A(2, int16_t, 'b', 2 * at)), show("two_loops_inside");
    triangle_inside(n, D(0), D(1), D(2)), show("triangle_inside");
    sums_added(n, D(0), D(1), D(2)), show("sums_added");
    sums_of_rows_added(n, n + at, F(0), F(1), F(2)), show("sums_of_rows_added");
    sums_of_parts_added(n, D(0), D(1), D(2)), show("sums_of_parts_added");
    roots(n, D(0), D(1)), show("roots");
    choices_of_loads(n, D(0), D(1)), show("choices_of_loads");
    normalised_rows(n, F(0), F(1)), show("normalised_rows");
    runge_kutta_steps(n, n / 4, D(0)), show("runge_kutta_steps");
    squares_of_small_matrices(n, F(0)), show("squares_of_small_matrices");
    windows_in_a_buffer(n, A(0, int16_t, 'b', 2 * at), I(1)), show("windows_in_a_buffer");
    what_is_kept_in_a_buffer(n, D(0)), show("what_is_kept_in_a_buffer");
    forces(n, D(0), D(1), D(2)), show("forces");
    complex_rows(n, F(0), F(1), F(2)), show("complex_rows");
    forces_nearby(n, D(0), D(1)), show("forces_nearby");
    one_by_the_other(n, D(0), D(1)), show("one_by_the_other");
    columns_of_parameters(n, n / 2, at, D(0), D(1)), show("columns_of_parameters");
    two_and_one_read(n, D(0), D(1)), show("two_and_one_read");
  }
}
