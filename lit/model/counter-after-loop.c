// The value that an inner loop's counter has after the loop is carried by a scalar slot: it is no function of the counters
// around the statement that uses it.
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: counter_after_loop: loop
// CHECK: scalar slot [[SLOT:.*]]: i64{{$}}
// CHECK: read: {{.*}} -> [[SLOT]][]
// CHECK: write, reduction sum i64: {{.*}} -> L[
void counter_after_loop(long n, long m, double (*restrict A)[100], double (*restrict B)[100], long *restrict L) {
  for (long i = 0; i < n; i++) {
    long j;
    for (j = 0; j < m; j++)
      A[j][i] = B[j][i] * 2;
    L[i] += j;
  }
}

// A loop that counts on from where another one ended starts at an expression.
// CHECK: rest: loop
// CHECK-NOT: {{^# scalar slot}}
// CHECK: statement S1
// CHECK: read: {{.*}} -> B[(i), (t)] : n <= 3 {{.*}} -> B[(-3 + n + i), (t)] : n >= 4
void rest(long n, long m, double (*restrict A)[100], double (*restrict B)[100]) {
  for (long t = 0; t < m; t++) {
    long i;
    for (i = 0; i < n - 3; i++)
      A[i][t] = B[i][t] * 2;
    for (; i < n; i++)
      A[i][t] = B[i][t] * 3;
  }
}
