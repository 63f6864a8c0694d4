int find(int n, int m, const int a[n][m], int key) {
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      if (a[i][j] == key)
        return i;
  return -1;
}
