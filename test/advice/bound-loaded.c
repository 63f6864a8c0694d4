// advice: `limit` may change inside the loop: copy it to a local variable
int limit;
void f(int (*a)[1000], const int (*b)[1000]) {
#ifdef ADVISED
  int n = limit;
#else
#define n limit
#endif
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[j][i] += b[j][i] * 2;
      limit = a[j][i];
    }
}
