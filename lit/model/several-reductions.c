// Statements that combine values of an element by one operation are parts of one reduction, also where LLVM has the value between two of
// them in a register: it is kept in the element.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK-LABEL: {{^# }}fold: loop
// CHECK: {{^# scalar slot .*: i32 in t$}}
// CHECK: statement
// CHECK: read, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK: read: {{.*}} -> t[(-1 + n - i), (-1 + n - i + j)]
// CHECK: write, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK: statement
// CHECK: read, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK: read: {{.*}} -> t[(n - i), (n - i + j)]
// CHECK: write, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK: statement
// CHECK: read, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK: read: {{.*}} -> t[
// CHECK: read: {{.*}} -> t[
// CHECK: write, reduction max i32: {{.*}} -> t[(-1 + n - i), (n - i + j)]
// CHECK-NOT: statement
static int larger(int a, int b) { return a >= b ? a : b; }
void fold(int n, int (*t)[1000]) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      t[i][j] = larger(t[i][j], t[i][j - 1]);
      if (j < n - 1)
        t[i][j] = larger(t[i][j], t[i + 1][j]);
      for (int k = i + 1; k < j; k++)
        t[i][j] = larger(t[i][j], t[i][k] + t[k + 1][j]);
    }
}
