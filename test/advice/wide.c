// advice: use integers of at most 64 bits
#ifdef ADVISED
typedef long Size;
#else
typedef __int128 Size;
#endif
void f(Size n, double (*a)[1000], const double (*b)[1000]) {
  for (Size i = 0; i < n; i++)
    for (Size j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}
