// advice: check for errors before the loop
_Noreturn void abort(void);
void f(int n, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (b[j][i] < 0)
        abort();
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
#ifndef ADVISED
      if (b[j][i] < 0)
        abort();
#endif
      a[j][i] += b[j][i] * 2;
    }
}
