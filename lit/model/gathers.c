// An access with an indirect subscript leaves the others of its array as they are, also where sizes are parameters.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: least: loop
// CHECK: read: [n, m] -> { S{{[0-9]+}}[i, j] -> a[(i), (1 + j)]
// CHECK: read: [n, m] -> { S{{[0-9]+}}[i, j] -> a[o0, o1]
void least(int n, int m, const double *restrict a, int *restrict where) {
  for (int i = 0; i < n; i++) {
    int p = 0;
    for (int j = 1; j < m; j++)
      if (a[i * m + j] < a[i * m + p])
        p = j;
    where[i] = p;
  }
}

// Every other row has its own subscripts: the rest of them is no border, and all rows share loops.
// CHECK: brick: loop
// CHECK-NOT: statement S{{[0-9]+}}i
void brick(int n, int m, const int *restrict a, int *restrict b) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++) {
      int o = i & 1 ? 1 : -1;
      b[i * m + j] = a[i * m + j] + a[(i - 1) * m + j + o];
    }
}

// Where arrays may overlap, the elements of the index array are looked at first.
// CHECK: columns: loop
// CHECK: array index: inspected memory, 4 bytes, []
// CHECK: array x: memory, 8 bytes, []
// CHECK: read: [n, m] -> { S{{[0-9]+}}[i, k] -> x[o0]
void columns(long n, long m, double *y, const double *x, const int *index) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      y[i] += x[(long)index[k] * n + i];
}

// CHECK: may alias: x, y

// Not where they are not certain to be read.
// CHECK: gathers.c:[[@LINE+5]]:{{.*}}an access to x whose subscript is not affine may overlap y
void conditional(long n, long m, double *y, const double *x, const int *index, const int *flags) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++)
      if (flags[k])
        y[i] += x[(long)index[k] * n + i];
}
