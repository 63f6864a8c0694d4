// Buffers that take turns in the iterations of a loop, at places where they are apart or overlap. With arguments: one nest at one place.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 70 };

typedef struct {
  void *buffers[3];
  const double *weights;
  double *result;
} Operands;

static double *relaxation(int steps, int n, double *now, double *next) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        next[i * n + j] = 0.2 * (now[i * n + j] + now[(i - 1) * n + j] + now[(i + 1) * n + j] + now[i * n + j - 1] + now[i * n + j + 1]);
    double *swap = now;
    now = next;
    next = swap;
  }
  return now;
}

static double *wave(int steps, int n, double *before, double *now, double *next, const double *weights) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n * n - 1; i++)
      next[i] = 2 * now[i] - before[i] + weights[0] * (now[i + 1] - 2 * now[i] + now[i - 1]);
    double *first = before;
    before = now;
    now = next;
    next = first;
  }
  return now;
}

// Each row of the table is made of the one before.
static int distance(int m, int n, const unsigned char *first, const unsigned char *second, int *above, int *row) {
  for (int j = 0; j <= n; j++)
    above[j] = j;
  for (int i = 1; i <= m; i++) {
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int least = above[j - 1] + (first[i - 1] != second[j - 1]);
      least = above[j] + 1 < least ? above[j] + 1 : least;
      row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
    }
    int *swap = above;
    above = row;
    row = swap;
  }
  return above[n];
}

// The same in two rows of one array.
static int distance_by_parity(int m, int n, const unsigned char *first, const unsigned char *second, int row[2][4 * N]) {
  for (int i = 1; i <= m; i++) {
    row[i % 2][0] = i;
    for (int j = 1; j <= n; j++) {
      int least = row[(i - 1) % 2][j - 1] + (first[i - 1] != second[j - 1]);
      least = row[(i - 1) % 2][j] + 1 < least ? row[(i - 1) % 2][j] + 1 : least;
      row[i % 2][j] = row[i % 2][j - 1] + 1 < least ? row[i % 2][j - 1] + 1 : least;
    }
  }
  return row[m % 2][n];
}

// The loop is entered twice: each time the buffers are in the same order.
static void twice(int steps, int n, float *one, float *other) {
  for (int round = 0; round < 2; round++) {
    float *now = one, *next = other;
    for (int t = 0; t < steps; t++) {
      for (int i = 1; i < n * n - 1; i++)
        next[i] = now[i - 1] + 0.5f * now[i + 1];
      float *swap = now;
      now = next;
      next = swap;
    }
  }
}

// What is in front of the loop accesses one of them.
static double *with_start(int steps, int n, double *now, double *next) {
  for (int i = 0; i < n * n; i++)
    now[i] = 0.5 * now[i] + i;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n * n - 1; i++)
      next[i] = now[i - 1] + 0.25 * now[i + 1];
    double *swap = now;
    now = next;
    next = swap;
  }
  return next;
}

// Each buffer of one pair overlaps one of the other pair, though never in the same iteration.
__attribute__((noinline)) static void crossed(int steps, int n, double *restrict first, double *restrict second, long offset) {
  double *a = first, *b = second + offset, *c = second, *d = first + offset;
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n; i++)
      a[i] = 0.25 * a[i] + 0.5 * c[i - 1] + 0.125 * c[i + 1] + 1;
    double *swap = a;
    a = b;
    b = swap;
    swap = c;
    c = d;
    d = swap;
  }
}

// LLVM does not count the iterations in front of the loop.
static double *halves(int steps, int n, double *now, double *next) {
  for (int t = 0; t < steps / 2; t++) {
    for (int i = 1; i < n * n - 1; i++)
      next[i] = now[i - 1] + 0.25 * now[i + 1];
    double *swap = now;
    now = next;
    next = swap;
  }
  return now;
}

__attribute__((noinline)) static void run_relaxation(int steps, int n, Operands o) {
  *o.result = relaxation(steps, n, o.buffers[0], o.buffers[1]) == o.buffers[0];
}

__attribute__((noinline)) static void run_wave(int steps, int n, Operands o) {
  double *last = wave(steps, n, o.buffers[0], o.buffers[1], o.buffers[2], o.weights);
  *o.result = last == o.buffers[0] ? 0 : last == o.buffers[1] ? 1 : 2;
}

__attribute__((noinline)) static void run_distance(int steps, int n, Operands o) {
  *o.result = distance(2 * steps, n, o.buffers[2], (unsigned char *)o.buffers[2] + 100, o.buffers[0], o.buffers[1]);
}

__attribute__((noinline)) static void run_twice(int steps, int n, Operands o) {
  twice(steps, n, o.buffers[0], o.buffers[1]);
}

__attribute__((noinline)) static void run_with_start(int steps, int n, Operands o) {
  *o.result = with_start(steps, n, o.buffers[0], o.buffers[1]) == o.buffers[0];
}

__attribute__((noinline)) static void run_crossed(int steps, int n, Operands o) {
  crossed(steps, n, o.buffers[0], o.buffers[1], 2);
}

__attribute__((noinline)) static void run_halves(int steps, int n, Operands o) {
  *o.result = halves(steps, n, o.buffers[0], o.buffers[1]) == o.buffers[0];
}

__attribute__((noinline)) static void run_by_parity(int steps, int n, Operands o) {
  static int row[2][4 * N];
  for (int j = 0; j < 4 * N; j++)
    row[0][j] = row[1][j] = (j * 7 + 3) % 50;
  *o.result = distance_by_parity(2 * steps, n, o.buffers[2], (unsigned char *)o.buffers[2] + 100, row);
  memcpy(o.buffers[0], row, sizeof(int) * (size_t)(n > 0 ? n : 0));
}

__attribute__((noinline)) static void run_nothing(int steps, int n, Operands o) {
  *o.result = steps * n;
}

static const struct {
  const char *name;
  void (*nest)(int steps, int n, Operands o);
} NESTS[] = {{"relaxation", run_relaxation}, {"wave", run_wave}, {"distance", run_distance}, {"twice", run_twice}, {"with_start", run_with_start}, {"crossed", run_crossed}, {"halves", run_halves}, {"by_parity", run_by_parity}, {"nothing", run_nothing}};
enum { N_NESTS = sizeof NESTS / sizeof *NESTS };

static const char *const PLACES[] = {"apart", "backward", "close", "half", "same"};
enum { N_PLACES = sizeof PLACES / sizeof *PLACES };

// The distance of a buffer from the first one, in bytes.
static size_t place_of(const char *place, int buffer, size_t size) {
  if (!strcmp(place, "apart"))
    return (size_t)buffer * (size + 64);
  if (!strcmp(place, "backward"))
    return (size_t)(2 - buffer) * size;
  // By a line: the last elements, which are written, are the other one's first ones.
  if (!strcmp(place, "close"))
    return (size_t)buffer * (size - 64);
  if (!strcmp(place, "half"))
    return (size_t)buffer * (size / 16 * 8);
  return buffer == 2 ? 2 * size : 0;
}

static void at(int nest, int steps, int n, const char *place) {
  size_t size = sizeof(double) * (size_t)(n < 10 ? 100 : n * n);
  size_t all = 3 * size + 1000;
  unsigned char *memory = malloc(all);
  double start = 1;
  for (size_t k = 0; k < all; k += sizeof start) {
    start = start * 13 > 1000 ? start / 97 : start * 13;
    memcpy(memory + k, &start, all - k < sizeof start ? all - k : sizeof start);
  }
  double result = 0, weights[] = {0.125};
  Operands o = {.weights = weights, .result = &result};
  for (int buffer = 0; buffer < 3; buffer++)
    o.buffers[buffer] = memory + place_of(place, buffer, size);
  // It promises that they are apart.
  if (NESTS[nest].nest == run_crossed && strcmp(place, "apart") && strcmp(place, "backward"))
    return free(memory);
  NESTS[nest].nest(steps, n, o);
  unsigned long hash = 0;
  for (size_t k = 0; k < all; k++)
    hash = hash * 31 + memory[k];
  printf("%s %d %d %s: %lx %g\n", NESTS[nest].name, steps, n, place, hash, result);
  free(memory);
}

int main(int argc, char **argv) {
  for (int nest = 0; nest < N_NESTS; nest++)
    if (argc < 3) {
      static const int SIZES[] = {0, 1, 2, 3, 7, 8, 17, 33, N};
      for (size_t size = 0; size < sizeof SIZES / sizeof *SIZES; size++)
        for (int steps = -1; steps < 40; steps += steps < 6 ? 1 : 11)
          for (int place = 0; place < N_PLACES; place++)
            at(nest, steps, SIZES[size], PLACES[place]);
    } else if (!strcmp(argv[1], NESTS[nest].name)) {
      at(nest, 20, N, argv[2]);
    }
  return 0;
}
