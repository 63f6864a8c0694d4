// advice: take the pragma away
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++) {
#ifndef ADVISED
#pragma clang loop vectorize_width(4)
#endif
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
  }
}
