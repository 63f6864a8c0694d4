// What counts is how long a loop is, not where it ends: a sparse matrix of many short rows runs the original.
//
// RUN: %clang -O3 -march=x86-64-v3 -Rpass=farkas -S %s -o /dev/null 2>&1 | FileCheck %s

// CHECK: remark: loop nest transformed: interchanged loops, unrolled and jammed 4, where p0 >= 16 and p2 - p1 >= 8
void product(int n, int k, const int *row, const int *column, const double *a, const double *b, double *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < k; j++) {
      double sum = 0;
      for (int e = row[i]; e < row[i + 1]; e++)
        sum += a[e] * b[column[e] * k + j];
      c[i * k + j] = sum;
    }
}
