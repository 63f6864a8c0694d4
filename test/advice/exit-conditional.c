// advice: leave the loop by its own condition only
void f(int n, double (*restrict a)[1000], const double (*restrict b)[1000], const int *restrict p) {
  for (int i = 0; i < n; i++)
#ifdef ADVISED
    for (int j = 0; j < n; j++)
#else
    for (int j = 0;; j++)
#endif
      switch (p[j]) {
      case 3: a[j][i] = 1; break;
      case 7: a[j][i] = b[j][i]; break;
      case 12: a[j][i] = 3; break;
#ifndef ADVISED
      case 44: return;
#endif
      default: a[j][i] = 5;
      }
}
