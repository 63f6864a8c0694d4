// advice:
void f(long n, double *a, const double *b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[j * j] += b[j * n + i];
}
