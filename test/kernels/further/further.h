// What kernels of which the sizes are known at run time only have beside ../kernel.h: arrays on the heap, and output of other types.

#ifndef FARKAS_TEST_FURTHER_H
#define FARKAS_TEST_FURTHER_H

#include "../kernel.h"

#define USED_BY_SOME __attribute__((unused))

// An array with values of its own for each number.
USED_BY_SOME static DATA *filled(int salt, int rows, int columns) {
  DATA *values = allocate(sizeof(DATA) * (size_t)rows * (size_t)columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      values[(size_t)i * columns + j] = datum(salt, i, j);
  return values;
}

USED_BY_SOME static unsigned char *bytes(int salt, int rows, int columns) {
  unsigned char *values = allocate((size_t)rows * (size_t)columns);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      values[(size_t)i * columns + j] = (unsigned char)(255 * datum(salt, i, j));
  return values;
}

USED_BY_SOME static void output_number(double number) {
  DATA value = (DATA)number;
  output(&value, 1);
}

USED_BY_SOME static void output_bytes(const unsigned char *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    output_number(values[i]);
}

#endif
