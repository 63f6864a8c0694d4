// What a loop begins with is known before the loop in front of it, even if no block is between them.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: softmax: loop
// CHECK: domain: {{.*}} S1[i] : 0 <= i < n }
void softmax(int n, int m, const float *restrict x, float *restrict y) {
  for (int i = 0; i < n; i++) {
    float s = x[i * m];
    for (int j = 1; j < m; j++)
      s = x[i * m + j] > s ? x[i * m + j] : s;
    float t = 0;
    for (int j = 0; j < m; j++)
      t += x[i * m + j];
    y[i] = s + t;
  }
}
