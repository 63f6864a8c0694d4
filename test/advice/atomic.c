// advice: move the access out of the loop
void f(int n, double (*a)[1000], const double (*b)[1000], _Atomic int *done) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[j][i] += b[j][i] * 2;
#ifndef ADVISED
      *done = 1;
#endif
    }
#ifdef ADVISED
  *done = 1;
#endif
}
