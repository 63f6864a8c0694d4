// What a loop nest relies on that new loops would not keep: what a pragma asks for.
// RUN: %model %s 2>&1 | FileCheck %s

void pragma(long n, int m, double (*restrict A)[100], double (*restrict B)[100]) {
  for (long i = 0; i < n; i++)
    // CHECK: remark: loop nest left as it is: a loop is marked llvm.loop.vectorize.width
#pragma clang loop vectorize(disable)
    for (int j = 0; j < m; j++)
      A[j][i] = B[j][i] * 2;
}
