// Nests over rows that tables of addresses point to. Tables end in front of a page that cannot be read, or begin behind one, and so does the
// memory of rows: whoever reads more than the program does not get far.
//
// Arguments: a nest, and where rows are. Without arguments all nests run, with few and many rows, at all places.
#include "guarded.h"
#include <stdio.h>
#include <string.h>

enum { N = 110 };

// Three matrices by rows, a vector, and both halves of their columns.
typedef struct {
  double **c, **a, **b, *x;
  long half, rest;
} Operands;

NEST product(int n, Operands o) {
  double **c = o.c, **a = o.a, **b = o.b;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// The sum is in a variable, and the addresses of rows are, too.
NEST product_of_rows(int n, Operands o) {
  for (int i = 0; i < n; i++) {
    double *row = o.c[i], *from = o.a[i];
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += from[k] * o.b[k][j];
      row[j] = s;
    }
  }
}

NEST times_vector(int n, Operands o) {
  double **c = o.c, **a = o.a, *x = o.x;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += a[i][j] * x[j];
    c[i][0] = s;
  }
}

NEST decomposition(int n, Operands o) {
  double **c = o.c;
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      c[i][k] /= c[k][k];
      for (int j = k + 1; j < n; j++)
        c[i][j] -= c[i][k] * c[k][j];
    }
}

NEST shortest_paths(int n, Operands o) {
  double **c = o.c;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (c[i][k] + c[k][j] < c[i][j])
          c[i][j] = c[i][k] + c[k][j];
}

NEST transposition(int n, Operands o) {
  double **c = o.c, **a = o.a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[j][i] = a[i][j];
}

// The vector is written, and may be in a row.
NEST sums_of_columns(int n, Operands o) {
  double **a = o.a, *x = o.x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      x[j] += a[i][j];
}

// Every other address; the others are in the unused half of each pair.
NEST pairs(int n, Operands o) {
  double **c = o.c, **a = o.a;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n / 2; i++)
      c[2 * i][j] += a[2 * i][j] * a[2 * i + 1][j];
}

// What is written and what is read have different parts of rows.
NEST halves(int n, Operands o) {
  double **c = o.c, **a = o.a;
  for (long j = 0; j < o.rest; j++)
    for (int i = 0; i < n; i++)
      c[i][j] += a[i][j + o.half];
}

// One row is used by itself, as are the others in one column.
NEST to_column(int n, Operands o) {
  double **c = o.c;
  for (int i = 0; i < n; i++)
    c[i][o.half] = c[0][i];
}

// From row to row.
NEST downward(int n, Operands o) {
  double **c = o.c;
  for (int j = 1; j < n; j++)
    for (int i = 1; i < n; i++)
      c[i][j] += c[i - 1][j] * 0.5;
}

// Addresses are read under a condition on data: in front of the nest it is not known whether any is.
NEST conditional(int n, Operands o) {
  double **c = o.c, **a = o.a, *x = o.x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (x[i] > 2)
        c[i][j] += a[i][j];
}

// The table changes.
NEST exchanged(int n, Operands o) {
  double **c = o.c;
  for (int i = 0; i < n - 1; i++) {
    double *row = c[i];
    c[i] = c[i + 1];
    c[i + 1] = row;
    for (int j = 0; j < n; j++)
      c[i][j] += c[i + 1][j];
  }
}

// Words may be anything, also addresses in the table.
typedef long __attribute__((may_alias)) Word;

NEST shifted(int n, Operands o) {
  Word **c = (Word **)o.c;
  for (int j = 0; j < n - 1; j++)
    for (int i = 0; i < n; i++)
      c[i][j] = c[i][j + 1];
}

static const struct {
  const char *name;
  void (*nest)(int, Operands);
} NESTS[] = {
    {"product", product},
    {"product_of_rows", product_of_rows},
    {"times_vector", times_vector},
    {"decomposition", decomposition},
    {"shortest_paths", shortest_paths},
    {"transposition", transposition},
    {"sums_of_columns", sums_of_columns},
    {"pairs", pairs},
    {"halves", halves},
    {"to_column", to_column},
    {"downward", downward},
    {"conditional", conditional},
    {"exchanged", exchanged},
    {"shifted", shifted},
};
enum { N_NESTS = sizeof NESTS / sizeof NESTS[0] };

static const char *const PLACES[] = {"apart", "backward", "alternating", "stragglers", "same", "half", "close", "of-others", "vector", "in-table", "none"};
enum { N_PLACES = sizeof PLACES / sizeof PLACES[0] };

// The number of a row among all rows of three matrices.
static long place_of(const char *place, int n, int matrix, int row) {
  if (!strcmp(place, "backward"))
    return 3 * n - 1 - (matrix * n + row);
  if (!strcmp(place, "alternating"))
    return 3 * row + matrix;
  if (!strcmp(place, "stragglers"))
    // The first rows in any order, some of them between the others.
    return row < 6 && n > 20 ? (row * 5 % 6) * n / 3 + matrix : 3 * n + matrix * n + row;
  // Two rows of what is written, or one of another matrix.
  if (!strcmp(place, "same") && matrix == 0 && row == n - 1)
    return n / 2;
  if (!strcmp(place, "of-others") && matrix == 0 && row == n / 2)
    return n + n / 3;
  return matrix * n + row;
}

static void at(int nest, int n, const char *place, int at_end) {
  size_t size = 7 * (size_t)n * (size_t)n;
  double *memory = bytes(size * sizeof *memory, at_end);
  for (size_t k = 0; k < size; k++)
    memory[k] = 1 + (double)next(1000) / 64;
  double **tables[3];
  for (int matrix = 0; matrix < 3; matrix++) {
    tables[matrix] = bytes((size_t)n * sizeof(double *), at_end);
    for (int row = 0; row < n; row++) {
      tables[matrix][row] = memory + place_of(place, n, matrix, row) * n;
      if (!strcmp(place, "half") && matrix == 0 && row == n - 1 && n > 1)
        tables[matrix][row] -= n / 2;
      // The same rows in each matrix, which overlap by a quarter.
      if (!strcmp(place, "close"))
        tables[matrix][row] = memory + row * (3 * n / 4);
    }
  }
  Operands o = {tables[0], tables[1], tables[2], memory + 6 * (size_t)n * (size_t)n, n / 2, n - n / 2};
  if (!strcmp(place, "vector"))
    o.x = tables[1][n / 2] + n / 2;
  // A row that is the table, whose addresses change.
  if (!strcmp(place, "in-table") && NESTS[nest].nest == shifted)
    tables[0][n - 1] = (double *)(void *)tables[0];
  NESTS[nest].nest(n, o);
  unsigned long hash = 0;
  for (size_t k = 0; k < size; k++) {
    unsigned long bits;
    memcpy(&bits, &memory[k], sizeof bits);
    hash = hash * 31 + bits;
  }
  printf("%s %d %s: %lx\n", NESTS[nest].name, n, place, hash);
}

int main(int argc, char **argv) {
  for (int nest = 0; nest < N_NESTS; nest++) {
    if (argc < 3) {
      static const int SIZES[] = {1, 2, 3, 7, 8, 9, 16, 21, 33, 64, N};
      for (size_t size = 0; size < sizeof SIZES / sizeof *SIZES; size++)
        for (int place = 0; place < N_PLACES; place++)
          at(nest, SIZES[size], PLACES[place], place % 2 != 0);
      NESTS[nest].nest(0, (Operands){0});
      NESTS[nest].nest(-3, (Operands){0});
    } else if (!strcmp(argv[1], NESTS[nest].name)) {
      if (!strcmp(argv[2], "none"))
        NESTS[nest].nest(0, (Operands){0});
      else
        at(nest, N, argv[2], 1);
    }
  }
  return 0;
}
