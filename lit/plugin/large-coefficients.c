// The order of a sequence and a loop after it could be written as one permutable band, with the end of the type of `n` as a
// coefficient: tiles of that are nearly all empty, and take seconds. There is no such band.
//
// RUN: %clang -O2 -c -o /dev/null %s -mllvm -farkas-unprofitable -mllvm -farkas-tile=3 -mllvm -farkas-print=schedule 2>&1 | FileCheck %s
//
// CHECK: domain:
// CHECK-NOT: schedule: {{.*}}21474836

void f(int n, int ld, short *restrict a, const short *restrict b) {
  for (long i = 0; i < 10; i++) {
    a[i + ld] -= a[5] - b[i - 1] % 5 - a[-1 * i] % 5;
    for (long j = 1; j < n; j++)
      if (j >= 2 || i < n)
        a[j + 2] -= b[j];
  }
}
