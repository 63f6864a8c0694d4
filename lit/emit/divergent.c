// A loop inside of lanes whose upper bound grows from lane to lane: iterations of all lanes, and those behind them under a mask.
// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=off -S -emit-llvm -o - %s -mllvm -farkas-vectorize=force -Rpass=farkas | FileCheck %s
// Machines without masks get the same, of which instruction selection makes branches.
// RUN: %clang -O3 -march=x86-64-v2 -ffp-contract=off -S -emit-llvm -o - %s -mllvm -farkas-vectorize=force | FileCheck %s --check-prefix=WITHOUT

// CHECK-LABEL: define {{.*}}@below(
// All lanes, without a mask.
// CHECK: phi <4 x double>
// CHECK-NOT: select <4 x i1>
// CHECK: %[[S:[0-9]+]] = fadd <4 x double>
// CHECK-NEXT: %[[T:[0-9]+]] = fmul <4 x double> %{{[0-9]+}}, splat (double 5.000000e-01)
// CHECK-NEXT: fadd <4 x double> %[[T]], %[[S]]
// WITHOUT-LABEL: define {{.*}}@below(
// WITHOUT: %[[ON:[0-9]+]] = icmp sle <2 x i64>
// WITHOUT: @llvm.masked.load.v2f64.p0({{.*}}<2 x i1> %[[ON]]
// The others, by a mask: the sums of lanes that are off stay.
// CHECK: %[[ON:[0-9]+]] = icmp sle <4 x i64>
// CHECK: %[[HELD:[0-9]+]] = tail call <4 x double> @llvm.masked.load.v4f64.p0({{.*}}<4 x i1> %[[ON]]
// CHECK: fmul <4 x double> %[[HELD]], splat (double 5.000000e-01)
// CHECK: select <4 x i1> %[[ON]], <4 x double> %{{[0-9]+}}, <4 x double> %[[HELD]]
void below(long n, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (long j = 0; j < i; j++) {
      s += x[j];
      t = t * 0.5 + s;
    }
    y[i] = s + t;
  }
}
