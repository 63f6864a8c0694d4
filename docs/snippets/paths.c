#define MIN(a, b) ((a) < (b) ? (a) : (b))

void shortest_paths(int n, int d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = MIN(d[i][j], d[i][k] + d[k][j]);
}
