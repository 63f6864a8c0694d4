// Scalars that are carried between statement instances become scalar slots: arrays without dimensions.
//
// RUN: %model %s 2>&1 | FileCheck %s

// A sum in a register, written and read within the outer loop.
// CHECK: sums: loop
// CHECK: scalar slot s: double{{$}}
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK-NEXT: schedule: { S0[i] -> [(0), (i), (0), (0), (0)] }
// CHECK-NEXT: write: [n] -> { S0[i] -> s[]
// CHECK: statement S1
// CHECK-NEXT: domain: [n] -> { S1[i, j] : 0 <= i < n and 0 <= j < n }
// CHECK-NEXT: schedule
// CHECK-NEXT: read: [n] -> { S1[i, j] -> s[]
// CHECK-NEXT: read: [n] -> { S1[i, j] -> A
// CHECK-NEXT: write: [n] -> { S1[i, j] -> s[]
// CHECK: statement S2
// CHECK: read: [n] -> { S2[i] -> s[]
// CHECK-NEXT: read: [n] -> { S2[i] -> y[(i)]
// CHECK-NEXT: write: [n] -> { S2[i] -> y[(i)]
void sums(int n, double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    y[i] += s;
  }
}

// A result that is used after the loop, and a scalar slot that has a value before it.
// CHECK: total: loop
// CHECK: scalar slot s: double from %start
// CHECK: live out %s.0: s
double total(int n, const double *a, double start) {
  double s = start;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// A value that is affine in the counters is computed where it is needed, also after the loop.
// CHECK: last: loop
// CHECK-NOT: {{^# scalar slot}}
// CHECK: live out %i.0: (0 smax %n)
int last(int n, double *a) {
  int i;
  for (i = 0; i < n; i++)
    a[i] = 2 * i;
  return i;
}

// A value that is loaded before a condition and used after it.
// CHECK: across: loop
// CHECK: scalar slot {{.*}}: double
// CHECK: statement S2
// CHECK-NEXT: domain: [n] -> { S2[i] : 5 <= i < n }
void across(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x = b[i];
    b[i] = 0;
    if (i >= 5)
      a[i] += x;
  }
}

// The value of a phi where two ways meet.
// CHECK: merge: loop
// CHECK: scalar slot [[X:.*]]: double{{$}}
// CHECK: write: [n, m] -> { S{{[0-9]}}[i] -> [[X]][]
// CHECK: write: [n, m] -> { S{{[0-9]}}[i] -> [[X]][]
// CHECK: read: [n, m] -> { S{{[0-9]}}[i] -> [[X]][]
void merge(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x;
    if (i < m) {
      x = b[i];
      b[i] = 1;
    } else {
      x = a[i];
      b[i] = 2;
    }
    a[i] += x;
  }
}
