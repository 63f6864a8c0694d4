// A product and a sum take the latency of both where they may not be rounded together. What is planned for it is in test/plans/contraction.txt.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: rounded_twice: loop
// CHECK: operations: 2 load f64, 1 store f64, 1 add f64, 2 multiply f64
// CHECK-NOT: contracted
// CHECK: chain: access 0 -> access 2: 1 add f64, 1 multiply f64
void rounded_twice(int n, const double (*restrict a)[n], double *restrict mean) {
#pragma clang fp contract(off)
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s = 0.9 * s + 0.1 * a[i][j];
    mean[i] = s;
  }
}

// CHECK: rounded_once: loop
// CHECK: operations: 2 load f64, 1 store f64, 1 add f64, 2 multiply f64
// CHECK-NEXT: contracted: 1
void rounded_once(int n, const double (*restrict a)[n], double *restrict mean) {
#pragma clang fp contract(on)
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s = 0.9 * s + 0.1 * a[i][j];
    mean[i] = s;
  }
}

// CHECK: by_flags: loop
// CHECK: operations: 3 load f64, 1 store f64, 1 add f64, 1 multiply f64
// CHECK-NEXT: contracted: 1
void by_flags(int n, const double *restrict a, const double *restrict b, double *restrict left) {
#pragma clang fp contract(fast)
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      double product = a[j] * b[i];
      s -= product;
    }
    left[i] = s;
  }
}
