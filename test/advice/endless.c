// advice: give the loop a condition
void f(int n, int k, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  for (int t = 0; t < k; t++)
#else
  for (;;)
#endif
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
}
