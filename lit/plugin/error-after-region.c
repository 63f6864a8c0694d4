// An error that control comes to from a loop and from behind it: the value that is used there has a definition on both ways.
// RUN: %clang -O3 -mllvm -farkas-unprofitable -Rpass=farkas -Rpass-missed=farkas -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: internal error
// CHECK: loop nest transformed
// CHECK-NOT: internal error

void report(double) __attribute__((noreturn, cold));

double after(long n, long m, double *restrict a, double *restrict b, double *restrict c, long q, long k) {
  double x = 0;
  if (k > 3) {
    for (long i = 0; i < n; i++)
      for (long j = 0; j < n; j++)
        a[j * n + i] = a[j * n + i] * 2;
    x = c[3];
    for (long i = 0; i < n; i++) {
      if (i >= m)
        goto error;
      for (long j = 0; j < n; j++)
        b[j * n + i] = b[j * n + i] * 3 + x;
    }
  }
  if (q > 7)
    goto error;
  return x;
error:
  report(x);
}
