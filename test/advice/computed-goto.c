// advice: write a `switch` in place of computed gotos
void f(int n, int k, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  switch (k) {
  case 0: return;
  }
#else
  static void *const places[] = {&&out, &&in};
  goto *places[k];
in:
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
#ifndef ADVISED
out:;
#endif
}
