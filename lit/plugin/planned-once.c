// The order of a nest is searched once: when it turns out that the nest after it gains nothing, the order that was found is taken.
//
// RUN: env RUST_LOG=debug %clang -O2 -c -o /dev/null %s -Rpass=farkas -Rpass-missed=farkas -mllvm -farkas-print=schedule 2>&1 | FileCheck %s

// CHECK: dependences:
// CHECK: order took
// CHECK: dependences:
// CHECK: order took
// CHECK: remark: loop nest left as it is: no gain expected
// CHECK-NOT: dependences:
// CHECK-NOT: order took
// The stages are printed where the order is taken.
// CHECK: schedule: {{.*}}S0
// CHECK-NOT: dependences:
// CHECK: guards took
// CHECK: remark: loop nest transformed
void sums_and_copies(long n, double A[restrict n][n], double s[restrict n], double B[restrict n][n], double C[restrict n][n]) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      s[j] += A[i][j];
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      B[i][j] = C[i][j];
}
