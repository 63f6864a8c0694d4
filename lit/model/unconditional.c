// What is stored under a condition on data is stored in any case, where the region writes these elements anyway. What is loaded under one is loaded
// in any case, where the region accesses these elements anyway, or elements on both sides of them.
//
// RUN: %model %s 2>&1 | FileCheck %s

// The minimum is written; where it was found, under the condition only.
// CHECK: chain: loop
// CHECK: statement S1
// CHECK: read: {{.*}} -> m[(-1 + n - [[I:[a-z0-9.]+]]), (n - [[I]] + [[J:[a-z0-9.]+]])]
// CHECK: {{^ *}}write: {{.*}} -> m[(-1 + n - [[I]]), (n - [[I]] + [[J]])]
// CHECK: may write: {{.*}} -> place[
void chain(int n, int (*restrict m)[100], int (*restrict place)[100], const int *restrict p) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      m[i][j] = 1 << 30;
      for (int k = i; k < j; k++) {
        int c = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (c < m[i][j]) {
          m[i][j] = c;
          place[i][j] = k;
        }
      }
    }
}

// Half of the elements are written anyway.
// CHECK: halves: loop
// CHECK: may write: {{.*}} -> y[
void halves(int n, const float *restrict a, float *restrict y) {
  for (int i = 0; i < n; i++) {
    if (a[i] > 1)
      y[i] = a[i];
    if (i < n / 2)
      y[i] = a[i + 1];
  }
}

// Nothing is known of elements behind a store to another one of the array.
// CHECK: both_arms: loop
// CHECK: may write: {{.*}} -> y[(
// CHECK: may write: {{.*}} -> y[(1 +
void both_arms(int n, const int *restrict a, int *restrict y) {
  y[n] = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++) {
      if (a[i * n + j] > 8)
        y[i] = j;
      else if (a[i * n + j] < -8)
        y[i + 1] = j;
    }
  }
}

// The cell is between two of its neighbours.
// CHECK: cells: loop
// CHECK: conditional in original: access 8
void cells(int n, int m, unsigned char (*restrict a)[m], unsigned char (*restrict b)[m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int sum = a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1];
      b[i][j] = sum == 3 || (sum == 2 && a[i][j]);
    }
}

// What is behind the last element may be no memory.
// CHECK: further: loop
// CHECK-NOT: conditional in original
void further(int n, const unsigned char *restrict a, const unsigned char *restrict k, unsigned char *restrict b) {
  for (int i = 0; i < n; i++) {
    unsigned char here = a[i];
    if (k[i] & 1)
      here += a[i + 1];
    b[i] = here;
  }
}
