// advice: write `if` and `else` in place of `continue`
void f(int n, double (*a)[1000], const double (*b)[1000], const int *flags) {
  for (int i = 0; i < n; i++) {
    int j = 0;
    while (j < n) {
#ifdef ADVISED
      if (flags[j] != 3)
        a[j][i] += b[j][i] * 2;
      j++;
#else
      if (flags[j] == 3) {
        j++;
        continue;
      }
      a[j][i] += b[j][i] * 2;
      j++;
#endif
    }
  }
}
