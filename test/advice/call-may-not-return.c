// advice: mark it `pure` or `const` if it is, or let it be inlined
// flags: -mllvm -farkas-only-func=f
#ifdef ADVISED
__attribute__((const))
#endif
__attribute__((noinline)) static double reduced(double x) {
  while (x > 1)
    x = x * x - 3;
  return x;
}
void f(int n, double (*restrict a)[1000], const double (*restrict b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += reduced(b[j][i]);
}
