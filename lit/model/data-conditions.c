// What a condition on data governs is one statement: its stores may be executed.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=arms -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CODE

// The store of the first block must be executed, those behind the condition may be. Reads are over-approximated.
// CHECK: arms: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK-NEXT: schedule
// CHECK-NEXT: blocks: 3
// CHECK-NEXT: {{^}}    write: [n] -> { S0[i] -> c[(i)]
// CHECK-NEXT: read: [n] -> { S0[i] -> a[(i)]
// CHECK-NEXT: may write: [n] -> { S0[i] -> b[(i)]
// CHECK-NEXT: read: [n] -> { S0[i] -> b[(i)]
// CHECK-NEXT: may write: [n] -> { S0[i] -> b[(1 + i)]
// CHECK: statement S1
// CHECK: {{^}}    write: [n] -> { S1[i] -> d[(i)]
// The clone has the branch of the original.
// CODE: {{^}}farkas.body:
// CODE: store double 0.000000e+00
// CODE: %[[C:.*]] = fcmp ogt double
// CODE-NEXT: br i1 %[[C]], label %[[THEN:[a-z.0-9]*]], label %[[ELSE:[a-z.0-9]*]]
// CODE: {{^}}[[THEN]]:
// CODE: store double 1.000000e+00
// CODE-NEXT: br label %[[JOIN:[a-z.0-9]*]]
// CODE: {{^}}[[ELSE]]:
// CODE: load double
// CODE: store double
// CODE-NEXT: br label %[[JOIN]]
void arms(int n, double *restrict a, double *restrict b, double *restrict c, double *restrict d) {
  for (int i = 0; i < n; i++) {
    c[i] = 0;
    if (a[i] > 0)
      b[i] = 1;
    else
      b[i + 1] = b[i];
    if (n > 4)
      d[i] = 1;
  }
}

// An affine condition in front of one on data, with an arm that both lead to: all of it is one statement.
// CHECK: shared: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK: may write: [n] -> { S0[i] -> b[(i)]
// CHECK: may write: [n] -> { S0[i] -> c[(i)]
// CHECK-NOT: statement S1
void shared(int n, int m, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    if (i < m && a[i] > 0) {
      b[i] = 1;
      a[i] = 2;
    } else {
      c[i] = 2;
    }
}

// A phi where the arms meet: the statement writes its scalar slot.
// CHECK: merged: loop
// CHECK: scalar slot [[X:.*]]: double{{$}}
// CHECK: statement S0
// CHECK: may write: [n] -> { S0[i] -> b[(i)]
// CHECK-NEXT: {{^}}    write: [n] -> { S0[i] -> [[X]][]
// CHECK: statement S1
// CHECK: read: [n] -> { S1[i] -> [[X]][]
void merged(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    if (a[i] > 0) {
      b[i] = 0;
      x = a[i] * x;
    }
    a[i] += x;
  }
}
