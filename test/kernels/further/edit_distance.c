// The edit distance of two texts, written with conditions.
#ifndef N
#define N 1500
#endif
#include "further.h"

static int *L;
static char *S, *T;

static NOINLINE void distances(int n, int m, int ld, const char *restrict s, const char *restrict t, int (*restrict d)[ld]) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      if (s[i - 1] == t[j - 1]) {
        d[i][j] = d[i - 1][j - 1];
      } else {
        int least = d[i - 1][j - 1];
        if (d[i - 1][j] < least)
          least = d[i - 1][j];
        if (d[i][j - 1] < least)
          least = d[i][j - 1];
        d[i][j] = least + 1;
      }
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
  for (int i = 0; i <= size; i++)
    L[(size_t)i * (size + 6)] = i;
  for (int j = 0; j < size + 6; j++)
    L[j] = j;
}
static void compute(void) { distances(size, size + 5, size + 6, S, T, (void *)L); }
static void report(void) {
  for (size_t i = 0; i < (size_t)(size + 1) * (size + 6); i++)
    output_number(L[i]);
}
