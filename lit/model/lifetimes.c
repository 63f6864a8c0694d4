// Variables that are declared inside: what they hold is of no interest before their lifetime begins and after it ends.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -fno-discard-value-names -mllvm -farkas-unprofitable -mllvm -farkas-only-func=reversed -S -emit-llvm -o - %s | FileCheck %s --check-prefix=CODE

// CHECK: reversed: loop
// CHECK: # array t: %t, outermost extent
// CHECK: array t: temporary, 8 bytes, [100]
// CHECK: statement S0
// CHECK: schedule: {{.*}} -> [(0), (i), (3), (j), (1)]
// CHECK: write: {{.*}} -> t[(j)]
// CHECK: statement S1
// CHECK: read: {{.*}} -> t[(99 - {{.*}})]
// CHECK: kill: [n] -> { K0[i] -> t[o0] : 0 <= i < n }
// CHECK-NEXT: schedule: { K0[i] -> [(0), (i), (1), (0), (0)] }
// CHECK-NEXT: kill: [n] -> { K1[i] -> t[o0] : 0 <= i < n }
// CHECK-NEXT: schedule: { K1[i] -> [(0), (i), (6), (0), (0)] }
// CHECK-NOT: may alias
void reversed(int n, double (*restrict A)[100], double (*restrict B)[100]) {
  for (int i = 0; i < n; i++) {
    double t[100];
    for (int j = 0; j < 100; j++)
      t[j] = B[j][i];
    for (int j = 0; j < 100; j++)
      A[j][i] = t[99 - j];
  }
}

// Around the new code, and in the original.
// CODE-LABEL: @reversed(
// CODE: farkas.start:
// CODE: call void @llvm.lifetime.start.p0(
// CODE-NOT: lifetime
// CODE: call void @llvm.lifetime.end.p0(
// CODE-NOT: lifetime
// CODE: {{^}}}

// What is loaded before it was written is not defined: no dependence has to be kept, but may be.
// CHECK: inner: loop
// CHECK: kill: {{.*}} { K0[i, j] -> t[o0]
// CHECK: kill: {{.*}} { K1[i, j] -> t[o0]
void inner(int n, double (*restrict A)[100], int c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double t[8];
      for (int k = 0; k < 8; k++)
        t[k] = A[i][j] * k;
      for (int k = 0; k < 8; k++)
        A[i][j] += t[(k * 3 + c) % 8];
    }
}

// Under a condition on data, it may be that nothing begins.
// CHECK: maybe: loop
// CHECK: array t: temporary
// CHECK-NOT: kill
void maybe(int n, double *restrict a, const int *restrict p) {
  for (int i = 0; i < n; i++)
    if (a[i] > 0) {
      double t[100];
      t[p[i]] = 1;
      t[p[i] + 1] = a[i];
      a[i] = t[p[i + 1]];
    }
}
