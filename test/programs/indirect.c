// Nests whose arrays may overlap, with indirect accesses: which elements these touch is known once the elements of another array are. All
// memory ends in front of a page that cannot be read, or begins behind one: whoever reads more than the program does not get far.
//
// Arguments: a nest, and `apart`, `over` (what is written lies over an element that is read) or `none` (there are no iterations, and
// pointers are null). Without arguments all nests run at many distances of what is written from what is read.
#include "guarded.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 60, M = 40 };

// What is written, what is read indirectly, and other operands; `index` is of the nest's own type.
typedef struct {
  double *y, *x;
  const double *w;
  const void *index;
} Operands;

NEST columns(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const double *w = o.w;
  const int *index = o.index;
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      y[i] += w[k] * x[(long)index[k] * n + i];
}

NEST delays(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const double *w = o.w;
  const short *index = o.index;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < m; k++)
      s += w[k] * x[i + index[k]];
    y[i] = s;
  }
}

NEST symbols(int n, int m, Operands o) {
  double *y = o.y, *x = o.x;
  const uint8_t *index = o.index;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < m; k++)
      s += x[i * N + index[k]];
    y[i] = s;
  }
}

NEST unsigned_indices(unsigned n, unsigned m, Operands o) {
  double *y = o.y, *x = o.x;
  const uint32_t *index = o.index;
  for (unsigned i = 0; i < n; i++) {
    double s = 0;
    for (unsigned k = 0; k < m; k++)
      s += x[index[k] + (size_t)i * N];
    y[i] = s;
  }
}

NEST long_indices(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const int64_t *index = o.index;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < m; k++)
      s += x[2 * index[k] - i];
    y[i] = s;
  }
}

// The inner part of rows of indices: what is in front of the first one and behind the last one is not read.
NEST windows(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const int *index = o.index;
  for (long i = 0; i < n; i++)
    for (long l = 0; l < 3; l++)
      for (long k = 2; k < m - 1; k++)
        y[i] += x[index[(l + 1) * m + k] + i];
}

NEST clamped(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const int *index = o.index;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < m; k++) {
      long p = index[k] + i;
      p = p < 0 ? 0 : p > N - 1 ? N - 1 : p;
      s += x[p];
    }
    y[i] = s;
  }
}

// One member of structures: what is in the others would be far away.
NEST members(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const struct {
    short index, other[3];
  } *all = o.index;
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      y[i] += x[(long)all[k].index * n + i];
}

// What is written is indirect.
NEST scattered(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const int *index = o.index;
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      y[index[k]] += x[k * n + i];
}

// Indices are read under a condition on data: in front of the nest it is not known whether any is.
NEST conditional(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  const double *w = o.w;
  const int *index = o.index;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < m; k++)
      if (w[k] > 2)
        s += x[index[k] + i];
    y[i] = s;
  }
}

// No indices, but squares.
NEST squares(long n, long m, Operands o) {
  double *y = o.y, *x = o.x;
  for (long i = 0; i < n; i++) {
    double s = 0;
    for (long k = 0; k < m; k++)
      s += x[k * k + i];
    y[i] = s;
  }
}

static void run(const char *nest, long n, long m, Operands o) {
#define RUN(name)                                                                                                                                    \
  if (!strcmp(nest, #name))                                                                                                                          \
  name(n, m, o)
  RUN(columns);
  RUN(delays);
  RUN(symbols);
  RUN(unsigned_indices);
  RUN(long_indices);
  RUN(windows);
  RUN(clamped);
  RUN(members);
  RUN(scattered);
  RUN(conditional);
  RUN(squares);
}

static const struct {
  const char *name;
  // The bytes of an index, the least one, and how many there are.
  int size;
  long least;
  unsigned count;
} NESTS[] = {
    {"columns", 4, 0, 30},     {"delays", 2, -20, 40},    {"symbols", 1, 0, N},         {"unsigned_indices", 4, 0, 200}, {"long_indices", 8, N, 50},
    {"windows", 4, -10, 50},   {"clamped", 4, -N, 2 * N}, {"scattered", 4, -10, 20},    {"conditional", 4, 0, 20},       {"squares", 1, 0, 1},
    {"members", 8, 0, 30},
};
enum { N_NESTS = sizeof NESTS / sizeof NESTS[0], LENGTH = 8192, MIDDLE = 4096 };

static double *memory, *weights;

static const void *indices(int nest, int at_end, long n_indices) {
  int size = NESTS[nest].size;
  char *all = bytes((size_t)(n_indices * size), at_end);
  for (long k = 0; k < n_indices; k++) {
    long value = NESTS[nest].least + (long)next(NESTS[nest].count);
    if (!strcmp(NESTS[nest].name, "members"))
      value |= (long)0x80007fff << 16;
    memcpy(all + k * size, &value, (size_t)size);
  }
  return all;
}

// What is written is so many elements behind the first one that is read.
static void at_distance(int nest, long n, long m, long distance, int at_end) {
  for (long i = 0; i < LENGTH; i++)
    memory[i] = (double)next(1000) / 8;
  int has_windows = !strcmp(NESTS[nest].name, "windows");
  // Windows leave out two indices in front and one at the end, and a row before.
  const char *own = indices(nest, at_end, has_windows ? 3 * m - 3 : m);
  if (has_windows)
    own -= 4 * (m + 2);
  double *x = memory + MIDDLE;
  Operands o = {x + distance, x, weights, own};
  run(NESTS[nest].name, n, m, o);
  unsigned long hash = 0;
  for (long i = 0; i < LENGTH; i++) {
    unsigned long bits;
    memcpy(&bits, &memory[i], sizeof bits);
    hash = hash * 31 + bits;
  }
  printf("%s %ld %ld %ld: %lx\n", NESTS[nest].name, n, m, distance, hash);
}

int main(int argc, char **argv) {
  memory = bytes(LENGTH * sizeof *memory, 1);
  weights = bytes(M * sizeof *weights, 1);
  for (int k = 0; k < M; k++)
    weights[k] = (double)next(100) / 64;
  if (argc < 3) {
    for (int nest = 0; nest < N_NESTS; nest++)
      for (int attempt = 0; attempt < 150; attempt++) {
        long n = attempt % 3 ? N : next(N), m = attempt % 4 ? M : 4 + next(M - 4);
        long distance = attempt % 5 ? (long)next(300) - 150 : (long)next(2 * MIDDLE - 400) - MIDDLE + 200;
        at_distance(nest, n, m, distance, attempt % 2);
      }
    return 0;
  }
  for (int nest = 0; nest < N_NESTS; nest++)
    if (!strcmp(argv[1], NESTS[nest].name)) {
      if (!strcmp(argv[2], "none"))
        run(argv[1], 0, 0, (Operands){0});
      else
        at_distance(nest, N, M, strcmp(argv[2], "over") ? -3000 : 10, 1);
    }
  return 0;
}
