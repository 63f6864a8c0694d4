// Arrays of constant sizes: rows are found from the steps of the address, also where clang has folded subscripts.
//
// RUN: %model %s 2>&1 | FileCheck %s

double S[100][100];

// CHECK: stencil: loop
// CHECK: # array S: @S, outermost extent [t] -> { [i0] : 0 <= i0 <= 99
// CHECK: array S: memory, 8 bytes, [][100]
// CHECK: domain: [t] -> { S0[k, i, j] : 0 <= k < t and 0 <= i <= 97 and 0 <= j <= 97 }
// CHECK: read: [t] -> { S0[k, i, j] -> S[(i), (1 + j)]
// CHECK-NEXT: read: [t] -> { S0[k, i, j] -> S[(2 + i), (1 + j)]
// CHECK-NEXT: read: [t] -> { S0[k, i, j] -> S[(1 + i), (j)]
// CHECK-NEXT: read: [t] -> { S0[k, i, j] -> S[(1 + i), (2 + j)]
// CHECK-NEXT: write: [t] -> { S0[k, i, j] -> S[(1 + i), (1 + j)]
// CHECK-NOT: may alias
void stencil(int t) {
  for (int k = 0; k < t; k++)
    for (int i = 1; i < 99; i++)
      for (int j = 1; j < 99; j++)
        S[i][j] = S[i - 1][j] + S[i + 1][j] + S[i][j - 1] + S[i][j + 1];
}

// That a row is not overrun is assumed where it is not certain.
// CHECK: rows: loop
// CHECK: assumptions: [n, m] -> { : {{.*}}m <= 64{{.*}} }
// CHECK: array A: memory, {{.*}}, [][64]
// CHECK: write: [n, m] -> { S0[i, j] -> A[(i), (j)]
void rows(int n, int m, float (*A)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] = 0;
}

// Fields of a structure are a dimension, too.
struct point { double x, y; };
// CHECK: fields: loop
// CHECK: array p: memory, {{.*}}, [][2]
// CHECK: read: [n] -> { S0[i] -> p[(i), (1)]
// CHECK: write: [n] -> { S0[i] -> p[(i), (0)]
void fields(int n, struct point *p) {
  for (int i = 0; i < n; i++)
    p[i].x = p[i].y;
}

// Where no shape fits all accesses, the distance from the base is the only subscript.
// CHECK: flat: loop
// CHECK: array a: memory, 4 bytes, []{{$}}
// CHECK: read: [n] -> { S0[i] -> a[(2i)]
// CHECK: write: [n] -> { S0[i] -> a[(i)]
void flat(int n, int *a) {
  for (int i = 0; i < n; i++)
    a[i] = a[2 * i];
}
