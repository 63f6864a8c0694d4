#define MIN(a, b) ((a) < (b) ? (a) : (b))

int edit_distance(int n, int m, const char *a, const char *b, int d[n + 1][m + 1]) {
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      int gap = MIN(d[i - 1][j], d[i][j - 1]) + 1;
      d[i][j] = MIN(change, gap);
    }
  return d[n][m];
}
