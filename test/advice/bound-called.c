// advice: compute the bound before the loop, in a local variable
unsigned long count(const double *s) __attribute__((pure));
void f(const double *s, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  unsigned long n = count(s);
#else
#define n count(s)
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}
