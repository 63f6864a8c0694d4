static int larger(int a, int b) { return a >= b ? a : b; }

void intervals(int n, int (*t)[n], const int *s) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      if (i < j - 1)
        t[i][j] = larger(t[i][j], t[i + 1][j - 1] + (s[i] + s[j] == 3));
      for (int k = i + 1; k < j; k++)
        t[i][j] = larger(t[i][j], t[i][k] + t[k + 1][j]);
    }
}
