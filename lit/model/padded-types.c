// Types with padding in memory: a long double touches ten bytes of sixteen.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Elements and rows are counted in sixteen bytes; a sum in a register has a scalar slot.
// CHECK: sum: loop
// CHECK: # scalar slot all: x86_fp80
// CHECK: array y: memory, 16 bytes, []
// CHECK-NEXT: array a: memory, 16 bytes, [][m]
// CHECK-NEXT: array all: scalar slot, 10 bytes
// CHECK: {{^}}    write: {{.*}} S1[i, j] -> y[(i)]
long double sum(int n, int m, long double a[n][m], long double *restrict y) {
  long double all = 0;
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (int j = 0; j < m; j++)
      y[i] += a[i][j];
    all += y[i];
  }
  return all;
}

// What is left of an element may have been written as something else: then no store hides another.
// CHECK: mixed: loop
// CHECK: may write: {{.*}} S0[i] -> u[o0]
// CHECK: may write: {{.*}} S0[i] -> u[o0]
union bits { long double x; long words[2]; };
void mixed(int n, union bits *restrict u, const long *restrict a) {
  for (int i = 0; i < n; i++) {
    u[i].x = 1;
    u[i].words[1] = a[i];
  }
}
