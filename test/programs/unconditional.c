// Stores and loads under conditions on data, of elements that the nest accesses anyway and of others. The argument is a size; memory ends behind
// what the program accesses, and what it does not store to is read-only.
#include "guarded.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Lanes along j: positions of the greatest elements of columns.
NEST greatest(long n, const float *restrict a, float *restrict best, int *restrict who) {
  for (long j = 0; j < n; j++) {
    best[j] = a[j];
    who[j] = 0;
  }
  for (long i = 1; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > best[j]) {
        best[j] = a[i * n + j];
        who[j] = i;
      }
}
NEST chain(int n, long (*m)[n], const int *p) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      m[i][j] = 1L << 60;
      for (int k = i; k < j; k++) {
        long c = m[i][k] + m[k + 1][j] + (long)p[i] * p[k + 1] * p[j + 1];
        if (c < m[i][j])
          m[i][j] = c;
      }
    }
}
// The other array is written under the condition only.
NEST chain_with_places(int n, int (*restrict m)[n], int (*restrict place)[n], const int *restrict p) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      m[i][j] = 1 << 30;
      for (int k = i; k < j; k++) {
        int c = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (c < m[i][j]) {
          m[i][j] = c;
          place[i][j] = k;
        }
      }
    }
}
// Loads under conditions, too.
NEST increasing(long n, const int *restrict a, int *restrict length, int *restrict before) {
  for (long i = 0; i < n; i++) {
    length[i] = 1;
    before[i] = -1;
    for (long j = 0; j < i; j++)
      if (a[j] < a[i] && length[j] + 1 > length[i]) {
        length[i] = length[j] + 1;
        before[i] = j;
      }
  }
}
// Written behind, in any case.
NEST written_behind(long n, const double *restrict x, double *restrict y, double *restrict z) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (x[i * n + j] > 3)
        y[j] = y[j] * 0.5 + x[i * n + j];
  for (long j = 0; j < n; j++) {
    z[j] = y[j];
    y[j] = 1;
  }
}
// Half of the elements are written in any case: the others have to stay.
NEST first_half(long n, const float *restrict a, float *restrict y) {
  for (long j = 0; j < n / 2; j++)
    y[j] = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > 1000)
        y[j] = a[i * n + j];
}
// Nothing is written: all of it is read-only.
NEST never(long n, const float *restrict a, float *restrict y) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      if (a[i * n + j] > 1000)
        y[j] = a[i * n + j];
}
// Conditions inside of conditions, and an element that is accessed by no other subscript.
NEST nested(long n, const short *restrict a, const short *restrict b, short *restrict y, short *restrict z) {
  for (long j = 0; j < n; j++) {
    y[2 * j] = 0;
    z[n - j - 1] = 7;
  }
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > 2) {
        if (b[i * n + j] < 5)
          y[2 * j] = a[i * n + j] - b[i * n + j];
      } else if (b[j] > 0)
        z[n - j - 1] = i;
}
// Two stores to one array.
NEST two_arms(long n, const int *restrict a, int *restrict y) {
  for (long j = 0; j < n + 1; j++)
    y[j] = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      if (a[i * n + j] > 8)
        y[j] = i;
      else if (a[i * n + j] < -8)
        y[j + 1] = a[i * n + j];
    }
}
// Strict order along the lanes: what is loaded behind the store in the next iteration.
NEST running(long n, const uint8_t *restrict a, uint8_t *restrict y) {
  for (long i = 0; i < n; i++)
    y[i] = 1;
  for (long k = 0; k < n; k++)
    for (long i = 1; i < n; i++)
      if (a[k * n + i] & 1)
        y[i] = y[i] * 3 + a[k * n + i];
}
// Rows in lanes, where the innermost loop waits for itself.
NEST rows(long n, const double *restrict a, double *restrict s, long *restrict at) {
  for (long i = 0; i < n; i++) {
    s[i] = 0;
    at[i] = -1;
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > s[i] * 0.5) {
        s[i] = s[i] * 0.25 + a[i * n + j];
        at[i] = j;
      }
  }
}
struct record {
  float best;
  int who;
};
NEST records(long n, const float *restrict a, struct record *restrict r) {
  for (long j = 0; j < n; j++) {
    r[j].best = 0;
    r[j].who = -1;
  }
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > r[j].best) {
        r[j].best = a[i * n + j];
        r[j].who = i;
      }
}
// The cell is between its neighbours, which are loaded in any case.
NEST neighbours(long n, uint8_t (*restrict a)[n], uint8_t (*restrict b)[n]) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      int sum = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
      b[i][j] = sum == 3 || (sum == 2 && a[i][j]);
    }
}
// The same, by a window without its middle.
NEST around(long n, const uint8_t *restrict a, uint8_t *restrict b) {
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++) {
      int sum = 0;
      for (int u = -1; u <= 1; u++)
        for (int v = -1; v <= 1; v++)
          if (u || v)
            sum += a[(i + u) * n + j + v] & 1;
      b[i * n + j] = sum == 3 || (sum == 2 && (a[i * n + j] & 1));
    }
}
// Two ways to a choice, and one behind them.
NEST chosen(long n, const int16_t *restrict a, int16_t *restrict b) {
  for (long i = 1; i < n - 1; i++) {
    int16_t here = a[i - 1] + a[i + 1];
    if (here > 4)
      here = a[i] - 1;
    else if (here < -4 || here == 2)
      here += a[i];
    switch (here) {
    case 0:
    case 3: here = 7; break;
    case 1: here = a[i]; break;
    }
    b[i] = here;
  }
}
// A call that is undefined for zero stays under its condition, whatever is loaded.
static __attribute__((noinline, const)) int quotient(int divisor) { return 1000 / divisor; }
NEST quotients(long n, const int *restrict a, int *restrict b) {
  for (long i = 1; i < n - 1; i++) {
    int here = a[i - 1] - a[i + 1];
    if (here > 2)
      here = a[i];
    else if (here != 0)
      here = quotient(here);
    b[i] = here;
  }
}
// What comes behind the last element is not loaded.
NEST one_further(long n, const uint8_t *restrict a, const uint8_t *restrict k, uint8_t *restrict b) {
  for (long i = 0; i < n; i++) {
    uint8_t here = a[i];
    if (k[i] & 1)
      here += a[i + 1];
    b[i] = here;
  }
}
// Rows are one shorter than their distance, and the last one ends there.
NEST ends_of_rows(long n, const uint8_t *restrict a, const uint8_t *restrict k, uint8_t *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n - 1; j++) {
      uint8_t here = a[i * n + j];
      if (k[i * n + j] & 1)
        here += a[i * n + n - 1];
      b[i * n + j] = here;
    }
}

static void *filled(size_t count, size_t size, int at_end) {
  char *all = bytes(count * size, at_end);
  for (size_t i = 0; i < count; i++) {
    int value = (int)next(24) - 12;
    switch (size) {
    case 1: all[i] = value; break;
    case 2: ((int16_t *)all)[i] = value; break;
    case 4: ((int32_t *)all)[i] = value; break;
    default: ((int64_t *)all)[i] = value;
    }
  }
  return all;
}
static float *floats(size_t count, int at_end) {
  float *all = filled(count, 4, at_end);
  for (size_t i = 0; i < count; i++)
    all[i] = ((int32_t *)all)[i] / 2.0f;
  return all;
}
static double *doubles(size_t count, int at_end) {
  double *all = filled(count, 8, at_end);
  for (size_t i = 0; i < count; i++)
    all[i] = ((int64_t *)all)[i] / 4.0;
  return all;
}
static void read_only(void *memory, size_t size) {
  char *first = (char *)((uintptr_t)memory / 4096 * 4096);
  if (mprotect(first, (char *)memory + size - first, PROT_READ))
    abort();
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 0;
  for (int end = 0; end < 2; end++) {
    float *a = floats(n * n, end), *y = floats(n + 1, end);
    int *who = filled(n + 1, 4, end), *p = filled(n + 1, 4, end);
    if (n > 0)
      greatest(n, a, y, who);
    show("greatest", y, 4 * n), show("at", who, 4 * n);
    long *m = filled(n * n, 8, end);
    for (long i = 0; i < n; i++)
      m[i * n + i] = 0;
    chain(n, (void *)m, p), show("chain", m, 8 * n * n);
    int *costs = filled(n * n, 4, end), *places = filled(n * n, 4, end);
    for (long i = 0; i < n; i++)
      costs[i * n + i] = 0;
    chain_with_places(n, (void *)costs, (void *)places, p);
    show("chain_with_places", costs, 4 * n * n), show("places", places, 4 * n * n);
    int *length = filled(n, 4, end), *before = filled(n, 4, end);
    increasing(n, p, length, before), show("increasing", length, 4 * n), show("before", before, 4 * n);
    double *x = doubles(n * n, end), *u = doubles(n, end), *z = doubles(n, end);
    written_behind(n, x, u, z), show("written_behind", u, 8 * n), show("z", z, 8 * n);
    float *half = floats(PAGE / 4 + n - n / 2, 0) + PAGE / 4 - n / 2;
    read_only(half + n / 2, 4 * (n - n / 2));
    first_half(n, a, half), show("first_half", half, 4 * n);
    float *none = floats(n, end);
    read_only(none, 4 * n), never(n, a, none), show("never", none, 4 * n);
    short *sa = filled(n * n, 2, end), *sb = filled(n * n, 2, end), *sy = filled(2 * n + 1, 2, end), *sz = filled(n, 2, end);
    nested(n, sa, sb, sy, sz), show("nested", sy, 4 * n), show("sz", sz, 2 * n);
    int *ia = filled(n * n, 4, end), *iy = filled(n + 1, 4, end);
    two_arms(n, ia, iy), show("two_arms", iy, 4 * n + 4);
    uint8_t *ba = filled(n * n, 1, end), *by = filled(n, 1, end);
    running(n, ba, by), show("running", by, n);
    long *at = filled(n, 8, end);
    rows(n, x, u, at), show("rows", u, 8 * n), show("at", at, 8 * n);
    struct record *r = filled(2 * n, 4, end);
    records(n, a, r), show("records", r, 8 * n);
    uint8_t *cells = filled(n * n, 1, end), *later = filled(n * n, 1, end);
    for (long i = 0; i < n * n; i++)
      cells[i] = cells[i] % 5 < 2;
    neighbours(n, (void *)cells, (void *)later), show("neighbours", later, n * n);
    around(n, cells, later), show("around", later, n * n);
    int16_t *chosen_from = filled(n, 2, end), *choice = filled(n, 2, end);
    chosen(n, chosen_from, choice), show("chosen", choice, 2 * n);
    int *divisors = filled(n, 4, end), *quotients_of = filled(n, 4, end);
    quotients(n, divisors, quotients_of), show("quotients", quotients_of, 4 * n);
    uint8_t *keys = filled(n * n, 1, end), *to = filled(n * n, 1, end);
    if (n > 0) {
      keys[n - 1] = 0;
      one_further(n, (uint8_t *)filled(n, 1, end), keys, to), show("one_further", to, n);
      memset(keys + (n - 1) * n, 0, n);
      ends_of_rows(n, (uint8_t *)filled(n * n - 1, 1, end), keys, to), show("ends_of_rows", to, n * n);
    }
  }
}
