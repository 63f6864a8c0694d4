// advice: compile with `-fno-math-errno`
// advised flags: -fno-math-errno
#include <math.h>
void f(int n, int (*a)[1000], const int (*b)[1000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += sqrt(b[j][i]);
}
