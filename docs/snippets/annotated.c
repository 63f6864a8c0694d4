#include <farkas.h>

FARKAS_TILE(16, 64, 256)
void product(int n, double c[n][n], double a[n][n], double b[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

FARKAS_PLAN("interchange 0 1; tile 8 512")
void columns(int n, double s[n], double a[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      s[j] += a[i][j];
}

FARKAS_PLAN("reverse 1")
void prefix(int n, double a[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < n; j++)
      a[i][j] += a[i][j - 1];
}

FARKAS_LOOP(2, "off")
void both(int n, double a[n][n], double b[n][n]) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i][j] *= 2;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      b[i][j] *= 2;
}
