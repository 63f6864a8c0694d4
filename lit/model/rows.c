// Rows that a table of addresses points to: the subscripts of the table come first.
//
// RUN: %model %s 2>&1 | FileCheck %s

// A written array is compared with itself, as two of its rows may overlap.
// CHECK: product: loop
// CHECK: # array c_rows: rows by c, outermost extent [n] -> { [i0] : 0 <= i0 < n }
// CHECK: array c: inspected for rows memory, 8 bytes, []
// CHECK: array c_rows: memory, 8 bytes, []*[n]
// CHECK: read: [n] -> { S0[i, j, k] -> b_rows[(k), (j)]
// CHECK: write: [n] -> { S0[i, j, k] -> c_rows[(i), (j)]
// CHECK: # may alias: a_rows, c_rows
// CHECK-NEXT: # may alias: b_rows, c_rows
// CHECK-NEXT: # may alias: c_rows, c_rows
void product(int n, double **c, double **a, double **b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}

// The address of a row in a variable: the inner loop loads it itself.
// CHECK: scaled: loop
// CHECK-NOT: scalar slot
// CHECK: write: [n, m] -> { S{{[0-9]+}}[i, j] -> a_rows[(1 + i), (j)]
void scaled(int n, int m, double **a, const double *restrict x) {
  for (int i = 0; i < n; i++) {
    double *row = a[i + 1];
    for (int j = 0; j < m; j++)
      row[j] = x[i] * row[j];
  }
}

// A member of structures, and two dimensions in a row.
// CHECK: members: loop
// CHECK: array [[ROWS:all.*]]: memory, 4 bytes, [][2]*[n][3]
// CHECK: write: [n] -> { S{{[0-9]+}}[i, j, k] -> [[ROWS]][(i), (1), (j), (k)]
struct Image {
  long width;
  float (*pixels)[3];
};
void members(int n, const struct Image *all, float by) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < 3; k++)
        all[i].pixels[j][k] += by;
}

// Not where the check would read addresses that the nest may not read.
// CHECK: rows.c:[[@LINE+5]]:{{.*}}loop nest left as it is: rows of a may overlap rows of a, and which ones are accessed is not known
void conditional(int n, double **a, const int *flags) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (flags[i])
        a[i][j] += 1;
}

// Nor where the nest writes the table,
// CHECK: rows.c:[[@LINE+5]]:{{.*}}loop nest left as it is: the address of an access changes in a way that is not a subscript
void moved(int n, double **a) {
  for (int i = 0; i < n; i++) {
    a[i] += 1;
    for (int j = 0; j < n; j++)
      a[i][j] = 0;
  }
}

// or where addresses are themselves in rows.
// CHECK: rows.c:[[@LINE+4]]:{{.*}}loop nest left as it is: the address of an access changes in a way that is not a subscript
void cube(int n, double ***a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) a[i][j][k] *= 2;
}

// A sum is kept in the element of the row that it is stored to. No row is to overlap a table then, whose elements have another type.
// CHECK: sums: loop
// CHECK: scalar slot s: double in c_rows
// CHECK: # may alias: a, c_rows
void sums(int n, double **a, double **b, double **c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++)
        s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
