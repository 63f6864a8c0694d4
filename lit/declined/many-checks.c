// A nest whose arrays would take too many comparisons of addresses is left alone.
//
// RUN: %clang -O2 -mllvm -farkas-unprofitable -Rpass-missed=farkas -c %s -o /dev/null 2>&1 | FileCheck %s

#define EIGHT(F, x) F(x##a) F(x##b) F(x##c) F(x##d) F(x##e) F(x##f) F(x##g) F(x##h)
#define ALL(F) EIGHT(F, a) EIGHT(F, b) EIGHT(F, c) EIGHT(F, d) EIGHT(F, e) EIGHT(F, f) EIGHT(F, g) EIGHT(F, h)
#define PARAMETER(x) double *x,
#define STATEMENT(x) x[j] += x[j + n];

// CHECK: remark: loop nest left as it is: 64 arrays would have to be checked not to overlap; mark the arrays as `restrict` if they do not overlap
// CHECK-NOT: remark
void f(ALL(PARAMETER) long n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      ALL(STATEMENT)
    }
}
