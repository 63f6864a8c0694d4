// Loops that walk from one pointer to another: addresses are far above what any number of iterations is, and the new code has to
// run nevertheless.
//
// The argument says where the elements are: in a global array, on the heap, on the stack, or nowhere. The result is printed bit for
// bit.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 48 };

static double table[SIZE][SIZE], elements[SIZE];

// Each element is added to all of a row, column by column.
__attribute__((noinline)) static void add(double (*restrict rows)[SIZE], const double *first, const double *last) {
  for (long i = 0; i < SIZE; i++) {
    long row = 0;
    for (const double *p = first; p != last; p++)
      rows[row++][i] += *p;
  }
}

int main(int argc, char **argv) {
  const char *where = argc > 1 ? argv[1] : "global";
  double local[SIZE];
  double *heap = malloc(sizeof elements);
  double *first = strcmp(where, "heap") == 0 ? heap : strcmp(where, "stack") == 0 ? local : elements;
  for (int i = 0; i < SIZE; i++)
    first[i] = (i * 37 + 11) % 101 / 128.0;
  add(table, first, strcmp(where, "none") == 0 ? first : first + SIZE);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      printf("%a\n", table[i][j]);
  free(heap);
  return 0;
}
