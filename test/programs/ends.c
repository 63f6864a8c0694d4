// A value of a loop that is read behind the last loop of a region, by one of several statements there.
//
// The argument is the number of columns.
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64 };

static unsigned a[SIZE * SIZE];
static long b[SIZE];

__attribute__((noinline)) static long last(int n, long m, unsigned *a, const long *b) {
  long j = 0;
  for (long i = 0; i < n - 1; i++) {
    unsigned v = 0;
    for (j = i; j < m - 1; j++)
      v = a[j + m * j] - (unsigned)b[j];
    a[i] = v;
    // In the first iteration.
    if (i + i + 1 < 2)
      break;
  }
  return 31 + j;
}

int main(int argc, char **argv) {
  long m = argc > 1 ? atol(argv[1]) : 20;
  for (int i = 0; i < SIZE * SIZE; i++)
    a[i] = 7 * i;
  for (int i = 0; i < SIZE; i++)
    b[i] = 3 * i;
  // Not known when the function is compiled.
  long j = last(argc > 1 ? 12 : 1, m, a, b);
  printf("%ld %u\n", j, a[0]);
}
