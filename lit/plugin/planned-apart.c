// Nests in sequence that share no array are planned one by one only: no order of both is searched.
//
// RUN: env RUST_LOG=debug %clang -O2 -c -o /dev/null %s -Rpass=farkas 2>&1 | FileCheck %s

// CHECK-COUNT-2: order took
// CHECK-NOT: order took
// CHECK: guards took
// CHECK: remark: loop nest transformed
// CHECK-NOT: order took
// CHECK: guards took
// CHECK: remark: loop nest transformed
void two_sums(long n, double A[restrict n][n], double s[restrict n], double B[restrict n][n], double t[restrict n]) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      s[j] += A[i][j];
  for (long j = 0; j < n; j++)
    for (long i = 0; i < n; i++)
      t[j] += B[i][j];
}
