// Bounds that are loaded in a loop and used again behind it.
#include <stdio.h>
#include <stdlib.h>

#define LOOP __attribute__((noinline)) static

struct grid {
  long rows, columns;
  double scale;
};

// The second loop has the number of rows from the header of the first one.
LOOP void ghosts(const struct grid *g, double *f) {
  for (long i = 1; i <= g->rows; i++) {
    f[i * (g->columns + 2)] = f[i * (g->columns + 2) + g->columns];
    f[i * (g->columns + 2) + g->columns + 1] = f[i * (g->columns + 2) + 1];
  }
  for (long j = 0; j <= g->columns + 1; j++) {
    f[j] = f[g->rows * (g->columns + 2) + j];
    f[(g->rows + 1) * (g->columns + 2) + j] = f[g->columns + 2 + j];
  }
}
LOOP double mean(const struct grid *g, const double *f, double *sums) {
  for (long j = 0; j < g->columns; j++)
    for (long i = 0; i < g->rows; i++)
      sums[j] += f[i * g->columns + j];
  return sums[0] / (double)g->rows + (double)g->columns;
}
// The bound may be overwritten, and is what behind the loop says.
LOOP long clear(const struct grid *g, long *f) {
  for (long i = 0; i < 8 * g->rows; i += 8)
    for (long j = 0; j < 8; j++)
      f[i + j] = 3 * i - j;
  return g->rows;
}
// The header of the inner loop loads its bound where the loop is entered, whatever the bound is. Otherwise there is no grid.
struct sizes {
  size_t rows, columns;
};
LOOP void transpose(const struct sizes *s, size_t rows, const double *from, double *to) {
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < s->columns; j++)
      to[j * rows + i] = from[i * 64 + j];
}
// Pairs of pointers, and the numbers of elements between them.
struct span {
  const double *begin, *end;
};
LOOP void products(const struct span *x, const struct span *y, double *sums) {
  for (size_t j = 0; j < (size_t)(y->end - y->begin); j++)
    for (size_t i = 0; i < (size_t)(x->end - x->begin); i++)
      sums[i] += x->begin[i] * y->begin[j];
}

static unsigned long sum_of(const double *values, int n) {
  unsigned long sum = 0;
  for (int i = 0; i < n; i++)
    sum = sum * 31 + (unsigned long)(values[i] * 64);
  return sum;
}

int main(void) {
  double *field = malloc(8192 * sizeof *field), sums[64] = {0};
  for (int i = 0; i < 8192; i++)
    field[i] = (i * 7 % 1031) / 8.0;
  for (long rows = 0; rows < 40; rows += rows < 6 ? 1 : 11)
    for (long columns = 0; columns < 60; columns += columns < 6 ? 1 : 13) {
      struct grid g = {rows, columns, 1};
      ghosts(&g, field);
      printf("ghosts %ld %ld %lx\n", rows, columns, sum_of(field, 8192));
      double m = rows ? mean(&g, field, sums) : 0;
      printf("mean %ld %ld %lx %lx\n", rows, columns, sum_of(&m, 1), sum_of(sums, 64));
      long cells[400] = {0};
      printf("clear %ld", clear(&g, cells));
      printf(" %ld\n", cells[8 * rows / 2]);
      // The grid is among the cells.
      cells[10] = rows;
      printf("clear %ld\n", clear((struct grid *)(cells + 10), cells));
      double to[40 * 64] = {0};
      transpose(rows ? &(struct sizes){(size_t)rows, (size_t)columns} : 0, (size_t)rows, field, to);
      printf("transpose %lx\n", sum_of(to, 40 * 64));
      struct span x = {field + 64, field + 64 + columns}, y = {field, field + rows};
      if (!rows)
        products(rows < columns ? &x : 0, &(struct span){0, 0}, to);
      products(&x, &y, to);
      printf("products %lx\n", sum_of(to, 64));
    }
  return 0;
}
