// Loop nests whose sizes are parameters: for small ones the original code runs, for large ones the new code. The first argument says
// which nest, the second the size. The narrow product has few columns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 320, COLUMNS = 3 };

static double A[LARGEST * LARGEST], B[LARGEST * LARGEST], C[LARGEST * LARGEST];

__attribute__((noinline)) static void product(int n, int m, int p, double (*a)[p], double (*b)[m], double (*c)[m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++)
        c[i][j] += a[i][k] * b[k][j];
}

__attribute__((noinline)) static void rows(int n, int m, double (*a)[m], double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      y[i] += a[i][j] * x[j];
}

__attribute__((noinline)) static void columns(int n, double (*a)[n], double (*b)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += 2 * b[j][i];
}

__attribute__((noinline)) static void triangle(int n, double (*a)[n], double (*b)[n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = i + 1; k < n; k++)
        b[i][j] += a[k][i] * b[k][j];
}

int main(int argc, char **argv) {
  const char *nest = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 0;
  for (int i = 0; i < LARGEST * LARGEST; i++) {
    A[i] = (double)((i * 37 + 11) % 101) / 128;
    B[i] = (double)((i * 53 + 7) % 89) / 128;
  }
  if (!strcmp(nest, "product"))
    product(n, n, n, (void *)A, (void *)B, (void *)C);
  if (!strcmp(nest, "narrow"))
    product(n, COLUMNS, n, (void *)A, (void *)B, (void *)C);
  if (!strcmp(nest, "rows"))
    rows(n, n, (void *)A, B, C);
  if (!strcmp(nest, "columns"))
    columns(n, (void *)A, (void *)B);
  if (!strcmp(nest, "triangle"))
    triangle(n, (void *)A, (void *)B);
  // Whatever the size, so many elements are enough to tell results apart.
  double sum[3] = {0};
  for (int i = 0; i < LARGEST * LARGEST; i++) {
    sum[0] = 0.999 * sum[0] + A[i];
    sum[1] = 0.999 * sum[1] + B[i];
    sum[2] = 0.999 * sum[2] + C[i];
  }
  printf("%a %a %a\n", sum[0], sum[1], sum[2]);
  return 0;
}
