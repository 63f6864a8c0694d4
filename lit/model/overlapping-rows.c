// Rows of an array that nothing writes may overlap: its elements need no unique subscripts.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Windows are usually longer than the distance between them.
// CHECK: windows: loop
// CHECK: array x: {{.*}}, rows overlap outside of [n, taps, hop] -> { {{.*}}hop >= taps }
// CHECK: assumptions: [n, taps, hop] -> { : }
// CHECK: array x: memory, 8 bytes, [][hop]
// CHECK: read: [n, taps, hop] -> { {{.*}} -> x[(i), (k)]
void windows(long n, long taps, long hop, const double *restrict x, const double *restrict h, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < taps; k++)
      y[i] += h[k] * x[i * hop + k];
}

// They overlap wherever there is something to do.
// CHECK: halves: loop
// CHECK: array x: {{.*}}, rows overlap outside of [n, hop] -> { : n <= 0; : n > 0 and hop <= 0 }
// CHECK: assumptions: [n, hop] -> { : }
// CHECK: read: [n, hop] -> { {{.*}} -> x[(i), (k)]
void halves(long n, long hop, const double *restrict x, double *restrict y) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 2 * hop; k++)
      y[i] += x[i * hop + k];
}

// What is written has dependences.
// CHECK: written: loop
// CHECK: assumptions: {{.*}}hop >= taps }
void written(long n, long taps, long hop, double *restrict x, const double *restrict h) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < taps; k++)
      x[i * hop + k] += h[k];
}

// The inner dimensions that are assumed to be in bounds for another array are in bounds.
// CHECK: both: loop
// CHECK-NOT: rows overlap
// CHECK: assumptions: {{.*}}ld >= n }
void both(long n, long ld, const double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      b[i * ld + j] += a[j * ld + i];
}

// A pass in front of the loops looks at indices from the first to the last one.
// CHECK: inspected: loop
// CHECK-NOT: rows overlap
// CHECK: assumptions: {{.*}}ld >= m{{.*}}
void inspected(long n, long m, long ld, const int *restrict index, const double *x, double *y) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      y[i] += x[index[i * ld + j]];
}
