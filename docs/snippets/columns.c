void normal_equations(int m, int n, double a[m][n], double x[n], double y[n], double t[m]) {
  for (int j = 0; j < n; j++)
    y[j] = 0;
  for (int i = 0; i < m; i++) {
    t[i] = 0;
    for (int j = 0; j < n; j++)
      t[i] += a[i][j] * x[j];
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++)
      y[j] += a[i][j] * t[i];
}
