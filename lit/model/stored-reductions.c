// A reduction of what a recurrence stores is a statement of its own, which reads it from the array.
//
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -farkas-print=scop -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s

// `x > best ? max(x, 0) : best` is a maximum, as `best` is not negative.
// CHECK: align: loop
// CHECK: read, reduction max i32: {{.*}} -> best
// CHECK-NEXT: read: {{.*}} -> h[(1 + i), (1 + j)]
// CHECK-NEXT: write, reduction max i32
// CHECK: loop nest transformed: wavefronts of 16 iterations, 8 vector lanes
int align(int n, int m, const char *restrict a, const char *restrict b, int *restrict h) {
  int best = 0;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      int d = h[(i - 1) * (m + 1) + j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1);
      int u = h[(i - 1) * (m + 1) + j] - 1, l = h[i * (m + 1) + j - 1] - 1;
      int v = d > u ? d : u;
      v = v > l ? v : l;
      v = v > 0 ? v : 0;
      h[i * (m + 1) + j] = v;
      if (v > best)
        best = v;
    }
  return best;
}

// Without a recurrence, both share their loops.
// CHECK: greatest: loop
// CHECK: write: {{.*}} -> b
// CHECK-NEXT: write, reduction max i32
// CHECK: loop nest
int greatest(int n, int m, const int *restrict a, int *restrict b) {
  int most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int v = 3 * a[i * m + j];
      b[i * m + j] = v;
      most = v > most ? v : most;
    }
  return most;
}

// What else becomes of the reduction's value, or of the one before, keeps it where it is.
// CHECK: handed: loop
// CHECK: write: {{.*}} -> h
// CHECK: write: {{.*}} -> best
// CHECK: loop nest
int handed(int n, int m, int *restrict h, int *restrict e) {
  int best = 0, before = 5, last = 3;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int u = h[(i - 1) * m + j] - 1, l = h[i * m + j - 1] - 1;
      int v = u > l ? u : l;
      e[i * m + j] = before + last;
      h[i * m + j] = v;
      before = best;
      best = v > best ? v : best;
      last = best;
    }
  return best + last + before;
}

// Nor is a value that the statement does not compute.
// CHECK: constants: loop
// CHECK: loop nest
int constants(int n, int m, int *restrict h) {
  int sum = 0, last = 3;
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++) {
      int u = h[(i - 1) * m + j] + h[i * m + j - 1];
      h[i * m + j] = n;
      sum ^= n;
      h[m * n + i * m + j] = last;
      sum ^= last;
      last = u;
    }
  return sum;
}
