int distance(int m, int n, const char *first, const char *second, int *above, int *row) {
  for (int i = 1; i <= m; i++) {
    row[0] = i;
    for (int j = 1; j <= n; j++) {
      int least = above[j - 1] + (first[i - 1] != second[j - 1]);
      least = above[j] + 1 < least ? above[j] + 1 : least;
      row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
    }
    int *swap = above;
    above = row;
    row = swap;
  }
  return above[n];
}
