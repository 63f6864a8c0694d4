// Contractions whose tiles are copied to shared memory some strips of 8 ahead: with fewer strips than stages, with as many and more, with and
// without a rest, and with rows of which all, some and none begin where 16 bytes may be copied at once.
#include <stdio.h>
#include <stdlib.h>

#define LOOP static __attribute__((noinline)) void

#define KERNELS(T)                                                                                                             \
  LOOP product_##T(long n, long m, long l, T (*restrict c)[m], T (*restrict a)[l], T (*restrict b)[m]) {                       \
    for (long i = 0; i < n; i++)                                                                                               \
      for (long j = 0; j < m; j++)                                                                                             \
        for (long k = 0; k < l; k++)                                                                                           \
          c[i][j] += a[i][k] * b[k][j];                                                                                        \
  }                                                                                                                            \
  /* Both factors are read along other dimensions, and next to where the loops are. */                                         \
  LOOP transposed_##T(long n, long m, long l, T (*restrict c)[m], T (*restrict a)[n + 1], T (*restrict b)[l + 2]) {            \
    for (long i = 0; i < n; i++)                                                                                               \
      for (long j = 0; j < m; j++)                                                                                             \
        for (long k = 0; k < l; k++)                                                                                           \
          c[i][j] += a[k][i + 1] * b[j][k + 2];                                                                                \
  }                                                                                                                            \
  /* Two loops are sequential, of which the second one is cut in strips. */                                                    \
  LOOP contraction_##T(long n, long m, long l, T (*restrict c)[m], T (*restrict a)[3][l], T (*restrict b)[l][m]) {             \
    for (long i = 0; i < n; i++)                                                                                               \
      for (long j = 0; j < m; j++)                                                                                             \
        for (long p = 0; p < 3; p++)                                                                                           \
          for (long k = 0; k < l; k++)                                                                                         \
            c[i][j] += a[i][p][k] * b[p][k][j];                                                                                \
  }

KERNELS(float)
KERNELS(double)
KERNELS(int)

// Values that are stored with others have no neighbours of their own.
struct pair {
  float first, second;
};

LOOP pairs(long n, long m, long l, float (*restrict c)[m], struct pair (*restrict a)[l], struct pair (*restrict b)[m]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      for (long k = 0; k < l; k++)
        c[i][j] += a[i][k].second * b[k][j].first;
}

enum { MOST = 200 * 200 };

static double values[3][MOST];

static void *of_type(int array, const char *type, long offset) {
  char *bytes = (char *)values[array];
  for (long at = 0; at < MOST; at++) {
    double value = (at * 7 + array * 5) % 23 - 9;
    switch (*type) {
    case 'f':
      ((float *)bytes)[at] = (float)value;
      break;
    case 'd':
      ((double *)bytes)[at] = value;
      break;
    default:
      ((int *)bytes)[at] = (int)value;
    }
  }
  return bytes + offset * (*type == 'd' ? 8 : 4);
}

#define RUN(T, kernel)                                                                                                         \
  do {                                                                                                                         \
    T *c = of_type(0, #T, 0);                                                                                                  \
    kernel(n, m, l, (void *)c, of_type(1, #T, offset), of_type(2, #T, offset));                                                \
    double sum = 0;                                                                                                            \
    for (long at = 0; at < n * m; at++)                                                                                        \
      sum += c[at] * (double)(at % 31 + 1);                                                                                    \
    printf("%ld %ld %ld %ld " #kernel " %.17g\n", n, m, l, offset, sum);                                                       \
  } while (0)

#define ALL(T)                                                                                                                 \
  do {                                                                                                                         \
    RUN(T, product_##T);                                                                                                       \
    RUN(T, transposed_##T);                                                                                                    \
    RUN(T, contraction_##T);                                                                                                   \
  } while (0)

int main(void) {
  static const long sizes[][4] = {{128, 128, 7, 0},  {128, 128, 8, 0},  {129, 131, 8, 1},  {128, 132, 16, 0}, {130, 129, 17, 0},
                                  {128, 128, 24, 2}, {128, 130, 31, 0}, {128, 128, 32, 0}, {132, 128, 40, 1}, {131, 133, 43, 3}};
  for (unsigned number = 0; number < sizeof sizes / sizeof *sizes; number++) {
    long n = sizes[number][0], m = sizes[number][1], l = sizes[number][2], offset = sizes[number][3];
    ALL(float);
    ALL(double);
    ALL(int);
    RUN(float, pairs);
  }
}
