// Offsets that are loaded: rows of outer loops are steps apart, and an offset is assumed not to be negative.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// CHECK: knapsack: loop
// CHECK: assumptions: {{.*}}p{{[0-9]+}} >= 0
// CHECK: write: {{.*}} -> dp[({{.*}}1 + W{{.*}})]
// CHECK: loop nest transformed: hoisted loads
int knapsack(int n, int W, const int *weight, const int *value, int *dp) {
  for (int i = 1; i <= n; i++)
    for (int w = 0; w <= W; w++) {
      if (weight[i - 1] <= w) {
        int t = value[i - 1] + dp[(i - 1) * (W + 1) + w - weight[i - 1]];
        dp[i * (W + 1) + w] = t > dp[(i - 1) * (W + 1) + w] ? t : dp[(i - 1) * (W + 1) + w];
      } else
        dp[i * (W + 1) + w] = dp[(i - 1) * (W + 1) + w];
    }
  return dp[n * (W + 1) + W];
}

// In a single loop, any parameter may be an offset.
// CHECK: relax: loop
// CHECK: assumptions: {{.*}} -> { : weight >= 0 }
// CHECK: loop nest transformed: 8 vector lanes
void relax(int W, int weight, int value, int *dp) {
  for (int w = W; w >= weight; w--) {
    int t = dp[w - weight] + value;
    if (t > dp[w])
      dp[w] = t;
  }
}
