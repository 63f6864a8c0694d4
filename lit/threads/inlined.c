// A loop that is not nested runs on threads where it is long. Not so in a function that may be inlined into other loops: the nest is for threads
// then, and would have no model with threads inside.
// RUN: %clang -O3 -fopenmp -mllvm -farkas-parallel=true -gline-tables-only -c %s -o /dev/null -Rpass=farkas 2>&1 | FileCheck %s
#line 1
void scale(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] *= 3;
}
static void shift(double *a, long n) {
  for (long i = 0; i < n; i++)
    a[i] += 3;
}
void rows(double *a, long n, long m) {
  for (long i = 0; i < n; i++)
    shift(a + i * m, m);
}
// CHECK: inlined.c:2:3: remark: loop nest transformed: on threads, where p0 >= {{[0-9]+}};
// CHECK-NOT: on threads, where p0 >= {{[0-9]+}};
// CHECK: remark: loop nest transformed: on threads, where p0 >= {{[0-9]+}} and p1 >= {{[0-9]+}};
