// advice: call the function by its name, so that it can be inlined
static double twice(double x) { return 2 * x; }
void f(int n, double (*a)[1000], const double (*b)[1000], double (*function)(double)) {
#ifdef ADVISED
#define function twice
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += function(b[j][i]);
}
