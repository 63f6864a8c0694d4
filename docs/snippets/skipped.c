void scaled(int n, double beta, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (int j = 0; j < n; j++) {
    if (beta == 0)
      for (int i = 0; i < n; i++)
        c[j][i] = 0;
    for (int k = 0; k < n; k++)
      if (b[j][k] != 0)
        for (int i = 0; i < n; i++)
          c[j][i] += b[j][k] * a[k][i];
  }
}
void solve(int n, double (*restrict b)[n], double (*restrict a)[n]) {
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      if (b[j][k] != 0)
        for (int i = k + 1; i < n; i++)
          b[j][i] -= b[j][k] * a[k][i];
}
