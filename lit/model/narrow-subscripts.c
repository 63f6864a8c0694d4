// Subscripts that are computed in 32 bits: where an access is executed, what is said not to wrap does not.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=linear -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CODE

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

// Unsigned numbers wrap: nothing is known.
// CHECK: narrow-subscripts.c:[[@LINE+4]]:{{.*}}: remark: loop nest left as it is: an access to a whose subscript is not affine may overlap
void wraps(unsigned n, unsigned m, double *a, double *b) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m; j++)
      a[i * m + j] = b[j];
}
