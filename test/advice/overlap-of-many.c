// advice: mark the arrays as `restrict` if they do not overlap
#ifdef ADVISED
#define PARAMETER(x) double (*restrict x)[100],
#else
#define PARAMETER(x) double (*x)[100],
#endif
#define STATEMENT(x) x[j][i] += x[j + n][i];
#define EIGHT(F, x) F(x##a) F(x##b) F(x##c) F(x##d) F(x##e) F(x##f) F(x##g) F(x##h)
#define ALL(F) EIGHT(F, a) EIGHT(F, b) EIGHT(F, c) EIGHT(F, d) EIGHT(F, e) EIGHT(F, f) EIGHT(F, g) EIGHT(F, h)
void f(ALL(PARAMETER) long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      ALL(STATEMENT)
    }
}
