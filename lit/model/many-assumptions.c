// Subscripts of which each would have to be assumed to be in bounds, in one case or another: all cases of all of them
// together are too many, which is found out within the budget.
//
// RUN: %clang -O2 -fno-math-errno -c -o /dev/null %s -Rpass=farkas -Rpass-missed=farkas -mllvm -farkas-unprofitable 2>&1 | FileCheck %s
//
// CHECK: remark: loop nest {{transformed|left as it is}}

#include <math.h>

double f(unsigned n, int m, unsigned p, long len, int ld, double *A0, double A1[][ld], _Bool *A2) {
  double s1 = 1;
  A0[2] = 0.5f * (float)(A0[3]) - 0.25 * A0[8];
  for (int i2 = 0; i2 < len; i2++) {
    A2[i2 + 1] = ((unsigned)(int)(fmin(fmax(A1[(i2 & 15)][(((i2 + 2) & 15) & 7)], -8.0), 8.0) * 16) + ((unsigned)A2[i2 - 3] >> 2) + (unsigned)A2[(int)(p - i2)]) & 1;
    for (long j3 = 0; j3 < m; j3++) {
      for (int k4 = 0; k4 < 3; k4++) {
        if (2 * k4 - 1 <= k4 - 3) {
          A2[k4] = ((unsigned)(int)(fmin(fmax(A0[k4], -8.0), 8.0) * 16) % 5 + (unsigned)(int)(fmin(fmax(A0[i2], -8.0), 8.0) * 16) % 5) & 1;
        } else {
          A2[k4 - 1] = ((unsigned)(int)(fmin(fmax(A1[((ld - j3) & 15)][(((k4 + n) & 15) & 7)], -8.0), 8.0) * 16) + (unsigned)A2[k4 - 3]) & 1;
        }
        if (s1 < 0.5f * (float)(A1[(i2 & 15)][(((i2 - 1) & 15) & 7)]) - A0[k4 + 1]) s1 = (double)(0.5f * (float)(A1[(i2 & 15)][(((i2 - 1) & 15) & 7)]) - A0[k4 + 1]);
      }
    }
    A2[i2] = ((unsigned)(int)(fmin(fmax(A1[((i2 - 3) & 15)][((i2 & 15) & 7)], -8.0), 8.0) * 16)) & 1;
    for (int j5 = 0; j5 < (int)(n - 1); j5++) {
      A1[((m - j5 + 1) & 15)][(((i2 + j5) & 15) & 7)] = 0.25 * A1[j5][(((2 * i2) & 15) & 7)] - 0.25 * (A2[j5 - 1] & 31) * 0.03 + 0.01 * i2;
      A1[((i2 + i2 - 1) & 15)][(((j5 + i2 + 1) & 15) & 7)] += 0.75 * A1[((i2 + 2) & 15)][(((i2 + 1) & 15) & 7)] - -0.5 * (A2[j5] & 31) * 0.03;
    }
  }
  return s1;
}
