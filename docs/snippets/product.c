void product(int n, int m, int k, double c[n][m], double a[n][k], double b[k][m]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int l = 0; l < k; l++)
        c[i][j] += a[i][l] * b[l][j];
}
