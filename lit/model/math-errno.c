// Mathematical functions may set errno. They may change places as long as all set the same value, and no access is to
// errno.
//
// RUN: %model %s 2>&1 | FileCheck %s

double sqrt(double), exp(double);

// CHECK: roots: loop
// CHECK: write: [n] -> { S0[i] -> a[(i)]
void roots(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = sqrt(a[i]);
}

// CHECK: remark: loop nest left as it is: call of {{sqrt|exp}}, which may access memory
void two_values(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = sqrt(a[i]) + exp(a[i]);
}

// CHECK: remark: loop nest left as it is: an access to e may be to errno
void to_errno(int n, double *a, int *e) {
  for (int i = 0; i < n; i++) {
    a[i] = sqrt(a[i]);
    e[i] = 0;
  }
}
