// advice: let it be inlined
// not: pure
#ifdef ADVISED
static void add(double *x, double y) { *x += y; }
#else
void add(double *x, double y);
#endif
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      add(&a[j][i], b[j][i]);
}
