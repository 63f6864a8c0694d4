// advice: take the function apart
#define FOUR(L) L L L L
#define CONDITION if (*p++ > 0)
#define CONDITIONS FOUR(FOUR(FOUR(FOUR(CONDITION))))
#define LOOPS FOUR(FOUR(FOUR(for (int i = 0; i < n; i++) x[i] += *p++;)))
#define NEST                                                                                                           \
  for (int i = 0; i < n; i++)                                                                                          \
    for (int j = 0; j < n; j++)                                                                                        \
      a[j][i] += b[j][i] * 2;
#ifdef ADVISED
void g(int n, int *x, const int *p) { CONDITIONS { LOOPS } }
void f(int n, int *x, double (*a)[1000], const double (*b)[1000]) { NEST }
#else
void f(int n, int *x, const int *p, double (*a)[1000], const double (*b)[1000]) { CONDITIONS { LOOPS } NEST }
#endif
