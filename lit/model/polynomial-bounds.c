// Indices that are computed by hand from a size that is not known, and checked: that they are in bounds is assumed for the
// largest of them, whose products of parameters are parameters.
// RUN: %model %s 2>&1 | FileCheck %s

void fail(unsigned long, unsigned long) __attribute__((noreturn));

static inline double *at(double *a, unsigned long length, unsigned long index) {
  if (index >= length)
    fail(index, length);
  return &a[index];
}

// CHECK: rows: loop
// CHECK: parameter p0: (%n * %n)
// CHECK: assumptions: {{.*}} -> { : n = 0; : 0 < n <= 2147483647 and length >= p0 and length >= 0 }
// CHECK: array a: memory, {{.*}}, [][n]
void rows(unsigned long n, unsigned long length, double *restrict a) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++)
      *at(a, length, i * n + j) += 1;
}

// The smallest index is that of the first column, from the last row on.
// CHECK: backwards: loop
// CHECK: parameter p0: ((-1 + %n) * %m)
// CHECK: parameter p1: (%n * %m)
// CHECK: assumptions: {{.*}}; : 0 < n <= 2147483647 and 0 < m <= 2147483647 and p1 <= m + p0 and length >= m + p0 }
void backwards(long n, long m, long length, double *restrict a) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = 0; j < m; j++) {
      long index = i * m + j;
      if (index < 0 || index >= length)
        fail(index, length);
      a[index] += 1;
    }
}

// CHECK: triangle: loop
void triangle(unsigned long n, unsigned long length, double *restrict a) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < i; j++)
      *at(a, length, j * n + i) += 1;
}

// A product of counters has no bound that is affine.
// CHECK: remark: loop nest left as it is: whether an error occurs depends on data or on a condition that is not affine
void counters(unsigned long n, unsigned long length, double *restrict a) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++)
      *at(a, length, j * i) += 1;
}
