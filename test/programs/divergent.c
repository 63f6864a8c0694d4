// Loops inside of vector lanes whose bounds differ from lane to lane. The argument is a size; arrays start at all offsets, and some end
// where memory does, behind what the program accesses.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define M 48
#define LOOP __attribute__((noinline)) static void

LOOP without_itself(long n, double *restrict a, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = y[i];
    for (long j = 0; j < n; j++)
      if (j != i)
        s -= a[i * n + j] * x[j];
    y[i] = s / (a[i * n + i] + 500);
  }
}
LOOP two_scalars_without_itself(long n, float *restrict x, float *restrict v, float *restrict y) {
  for (long i = 0; i < n; i++) {
    float s = 0, t = 1;
    for (long j = 0; j < n; j++) {
      if (j == i)
        continue;
      float d = x[j] - x[i];
      s += d * v[j];
      t = t * 0.25f + d;
    }
    y[i] = s - 0.5f * t;
  }
}
LOOP roots(long n, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j < n; j++)
      if (j != i) {
        s += sqrt(x[j] * x[j] + x[i] * x[i]);
        t = t / 2 + s;
      }
    y[i] = s + t;
  }
}
LOOP below(long n, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j < i; j++) {
      s += x[j] * x[i - j];
      t = t * 0.5 + s;
    }
    y[i] = s + t;
  }
}
LOOP above(long n, float *restrict x, float *restrict y) {
  for (long i = 0; i < n; i++) {
    float s = 0, t = 0;
    for (long j = i + 1; j < n; j++) {
      s += x[j] * x[j - i];
      t = t * 0.5f + s;
    }
    y[i] = s + t;
  }
}
LOOP windows(long n, long w, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 1, t = 0;
    for (long j = i; j < i + w; j++) {
      s = s * 0.75 + x[j];
      t += s;
    }
    y[i] = s - t;
  }
}
LOOP both_ends(long n, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 1, t = 0;
    for (long j = i; j < 2 * n - i; j++) {
      s = s * 0.75 + x[j];
      t += s;
    }
    y[i] = s - t;
  }
}
LOOP shrinking(int n, int *restrict x, int *restrict y) {
  for (int i = 0; i < n; i++) {
    int s = 1, t = 0;
    for (int j = 0; j < n - i; j++) {
      s = s * 3 + x[j];
      t ^= s;
    }
    y[i] = s - t;
  }
}
LOOP conditions(long n, double *restrict x, double *restrict a, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j <= i; j++)
      if (a[j * n + i] > x[j])
        s += a[j * n + i];
      else
        t = t * 0.5 + x[j];
    y[i] = s - t;
  }
}
LOOP divisions(long n, int *restrict a, int *restrict b, int *restrict y) {
  for (long i = 0; i < n; i++) {
    int s = 7, t = 0;
    for (long j = 0; j < i; j++) {
      s += a[i * n + j] / (b[i * n + j] + 1);
      t = t * 2 + s % (b[j] + 1);
    }
    y[i] = s - t;
  }
}
LOOP loops_inside(long n, double *restrict a, double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j < i; j++)
      for (long k = 0; k < 5; k++) {
        s += a[k * n + i] * x[j];
        t = t * 0.5 + s;
      }
    y[i] = s + t;
  }
}
LOOP triangles_inside(long n, double *restrict a, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j < i; j++)
      for (long k = 0; k <= j; k++) {
        s += a[j * n + k];
        t = t * 0.5 + s;
      }
    y[i] = s + t;
  }
}
LOOP jammed(long n, double *restrict a, double *restrict b) {
  for (long r = 0; r < n; r++)
    for (long i = 0; i < n; i++) {
      double s = 0, f = 1;
      for (long j = i; j < n; j++) {
        s += f * a[r * n + j];
        f *= 0.75;
      }
      b[r * n + i] = s;
    }
}
LOOP in_memory(long n, double *restrict a, double *restrict s, double *restrict u) {
  for (long i = 0; i < n; i++) {
    double t = 1;
    for (long j = 0; j < i; j++) {
      s[i] += a[j * n + i] * t;
      u[i] = u[i] * 0.5 + a[i * n + j];
      t = t * 0.5 + a[i * n + j];
    }
    s[i] += t;
  }
}
LOOP shorts(long n, int16_t *restrict a, int16_t *restrict y) {
  for (long i = 0; i < n; i++) {
    int16_t s = 0, t = 0;
    for (long j = 0; j < n; j++)
      if (j != i) {
        s += a[i * n + j] * a[j];
        t = t * 3 + s;
      }
    y[i] = s ^ t;
  }
}

static uint64_t seed;
static unsigned next(void) { return (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 40; }

static char memory[3][8 * M * M * 2 + 64];

static void *fresh(int which, int offset, int kind) {
  char *at = memory[which] + offset;
  for (int i = 0; i < M * M * 2; i++) {
    double d = (int)(next() % 2001 - 1000) / 8.0;
    float f = d;
    int small = next() % M;
    short s = next();
    switch (kind) {
    case 'd': memcpy(at + 8 * i, &d, 8); break;
    case 'f': memcpy(at + 4 * i, &f, 4); break;
    case 'i': memcpy(at + 4 * i, &small, 4); break;
    default: memcpy(at + 2 * i, &s, 2);
    }
  }
  return at;
}

static void show(const char *name) {
  uint64_t hash = 14695981039346656037u;
  for (int k = 0; k < 3; k++)
    for (size_t i = 0; i < sizeof memory[k]; i++)
      hash = (hash ^ (unsigned char)memory[k][i]) * 1099511628211u;
  printf("%s %016llx\n", name, (unsigned long long)hash);
}

// So many bytes before a page that may not be accessed, with numbers in them.
static double *before_the_end(size_t bytes) {
  char *pages = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + (1 << 15), 1 << 15, PROT_NONE);
  double *at = (double *)(pages + (1 << 15) - bytes);
  for (size_t i = 0; i < bytes / 8; i++)
    at[i] = (int)(next() % 2001 - 1000) / 8.0;
  return at;
}

static void show_sum(const char *name, long n, const double *y) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum = sum * 0.5 + y[i];
  printf("%s at the edge %a\n", name, sum);
}

// What lanes without an iteration would access is not there.
static void at_the_edge(long n) {
  double *y = before_the_end(8 * n), *a = before_the_end(8 * n * n);
  without_itself(n, a, before_the_end(8 * n), y), show_sum("without_itself", n, y);
  below(n, before_the_end(8 * n + 8), y), show_sum("below", n, y);
  windows(n, 3, before_the_end(8 * (n + 2)), y), show_sum("windows", n, y);
  both_ends(n, before_the_end(16 * n), y), show_sum("both_ends", n, y);
  conditions(n, before_the_end(8 * n), a, y), show_sum("conditions", n, y);
  triangles_inside(n, n ? before_the_end(8 * ((n - 2) * n + n - 1)) : a, y), show_sum("triangles_inside", n, y);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  for (int at = 0; at < 3; at++) {
    int d = 8 * at, f = 4 * at;
#define D(k) ((double *)fresh(k, d, 'd'))
#define F(k) ((float *)fresh(k, f, 'f'))
#define I(k) ((int *)fresh(k, f, 'i'))
#define S(k) ((int16_t *)fresh(k, 2 * at, 's'))
    without_itself(n, D(0), D(1), D(2)), show("without_itself");
    two_scalars_without_itself(n, F(0), F(1), F(2)), show("two_scalars_without_itself");
    roots(n, D(0), D(1)), show("roots");
    below(n, D(0), D(1)), show("below");
    above(n, F(0), F(1)), show("above");
    for (long w = 0; w < 20; w += 3)
      windows(n, w, D(0), D(1)), show("windows");
    both_ends(n, D(0), D(1)), show("both_ends");
    shrinking(n, I(0), I(1)), show("shrinking");
    conditions(n, D(0), D(1), D(2)), show("conditions");
    divisions(n, I(0), I(1), I(2)), show("divisions");
    loops_inside(n, D(0), D(1), D(2)), show("loops_inside");
    triangles_inside(n, D(0), D(1)), show("triangles_inside");
    jammed(n, D(0), D(1)), show("jammed");
    in_memory(n, D(0), D(1), D(2)), show("in_memory");
    shorts(n, S(0), S(1)), show("shorts");
  }
  if (n > 1)
    at_the_edge(n);
}
