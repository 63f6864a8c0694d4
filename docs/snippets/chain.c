/* The least cost of a chain of matrix products. */
void chain(int n, int (*restrict cost)[512], const int *restrict size) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      cost[i][j] = 1 << 30;
      for (int k = i; k < j; k++) {
        int c = cost[i][k] + cost[k + 1][j] + size[i] * size[k + 1] * size[j + 1];
        if (c < cost[i][j])
          cost[i][j] = c;
      }
    }
}
