// Subscripts that are computed in 32 bits: where an access is executed, what is said not to wrap does not.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=linear -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CODE
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=wraps -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=WRAPS

// CHECK: linear: loop
// CHECK: assumptions: [n, m] -> { : }
// CHECK: array a: memory, 8 bytes, [][m]
// CHECK: {{^}}    write: {{.*}} S0[i, j] -> a[(i), (j)]
// New code computes them in 64 bits.
// CODE: {{^}}farkas.body
// CODE-NOT: {{[sz]}}ext {{.*}}i32
// CODE: store double
// CODE: {{^[}]}}
void linear(int n, int m, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = b[j];
}

// CHECK: triangle: loop
// CHECK: array a: memory, 8 bytes, [][ld]
// CHECK: {{^}}    write: {{.*}} S0[i, j] -> a[(i + j), (i)]
void triangle(int n, int ld, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      a[j * ld + i] = b[j];
}

// Complex numbers: steps over two rows of so many are steps over rows of twice as many.
// CHECK: complex: loop
// CHECK: array x: memory, 4 bytes, [][2inc]
// CHECK: {{^}}    write: {{.*}} S0[i] -> x[(i), (0)]
// CHECK: {{^}}    write: {{.*}} -> x[(i), (1)]
void complex(int n, int inc, float *x, const float *y) {
  for (int i = 0, ix = 0; i < n; i++, ix += inc) {
    x[2 * ix] = y[2 * i];
    x[2 * ix + 1] = -y[2 * i + 1];
  }
}

// Unsigned numbers may wrap around: that they do not is assumed, and new code computes the index in 64 bits.
// CHECK: wraps: loop
// CHECK: assumptions: [n, m] -> { : 0 <= n <= 32769 and 0 <= m <= 32768
// CHECK: array a: memory, 8 bytes, [][m]
// CHECK: {{^}}    write: {{.*}} S0[i, j] -> a[(i), (j)]
// WRAPS: {{^}}farkas.body
// WRAPS-NOT: {{[sz]}}ext {{.*}}i32
// WRAPS: store double
// WRAPS: {{^[}]}}
void wraps(unsigned n, unsigned m, double *a, double *b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      a[i * m + j] = b[j];
}

// InstCombine makes `i * (n + 1)` of the diagonal's index, which may wrap around.
// CHECK: diagonal: loop
// CHECK: array a: memory, 8 bytes, [][n]
// CHECK: {{^}}    read: {{.*}} -> a[(i), (i)]
void diagonal(int n, double *a, double *b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      b[j] += a[i * n + j] / a[i * n + i];
}

// Rows with a border.
// CHECK: border: loop
// CHECK: array a: memory, 4 bytes, [][2 + n]
// CHECK: {{^}}    write: {{.*}} -> a[(1 + i), (1 + j)]
void border(int n, float *a) {
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      a[i * (n + 2) + j] = a[(i - 1) * (n + 2) + j] + a[i * (n + 2) + j - 1];
}

// Three dimensions, the rows of which are longer than what is read of them.
// CHECK: volume: loop
// CHECK: array a: memory, 1 bytes, [][m][1 + 2p]
// CHECK: {{^}}    read: {{.*}} -> a[(i), (j), (k)]
void volume(int n, int m, int p, const char *restrict a, char *restrict b) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      for (int k = 0; k < p; k++)
        b[i] += a[(i * m + j) * (2 * p + 1) + k];
}
