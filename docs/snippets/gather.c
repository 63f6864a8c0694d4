void permuted_product(int n, int m, const int *row, double c[n][m], const double a[n][m], const double b[m][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < m; k++)
        c[i][j] += a[row[i]][k] * b[k][j];
}

void sparse_product(int n, const int *start, const int *column, const double *value, const double *x, double *y) {
  for (int i = 0; i < n; i++)
    for (int k = start[i]; k < start[i + 1]; k++)
      y[i] += value[k] * x[column[k]];
}
