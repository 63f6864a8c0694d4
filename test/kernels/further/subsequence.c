// The length of the longest common subsequence.
#ifndef N
#define N 1500
#endif
#include "further.h"

static int *L;
static char *S, *T;

static NOINLINE void lengths(int n, int m, int ld, const char *restrict s, const char *restrict t, int (*restrict l)[ld]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1])
        l[i][j] = l[i - 1][j - 1] + 1;
      else
        l[i][j] = l[i - 1][j] > l[i][j - 1] ? l[i - 1][j] : l[i][j - 1];
    }
}

static void initialise(void) {
  S = (char *)bytes(1, 1, size);
  T = (char *)bytes(2, 1, size + 5);
  for (int i = 0; i < size; i++)
    S[i] &= 3;
  for (int i = 0; i < size + 5; i++)
    T[i] &= 3;
  L = allocate(sizeof(int) * (size_t)(size + 1) * (size + 6));
}
static void compute(void) { lengths(size, size + 5, size + 6, S, T, (void *)L); }
static void report(void) {
  for (size_t i = 0; i < (size_t)(size + 1) * (size + 6); i++)
    output_number(L[i]);
}
