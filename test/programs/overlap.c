// A matrix product whose arrays may overlap: disjoint ones, and a result that lies over an operand. The second has to be
// computed in the original order.
//
// The argument `disjoint` or `overlapping` says which; the result is printed bit for bit.
#include <stdio.h>
#include <string.h>

enum { SIZE = 24 };

typedef double Matrix[SIZE][SIZE];

static double memory[4 * SIZE * SIZE];

__attribute__((noinline)) static void multiply(int n, double (*A)[SIZE], double (*B)[SIZE], double (*C)[SIZE]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}

int main(int argc, char **argv) {
  int overlapping = argc > 1 && strcmp(argv[1], "overlapping") == 0;
  for (int i = 0; i < 4 * SIZE * SIZE; i++)
    memory[i] = (double)((i * 37 + 11) % 101) / 128;
  double (*A)[SIZE] = (void *)memory;
  double (*B)[SIZE] = (void *)(memory + SIZE * SIZE);
  // Five elements into A where they overlap: rows of one lie across rows of the other.
  double (*C)[SIZE] = (void *)(overlapping ? memory + 5 : memory + 2 * SIZE * SIZE);
  multiply(SIZE, A, B, C);
  for (int i = 0; i < 4 * SIZE * SIZE; i++)
    printf("%a\n", memory[i]);
  return 0;
}
