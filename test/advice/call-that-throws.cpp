// advice: let what is called be inlined
#ifdef ADVISED
static double twice(double x) { return 2 * x; }
#else
double twice(double);
#endif
struct Cleanup {
  ~Cleanup();
};
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  Cleanup cleanup;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += twice(b[j][i]);
}
