void column_sums(int n, int m, const double a[n][m], double sum[m]) {
  for (int j = 0; j < m; j++) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += a[i][j];
    sum[j] = s;
  }
}

double dot(int n, const double *x, const double *y) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  return s;
}
