// What is printed of the stages is what the command `farkas` reads: it finds the plugin's schedule from the plugin's
// dependences, and the check and the code generator take the result.
//
// REQUIRES: command
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-only-func=mv -mllvm -farkas-print=deps 2>%t.sc
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-only-func=mv -mllvm -farkas-print=schedule 2>%t.st
// RUN: %clang -O2 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-only-func=mv -mllvm -farkas-print=ast 2>&1 | FileCheck %s --check-prefix=AST
// RUN: %farkas schedule %t.sc | FileCheck %s --check-prefix=TREE
// RUN: %farkas tree %t.st | FileCheck %s --check-prefix=TREE
// RUN: %farkas check %t.sc %t.st | FileCheck %s --check-prefix=LEGAL
// RUN: %farkas codegen %t.st | FileCheck %s --check-prefix=LOOPS
//
// TREE: domain: "[n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }"
// TREE: schedule:
// LEGAL: legal
// LOOPS: for (
// LOOPS: for (
// LOOPS: S0(
// AST: for (int c0 = 0;

void mv(int n, double A[n][n], double *restrict x, double *restrict y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      y[i] += A[j][i] * x[j];
}

void other(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] = 0;
}
