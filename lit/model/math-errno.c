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

double sin(double), tanh(double), erf(double), log(double);

// CHECK: domain: loop
void domain(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = sqrt(sin(a[i]));
}

// CHECK: range: loop
void range(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = tanh(a[i]) + erf(a[i]);
}

// CHECK: remark: loop nest left as it is: call of log, which may access memory
void either(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = log(a[i]);
}
