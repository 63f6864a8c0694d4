// advice: mark the arrays as `restrict` if they do not overlap
#ifdef ADVISED
#define RESTRICT restrict
#else
#define RESTRICT
#endif
void f(long n, double (*RESTRICT a)[1000], const double *RESTRICT b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[j][i] += b[j * j * i];
}
