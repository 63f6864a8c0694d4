// advice: take the nest apart
#define STATEMENT(k) if (i * k % 7 + j > k) c[k][j][i] += d[j][i] * k;
#define SIX(k) STATEMENT(k) STATEMENT(k + 1) STATEMENT(k + 2) STATEMENT(k + 3) STATEMENT(k + 4) STATEMENT(k + 5)
#define ALL(k) SIX(k) SIX(k + 6) SIX(k + 12) SIX(k + 18) SIX(k + 24) SIX(k + 30)
void f(int n, double (*restrict a)[1000], const double (*restrict b)[1000], double (*restrict c)[12][12],
       const double (*restrict d)[12]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[j][i] += b[j][i] * 2;
#ifdef ADVISED
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
#endif
      ALL(1) ALL(40) ALL(80) ALL(120)
    }
}
