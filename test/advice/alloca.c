// advice: declare the array before the loop
void f(int n, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  double *t = __builtin_alloca(1000 * sizeof(double));
#endif
  for (int i = 0; i < n; i++) {
#ifndef ADVISED
    double *t = __builtin_alloca(1000 * sizeof(double));
#endif
    for (int j = 0; j < n; j++)
      t[j] = b[j][i] * 2;
    for (int j = 0; j < n; j++)
      a[j][i] += t[j];
  }
}
