#include <stdio.h>
#include <stdlib.h>

void product(int n, int m, int k, double c[n][m], double a[n][k], double b[k][m]);

int main(void) {
  enum { N = 200 };
  double(*a)[N] = malloc(sizeof(double[N][N]));
  double(*b)[N] = malloc(sizeof(double[N][N]));
  double(*c)[N] = calloc(N, sizeof(double[N]));
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i - j;
      b[i][j] = i * j % 7;
    }
  product(N, N, N, c, a, b);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += c[i][j];
  printf("%.1f\n", sum);
  return 0;
}
