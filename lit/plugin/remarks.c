// What is assumed is said, with what it costs to check it.
//
// RUN: %clang -O2 -fno-discard-value-names -Rpass=farkas -Rpass-analysis=farkas -c %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remarks.c:[[@LINE+3]]:3: remark: loop nest transformed
// CHECK: remarks.c:[[@LINE+2]]:3: remark: checked before the loop nest: that the parameters are in [n] -> { : n <= 64 }, and that b, a do not overlap (3 comparisons) [-Rpass-analysis=farkas]
void f(int n, double (*a)[64], double (*b)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}

// Cases in which nothing is executed are left to the original.
// CHECK: remarks.c:[[@LINE+3]]:3: remark: loop nest transformed
// CHECK: remarks.c:[[@LINE+2]]:3: remark: checked before the loop nest: that the parameters are in [n, m, ld] -> { : n > 0 and ld >= n } (2 comparisons) [-Rpass-analysis=farkas]
void g(long n, long m, long ld, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[j * ld + i] += b[j * ld + i] * 2;
}
