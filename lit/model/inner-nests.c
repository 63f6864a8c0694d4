// Where a nest is declined, the loops inside are looked at; what changes in outer loops is a parameter then.
//
// RUN: %model %s 2>&1 | FileCheck %s

void print(double);

// CHECK: remark: loop nest left as it is: call of print, which may access memory
// CHECK: f: loop
// CHECK: parameter [[ROW:.*]]: {0,+,(zext i32 %n to i64)}<%for.cond>
// CHECK: write: {{.*}} -> { S0[j] -> A[([[ROW]] + j)]
// CHECK: f: loop
// CHECK: parameter [[I:.*]]: {0,+,1}{{.*}}<%for.cond>
// CHECK: write: {{.*}} -> { S0[{{.*}}] -> y[([[I]]{{.*}})]
// CHECK-NOT: remark
void f(int n, double A[n][n], float *restrict y) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      A[i][j] += 1;
    print(A[i][0]);
    for (int j = i; j < 64; j++)
      y[j] = y[j] * 2;
  }
}
