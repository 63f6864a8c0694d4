// What has no affine subscript may access any part of the array: a read of everything, or a write of anything.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: histogram: loop
// CHECK: array h: memory, 4 bytes, []{{$}}
// CHECK: read: [n] -> { S0[i] -> p[(i)]
// CHECK-NEXT: read, reduction sum i32: [n] -> { S0[i] -> h[o0] : 0 <= i < n }
// CHECK-NEXT: may write, reduction sum i32: [n] -> { S0[i] -> h[o0] : 0 <= i < n }
// CHECK-NOT: may alias
void histogram(int n, int *restrict h, const int *restrict p) {
  for (int i = 0; i < n; i++)
    h[p[i]] += 1;
}

// Other accesses to the same array keep their subscripts, and kill what was there before; objects are known apart.
// CHECK: mixed: loop
// CHECK: {{^}}    write: [n] -> { S0[i] -> global[(i), (3)]
// CHECK: read: [n] -> { S1[i] -> global[o0, o1] : 0 <= i < n }
// CHECK-NOT: may alias
static double global[100][200];
void mixed(int n, double a[static restrict 1]) {
  for (int i = 0; i < n; i++) {
    global[i][3] = 1;
    a[i] = global[i][i * i];
  }
}

// Elements of different sizes, of which the first is counted in.
// CHECK: sizes: loop
// CHECK: array a: memory, 1 bytes, [][4]
// CHECK: {{^}}    write: [n] -> { S0[i] -> a[(i), (0)]
// CHECK-NEXT: may write: [n] -> { S0[i] -> a[o0, o1] : 0 <= i < n }
void sizes(int n, char *a) {
  for (int i = 0; i < n; i++) {
    a[4 * i] = 1;
    *(int *)(a + 4 * i + 400) = 0;
  }
}

// What they touch is bounded.
// CHECK: apart: loop
// CHECK: may write: [n] -> { S0[i] -> a[o0, o1] : 0 <= i < n }
// CHECK: may alias: a, b
void apart(int n, char *a, char *b) {
  for (int i = 0; i < n; i++) {
    a[4 * i] = 1;
    *(int *)(a + 4 * i + 400) = 0;
    b[i] = 0;
  }
}

// An access between two elements.
// CHECK: between: loop
// CHECK: array a: memory, 8 bytes, []{{$}}
// CHECK: may write: [n] -> { S0[i] -> a[o0] : 0 <= i < n }
void between(int n, char *a) {
  for (int i = 0; i < n; i++)
    *(double *)(a + 4 * i) = 0;
}

// Types tell apart what pointers do not.
// CHECK: types: loop
// CHECK: may write: [n] -> { S0[i] -> a[o0]
// CHECK-NOT: may alias
void types(int n, double *a, const int *p) {
  for (int i = 0; i < n; i++)
    a[p[i]] = 0;
}

// A row by an index that the region does not change is the same one along j: the next element is read there, whatever the index is.
// CHECK: rows_by_index: loop
// CHECK: read: {{.*}} -> c[o0]
// CHECK: moves of access 3: ?, 1, ?
void rows_by_index(int n, const float *restrict a, const int *restrict row, const float *restrict c, float *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int q = 0; q < 8; q++)
        s += a[i * 8 + q] * c[(row[i * 8 + q] & 63) * n + j];
      d[i * n + j] = s;
    }
}
