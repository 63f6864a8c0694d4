// advice: let it be inlined, or mark it `pure` or `const` if it is
#ifdef ADVISED
__attribute__((const))
#endif
double twice(double x);
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += twice(b[j][i]);
}
