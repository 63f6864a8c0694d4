// A condition on data around a loop is evaluated in front of the new code, row by row, behind all other checks.
//
// RUN: %clang -O1 -mllvm -farkas-unprofitable -mllvm -farkas-conditions=force -fno-vectorize -fno-discard-value-names -S -emit-llvm %s \
// RUN:   -o - | FileCheck %s
// RUN: %clang -O1 -g1 -Rpass-analysis=farkas -mllvm -farkas-unprofitable -mllvm -farkas-conditions=force -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: define {{.*}}@product(
// The addresses are compared first.
// CHECK: br i1 %{{.*}}, label %farkas.conditions, label %[[ORIGINAL:[a-z0-9.]*]]
// A row has no other way out: LLVM can vectorize it.
// CHECK: {{^}}[[ROW:farkas.inspected[0-9]+]]:
// CHECK: [[SO_FAR:%.*]] = phi i1
// CHECK: [[ELEMENT:%.*]] = load double
// CHECK-NEXT: [[FROZEN:%.*]] = freeze double [[ELEMENT]]
// CHECK-NEXT: [[HOLDS:%.*]] = fcmp une double [[FROZEN]], 0.000000e+00
// CHECK-NEXT: [[ALL:%.*]] = and i1 [[SO_FAR]], [[HOLDS]]
// CHECK: br i1 %{{.*}}, label %{{.*}}, label %[[ROW]]
// CHECK: br i1 [[ALL]], label %{{.*}}, label %[[ORIGINAL]]
// REMARK: conditions.c:[[@LINE+2]]:3: remark: checked before the loop nest: that A0, A2 and A1 do not overlap, and that the condition in line [[@LINE+4]] holds throughout
void product(long n, double *c, const double *a, const double *b) {
  for (long j = 0; j < n; j++)
    for (long l = 0; l < n; l++)
      if (b[j * n + l] != 0)
        for (long i = 0; i < n; i++)
          c[j * n + i] += b[j * n + l] * a[l * n + i];
}
