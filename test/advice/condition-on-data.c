// advice: choose values by the condition in place of loops
void f(int n, double (*a)[1000], const double (*b)[1000], const int *flags) {
#ifdef ADVISED
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += flags[i] ? b[j][i] * 2 : -b[j][i];
#else
  for (int i = 0; i < n; i++)
    if (flags[i])
      for (int j = 0; j < n; j++)
        a[j][i] += b[j][i] * 2;
    else
      for (int j = 0; j < n; j++)
        a[j][i] -= b[j][i];
#endif
}
