// Calls that set or copy memory, that access only what their arguments point to, or that only read.
//
// RUN: %model %s 2>&1 | FileCheck %s
#include <string.h>

// A row, of which so many elements are set, and what is read from it again.
// CHECK: rows: loop
// CHECK: array a: memory, 8 bytes, [][m]
// CHECK: {{^}}    write: [n, m{{.*}} -> { S0[i] -> a[(i), o1] : 0 <= i < n and 0 <= o1 < m }
// CHECK: {{^}}    write: {{.*}} S1[i, j] -> a[(i), (j)]
void rows(long n, long m, double a[restrict n][m], double *restrict b) {
  for (long i = 0; i < n; i++) {
    memset(a[i], 0, m * sizeof(double));
    for (long j = 0; j < m; j++)
      a[i][j] += b[j];
  }
}

// CHECK: pieces: loop
// CHECK: read: {{.*}} S0[i] -> a[o0] : 0 <= i < n and 4i <= o0 <= 27 + 4i
// CHECK-NEXT: {{^}}    write: {{.*}} S0[i] -> b[(i), o1] : 0 <= i < n and 0 <= o1 <= 27
void pieces(int n, int *restrict a, int *restrict b) {
  for (int i = 0; i < n; i++)
    memcpy(b + 7 * i, a + i, 7 * sizeof(int));
}

// Structures are copied as memory.
struct big { double x[9]; };
// CHECK: structures: loop
// CHECK: array b: memory, 1 bytes
void structures(int n, struct big *restrict a, const struct big *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// What lies outside of an affine piece is any part.
// CHECK: any: loop
// CHECK: may write: {{.*}} S0[i] -> a[o0]
void any(int n, double *restrict a, const int *restrict length) {
  for (int i = 0; i < n; i++)
    memset(a + i, 0, length[i]);
}

// CHECK: arguments: loop
// CHECK: {{^}}    write: {{.*}} S0[i] -> b[(i)]
// CHECK-NEXT: read: {{.*}} S0[i] -> a[o0]
void arguments(int n, long *restrict b, const char *restrict a) {
  for (int i = 0; i < n; i++)
    b[i] = strlen(a + i);
}

// It may read what is written in the loop, and nothing else has to be known of it.
double look(double) __attribute__((pure, nothrow));
// CHECK: reader: loop
// CHECK: read: [n] -> { S0[i] -> b[(i)]
// CHECK-NEXT: {{^}}    write: [n] -> { S0[i] -> a[(i)]
// CHECK-NEXT: read: [n] -> { S0[i] -> a[o0] : 0 <= i < n }
// CHECK-NOT: may alias
void reader(int n, double *a, const double *restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = look(b[i]);
}

// What the call cannot see it does not read.
// CHECK: hidden: loop
// CHECK: statement S0
// CHECK-NOT: read: {{.*}} local[
// CHECK: {{^}}    write: {{.*}} local[(i)]
double hidden(int n, const double *restrict b) {
  double local[100];
  for (int i = 0; i < n; i++)
    local[i] = look(b[i]);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += local[i];
  return s;
}

// Where a variable is used by calls, markers of its lifetime write all of it: they stay around what is between them.
// CHECK: lifetime: loop
// CHECK: statement S0
// CHECK: may write: {{.*}} S0[i] -> t[o0] : 0 <= i < n }
// CHECK-NEXT: {{^}}    write: {{.*}} S0[i] -> t[o0] : 0 <= i < n and 0 <= o0 <= 99 }
// CHECK: {{^}}    write: {{.*}} S1[i, j] -> t[(j)]
// CHECK: read: {{.*}} S2[i, [[J:j[0-9]+]]] -> t[(99 - [[J]])]
// CHECK: may write: {{.*}} S3[i] -> t[o0] : 0 <= i < n }
void lifetime(long n, double (*restrict A)[100], double (*restrict B)[100]) {
  for (long i = 0; i < n; i++) {
    double t[100];
    memset(t, 0, sizeof t);
    for (int j = 0; j < i; j++)
      t[j] = B[j][i];
    for (int j = 0; j < 100; j++)
      A[j][i] = t[99 - j];
  }
}
