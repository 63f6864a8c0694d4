// What a loop nest relies on that new loops would not keep: what a pragma asks for.
// RUN: %model %s 2>&1 | FileCheck %s

void pragma(long n, int m, double (*restrict A)[100], double (*restrict B)[100]) {
  for (long i = 0; i < n; i++)
    // CHECK: remark: loop nest left as it is: a loop is marked llvm.loop.vectorize.width
#pragma clang loop vectorize(disable)
    for (int j = 0; j < m; j++)
      A[j][i] = B[j][i] * 2;
}

// The address of a local variable is one of two.
void chosen(int n, double *restrict a, int m) {
  for (int i = 0; i < n; i++) {
    // CHECK: remark: loop nest left as it is: the address of an access changes in a way that is not a subscript
    double t[100], u[100];
    double *p = m > i ? t : u;
    p[3] = a[i];
    p[m] = 2;
    a[i] = p[3];
  }
}

// A loop in the scope of a variable, and another one behind that.
void scope(int n, double *restrict a, const int *restrict p) {
  {
    double t[100];
    // CHECK-NOT: remark
    for (int i = 0; i < n; i++)
      t[i] = a[i];
    for (int i = 0; i < n; i++)
      a[i] = t[p[i]];
  }
  double u[100];
  for (int i = 0; i < n; i++)
    u[p[i]] = a[i];
  for (int i = 0; i < n; i++)
    a[i] = u[n - i];
}
