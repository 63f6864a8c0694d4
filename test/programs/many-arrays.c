// Twelve arrays, half of them written, any of which may overlap: their addresses are sorted before they are compared.
//
// The argument says where they are: `ascending`, `mixed`, `shared` (two that are only read are one), or one of two kinds of
// overlap with one that is written. The result is printed bit for bit.
#include <stdio.h>
#include <string.h>

enum { SIZE = 16, ARRAYS = 12 };

typedef double Matrix[SIZE][SIZE];

static double memory[(ARRAYS + 1) * SIZE * SIZE];

__attribute__((noinline)) static void
add(int n, Matrix a, Matrix b, Matrix c, Matrix d, Matrix e, Matrix f, Matrix g, Matrix h, Matrix k, Matrix l, Matrix m,
    Matrix o) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[j][i] += g[j][i];
      b[j][i] += h[j][i] * 0.5;
      c[j][i] += k[j][i] * a[j][i];
      d[j][i] += l[j][i] - b[j][i];
      e[j][i] += m[j][i] * 0.25;
      f[j][i] += o[j][i] + 1;
    }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  double *at[ARRAYS];
  for (int k = 0; k < ARRAYS; k++)
    at[k] = memory + (strcmp(how, "mixed") == 0 ? k * 5 % ARRAYS : k) * SIZE * SIZE;
  if (strcmp(how, "shared") == 0)
    at[11] = at[7];
  if (strcmp(how, "read") == 0)
    at[9] = at[2] + SIZE + 3;
  if (strcmp(how, "written") == 0)
    at[4] = at[1] - SIZE - 3;
  for (int i = 0; i < (ARRAYS + 1) * SIZE * SIZE; i++)
    memory[i] = (double)((i * 37 + 11) % 101) / 128;
#define AT(k) (void *)at[k]
  add(SIZE, AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7), AT(8), AT(9), AT(10), AT(11));
  for (int i = 0; i < (ARRAYS + 1) * SIZE * SIZE; i++)
    printf("%a\n", memory[i]);
  return 0;
}
