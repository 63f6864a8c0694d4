// advice: test the condition before the loop
void f(int n, int m, double (*a)[1000], const double (*b)[1000]) {
#ifdef ADVISED
  if (n / m & 12)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
  else
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        a[j][i] -= b[j][i];
#else
  for (int i = 0; i < n; i++)
    if (n / m & 12)
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
    else
      for (int j = 0; j < n; j++)
        a[j][i] -= b[j][i];
#endif
}
