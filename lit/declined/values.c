// More of what keeps a loop nest from being modelled, as it is said to the author of C.
//
// RUN: %model -fno-discard-value-names %s 2>&1 | FileCheck %s

#include <math.h>

int limit;

// CHECK: remark: loop nest left as it is: a loop is marked llvm.loop.vectorize.enable: what was asked for is left to LLVM; take the pragma away
void pragma(int n, double *a) {
#pragma clang loop vectorize(enable)
  for (int i = 0; i < n; i++)
    a[i] = 0;
}

// CHECK: remark: loop nest left as it is: an access to a may be to errno, which a mathematical function sets; compile with `-fno-math-errno`
void sets_errno(int n, int *a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    a[i] = i;
    b[i] = sqrt(b[i]);
  }
}

// CHECK: remark: loop nest left as it is: the number of iterations of a loop is not known when it starts; `limit` may change inside the loop: copy it to a local variable
void changes(int *a) {
  for (int i = 0; i < limit; i++)
    limit = a[i];
}

#define STATEMENT(k) if (i * k % 7 + j > k) a[k][j][i] += b[j][i] * k;
#define EIGHT(k) STATEMENT(k) STATEMENT(k + 1) STATEMENT(k + 2) STATEMENT(k + 3) STATEMENT(k + 4) STATEMENT(k + 5)
#define ALL(k) EIGHT(k) EIGHT(k + 6) EIGHT(k + 12) EIGHT(k + 18) EIGHT(k + 24) EIGHT(k + 30)

// CHECK: remark: loop nest left as it is: the analysis is too costly; take the nest apart
void costly(int n, double (*a)[12][12], double (*b)[12]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      ALL(1) ALL(40) ALL(80) ALL(120)
    }
}
