// advice: enter the loop at its start only
void f(int n, int k, double (*a)[1000], const double (*b)[1000]) {
  for (int t = 0; t < 3; t++) {
    int i = 0;
#ifndef ADVISED
    if (t & k)
      goto inside;
#endif
    for (; i < n; i++) {
#ifndef ADVISED
    inside:
#endif
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
    }
  }
}
