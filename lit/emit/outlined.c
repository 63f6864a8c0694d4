// What is behind a test of sizes is in a function of its own in the end, with the other checks of the guard. It saves the registers that
// it uses: the original needs none for the call.
//
// RUN: %clang -O3 -mllvm -farkas-target=zen3 -S -emit-llvm %s -o - | FileCheck %s

// Without a test of sizes it stays where it is.
// CHECK-LABEL: define {{.*}}@square(
// CHECK-NOT: farkas.0
// CHECK: ret void
void square(double (*restrict a)[500], double (*restrict b)[500], double (*restrict c)[500]) {
  for (long i = 0; i < 500; i++)
    for (long j = 0; j < 500; j++)
      for (long k = 0; k < 500; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// CHECK-LABEL: define {{.*}}@columns(
// CHECK: icmp sgt i64
// CHECK: br i1 %{{.*}}, label %[[NEW:.*]], label %{{.*}}{{$}}
// CHECK: {{^}}[[NEW]]:
// CHECK-NEXT: [[DONE:%.*]] = call preserve_mostcc i1 @columns.farkas.0(
// CHECK-NEXT: br i1 [[DONE]], label
// CHECK-NOT: i128
// CHECK: {{^}}}
// CHECK: define internal preserve_mostcc {{.*}}i1 @columns.farkas.0(
// CHECK: icmp {{.*}}i128
// CHECK: fadd <{{[24]}} x double>
void columns(long n, long m, const double *a, double *sums) {
  for (long j = 0; j < m; j++) {
    double s = 0;
    for (long i = 0; i < n; i++)
      s += a[i * m + j];
    sums[j] = s;
  }
}
