// What a statement computes, by classes of operations, and the longest chain from each read to each write.
//
// RUN: %model -fno-math-errno %s 2>&1 | FileCheck %s

#include <math.h>

// A value on the way to a condition is part of the chain to what the condition decides.
// CHECK: arms: loop
// CHECK: read: {{.*}} -> b[(i)]
// CHECK-NEXT: write: {{.*}} -> a[(i)]
// CHECK-NEXT: read: {{.*}} -> b[(1 + i)]
// CHECK-NEXT: write: {{.*}} -> a[(i)]
// CHECK-NEXT: operations: 2 load f32, 2 store f64, 1 add f32, 3 add f64, 1 multiply f64, 1 divide f64, 1 square root f64
// CHECK-NEXT: chain: access 0 -> access 1: 1 add f64, 1 divide f64, 1 square root f64
// CHECK-NEXT: chain: access 0 -> access 3: 1 load f32, 1 add f32, 1 add f64, 1 multiply f64
// CHECK-NEXT: chain: access 2 -> access 3: 1 add f64, 1 multiply f64
void arms(int n, double *restrict a, const float *restrict b) {
  for (int i = 0; i < n; i++) {
    if (b[i] > 0)
      a[i] = sqrt(b[i]) / (double)i;
    else
      a[i] = 3.0 * b[i + 1];
  }
}

// A store waits for its address; what computes that counts as no operation.
// CHECK: histogram: loop
// CHECK: operations: 2 load i32, 1 store i32, 1 integer i32
// CHECK-NEXT: chain: access 0 -> access 2: 1 load i32, 1 integer i32
// CHECK-NEXT: chain: access 1 -> access 2: 1 integer i32
void histogram(int n, int *restrict h, const int *restrict p) {
  for (int i = 0; i < n; i++)
    h[p[i]] += 1;
}

// An accumulator in a register is read and written without loads and stores. What is added to a product waits for the
// addition only.
// CHECK: dot: loop
// CHECK: read: {{.*}} -> s[]
// CHECK: operations: 2 load f64, 1 add f64, 1 multiply f64
// CHECK-NEXT: contracted: 1
// CHECK-NEXT: chain: access 0 -> access 3: 1 add f64{{$}}
// CHECK-NEXT: chain: access 1 -> access 3: 1 add f64, 1 multiply f64
double dot(int n, const double *restrict a, const double *restrict b) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

// What is copied is on a chain without operations; functions that are no instructions are called.
// CHECK: copied: loop
// CHECK: operations: 1 load f64, 2 store f64, 1 call f64
// CHECK-NEXT: chain: access 0 -> access 1{{$}}
// CHECK-NEXT: chain: access 0 -> access 2: 1 call f64
void copied(int n, double *restrict a, double *restrict b, const double *restrict c) {
  for (int i = 0; i < n; i++) {
    double x = c[i];
    a[i] = x;
    b[n - i] = sin(x);
  }
}

// A minimum is no addition: no multiplication takes it along.
// CHECK: least: loop
// CHECK: operations: 2 load f64, 1 add f64, 1 minimum f64, 1 multiply f64
// CHECK-NEXT: contracted: 1
// CHECK-NEXT: chain: access 0 -> access 3: 1 minimum f64{{$}}
double least(int n, const double *a, const double *b) {
  double s = 1e30;
  for (int i = 0; i < n; i++) {
    double x = a[i] * b[i] + 1;
    if (x < s)
      s = x;
  }
  return s;
}
