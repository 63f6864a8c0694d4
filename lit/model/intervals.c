// Tables of intervals, where the best value of an interval is in a variable until it is stored. Intervals of one length are independent: their loop is
// the outermost one of the plan (test/plans/intervals.txt).
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK-LABEL: {{^# }}best: loop
// CHECK: scalar slot b: double in t
// CHECK: statement S0
// CHECK: statement S1
// CHECK: read: {{.*}} S1[i, j, k] -> t[([[ELEMENT:.*]])] :
// CHECK: write: {{.*}} S1[i, j, k] -> t[([[ELEMENT]])] :
// CHECK-NOT: statement
static inline double larger(double a, double b) { return a > b ? a : b; }
void best(int n, double t[n][n], const double *restrict w) {
  for (int i = n - 2; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      double b = larger(larger(t[i + 1][j], t[i][j - 1]), t[i + 1][j - 1] + w[i] * w[j]);
      for (int k = i + 1; k < j; k++)
        b = larger(b, t[i][k] + t[k + 1][j]);
      t[i][j] = b;
    }
}
