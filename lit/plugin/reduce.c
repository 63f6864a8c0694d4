// `scripts/reduce` finds the region that a check complains of: here the check is wrong, and complains of `third`.
//
// RUN: rm -rf %t && mkdir %t
// RUN: echo '%clang -O3 -mllvm -farkas-unprofitable $FARKAS_FLAGS -c %s -o %t/o 2>%t/log; cat %t/log; ! grep -q "in third" %t/log' >%t/check
// RUN: %S/../../scripts/reduce sh %t/check | FileCheck %s
// RUN: not %S/../../scripts/reduce true 2>&1 | FileCheck %s --check-prefix=PASSES
// RUN: not %S/../../scripts/reduce false 2>&1 | FileCheck %s --check-prefix=FAILS
//
// CHECK: with 2 regions transformed the check passes, with 3 it fails
// CHECK: reduce.c:[[@LINE+19]]:{{.*}}: remark: loop nest transformed: {{.*}} (region 3, in third)
// PASSES: the check does not fail
// FAILS: the check fails also where nothing is transformed

void first(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

void second(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 2;
}

// The line of the loop counts, not that of the function.
void third(int n, double *a) {

  a[0] = 7;

  for (int i = 0; i < n; i++)
    a[i] = 3;
}

void fourth(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 4;
}
