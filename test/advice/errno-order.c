// advice: compile with `-fno-math-errno`
// advised flags: -fno-math-errno
#include <math.h>
void f(int n, double (*restrict a)[1000], const double (*restrict b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += sqrt(b[j][i]) + exp(b[j][i]);
}
