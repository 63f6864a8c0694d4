// Nests whose statements may have tiles of their own.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Of the orders of the rest, one has jammed rows of children.
// CHECK: two_stencils: loop
static double A[37][36], B[36][36];
void two_stencils(unsigned n, long m, double *sink) {
  for (unsigned long t = 0; (long)t < m; t++) {
    for (int j = 4; j >= t + 1; j--)
      for (long k = 1; k < m - 1; k++)
        A[j][k] = 0.2 * (0.25 * B[j][k] + 0.25 * B[j - 1][k] + B[j + 1][k]);
    for (unsigned long j = 1; (long)j < m - 1; j++)
      for (long k = (int)(n - 2); k >= 1; k--)
        B[j][k] = 0.2 * (-0.5 * A[j][k] + 0.3 * (float)A[j - 1][k] + A[j + 1][k] * A[j][k - 1]);
  }
  sink[0] = A[3][3] + B[2][2];
}
