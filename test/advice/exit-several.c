// advice: leave the loop by its own condition only
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
#ifndef ADVISED
      if (b[j][i] < 0)
        break;
#endif
      a[j][i] += b[j][i] * 2;
    }
}
