// A store that LLVM merged into a loop, of the value that its element then has, and stores that the same statement overwrites.
//
// RUN: %model %s 2>&1 | FileCheck %s

// What is stored in front of the loop over k and at its end is stored where its body begins. The element has the maximum all the time.
// CHECK-LABEL: {{^# }}fold: loop
// CHECK: scalar slot s{{.*}}: i32 in t
// CHECK: read, reduction max i32: {{.*}} [[S:S[0-9]+]][i, j, k] -> t[(
// CHECK: write, reduction max i32: {{.*}} [[S]][i, j, k] -> t[(
// CHECK-NOT: statement
static inline int larger(int a, int b) { return a > b ? a : b; }
void fold(int n, int (*restrict t)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < 2000; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      for (int k = i + 1; k < j; k++)
        t[i][j] = larger(t[i][j], t[i][k] + t[k + 1][j]);
    }
}

// The loop reads the element itself in its last iteration.
// CHECK-LABEL: {{^# }}itself: loop
// CHECK-NOT: in t
// CHECK: end
void itself(int n, int (*restrict t)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < 2000; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      for (int k = i + 1; k <= j; k++)
        t[i][j] = larger(t[i][j], 2 * t[i][k] + t[k + 1][j]);
    }
}

// The first store is overwritten: nothing reads it in between.
// CHECK-LABEL: {{^# }}twice: loop
// CHECK: statement [[S:.*]]
// CHECK-NOT: write
// CHECK: write, reduction max i32: {{.*}} [[S]][i, j] -> t[(i), (1 + j)]
// CHECK-NOT: write
void twice(int n, int (*restrict t)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 1; j < 2000; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      t[i][j] = larger(t[i][j], t[i + 1][j]);
    }
}

// Here something does, in one iteration.
// CHECK-LABEL: {{^# }}between: loop
// CHECK: write: {{.*}} -> t[(i), (j)]
// CHECK: write: {{.*}} -> t[(i), (j)]
void between(int n, int (*restrict t)[2000]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2000; j++) {
      t[i][j] = larger(t[i][j], t[i][0]);
      t[i][j] = larger(t[i][j], t[i][5]);
    }
}
