// Remarks name arrays, sizes and loops as the source does, and say what is assumed, with what it costs to check it.
//
// By debug information:
// RUN: %clang -O2 -g -Rpass=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -c %s -o /dev/null 2>&1 | FileCheck %s
// By the names that the IR has:
// RUN: %clang -O2 -fno-discard-value-names -Rpass=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -c %s -o /dev/null 2>&1 | FileCheck %s
// With neither:
// RUN: %clang -O2 -Rpass=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BARE
// Where nothing is changed:
// RUN: %clang -O2 -g -Rpass=farkas -Rpass-analysis=farkas -fno-caret-diagnostics -mllvm -farkas-emit=false -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLANNED
// In remark files:
// RUN: %clang -O2 -g -fsave-optimization-record -foptimization-record-file=%t.yaml -c %s -o /dev/null
// RUN: FileCheck %s --check-prefix=RECORD < %t.yaml

// CHECK: remark: loop nest transformed: interchanged loops, where n >= 24; {{[0-9.]+}} times as fast expected [-Rpass=farkas]
// CHECK: remark: checked before the loop nest: that n <= 64, and that b and a do not overlap (3 comparisons) [-Rpass-analysis=farkas]
// BARE: remark: loop nest transformed: interchanged loops, where p0 >= 24
// BARE: remark: checked before the loop nest: that p0 <= 64, and that A0 and A1 do not overlap (3 comparisons) [-Rpass-analysis=farkas]
// PLANNED: remarks.c:[[@LINE+18]]:3: remark: loop nest would be transformed: interchanged loops, where n >= 24
// PLANNED: remark: would be checked before the loop nest: that n <= 64
// RECORD: Name: Transformed
// RECORD: - Transforms: interchanged loops
// RECORD-NEXT: - String: ', where '
// RECORD-NEXT: - Sizes: 'n >= 24'
// RECORD-NEXT: - String: '; '
// RECORD-NEXT: - Gain: '{{[0-9.]+}}'
// RECORD-NEXT: - String: ' times as fast expected'
// RECORD: Name: Assumed
// RECORD: - Conditions: 'that n <= 64'
// RECORD-NEXT: - String: ', and '
// RECORD-NEXT: - String: 'that '
// RECORD-NEXT: - Arrays: b and a
// RECORD-NEXT: - String: ' do not overlap'
// RECORD-NEXT: - String: ' ('
// RECORD-NEXT: - Comparisons: '3'
void f(int n, double (*a)[64], double (*b)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}

// Cases in which nothing is executed are left to the original.
// CHECK: remarks.c:[[@LINE+3]]:3: remark: loop nest transformed
// CHECK: remarks.c:[[@LINE+2]]:3: remark: checked before the loop nest: that n >= 1 and ld >= n (2 comparisons) [-Rpass-analysis=farkas]
void g(long n, long m, long ld, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[j * ld + i] += b[j * ld + i] * 2;
}
