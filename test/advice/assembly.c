// advice: use an intrinsic in its place
// flags: -fno-math-errno
void f(int n, double (*a)[1000], const double (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = b[j][i];
#ifdef ADVISED
      x = __builtin_sqrt(x);
#else
      __asm__ volatile("sqrtsd %0, %0" : "+x"(x));
#endif
      a[j][i] += x;
    }
}
