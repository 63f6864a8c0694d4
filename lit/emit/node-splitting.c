// The outermost loop is in strips. Rows and columns in a strip come first, with copies of what its iterations read there. All other elements are in
// registers for several iterations of a strip, and read copies only.
//
// RUN: %clang -O3 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen4 -mllvm -farkas-print=ast -Rpass=farkas 2>&1 | FileCheck %s
// RUN: %clang -O3 -fno-discard-value-names -S -emit-llvm -o - %s -mllvm -farkas-target=zen4 | FileCheck %s --check-prefix=IR

// CHECK: d.copy_0(
// CHECK: S0_0(
// CHECK: d.copy_1(
// CHECK: d.copy_2(
// CHECK: S0_3(
// CHECK: d.copy_3(
// CHECK: S0_9(4 * c2, 4 * c1, c3);
// CHECK-NEXT: S0_9(4 * c2 + 1, 4 * c1, c3);
// CHECK: loop nest transformed: split nodes, panels of 32, {{.*}}, where {{n|p0}} >=
//
// IR: call {{.*}}ptr @malloc(i64
// IR: call {{.*}}@free(
void shortest(int n, double d[n][n]) {
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        d[i][j] = d[i][k] + d[k][j] < d[i][j] ? d[i][k] + d[k][j] : d[i][j];
}
