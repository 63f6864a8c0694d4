// A relaxation in place of fewer steps than wavefronts have rows. What is planned for it is in test/plans/few-steps.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: relaxation: loop
// CHECK: domain: [n] -> { S0[t, i, j] : 0 <= t <= 5 and 0 <= i <= -3 + n and 0 <= j <= -3 + n }
void relaxation(int n, double (*a)[n]) {
  for (int t = 0; t < 6; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = 0.3 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) - 0.2 * a[i][j];
}
