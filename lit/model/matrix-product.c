// C99 arrays of variable length: subscripts are delinearized, sizes are parameters.
//
// RUN: %model %s 2>&1 | FileCheck %s
//
// CHECK: mm: loop
// CHECK-NEXT: # parameter n: %n
// CHECK-NEXT: # array A: %A, outermost extent [n] -> { [i0] : 0 <= i0 < n }
// CHECK: program
// CHECK-NEXT: context: [n] -> { : -2147483648 <= n <= 2147483647 }
// CHECK-NEXT: assumptions: [n] -> { : }
// CHECK-NEXT: array A: memory, 8 bytes, [][n]
// CHECK-NEXT: array B: memory, 8 bytes, [][n]
// CHECK-NEXT: array C: memory, 8 bytes, [][n]
// CHECK-NEXT: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
// CHECK-NEXT: schedule: { S0[i, j, k] -> [(0), (i), (1), (j), (1), (k), (1)] }
// CHECK-NEXT: read: [n] -> { S0[i, j, k] -> A[(i), (k)]
// CHECK-NEXT: read: [n] -> { S0[i, j, k] -> B[(k), (j)]
// CHECK-NEXT: read: [n] -> { S0[i, j, k] -> C[(i), (j)]
// CHECK-NEXT: write: [n] -> { S0[i, j, k] -> C[(i), (j)]
// CHECK-NEXT: operations: 3 load f64, 1 store f64, 1 add f64, 1 multiply f64
// CHECK-NEXT: contracted: 1
// CHECK-NEXT: chain: access 0 -> access 3: 1 add f64, 1 multiply f64
// CHECK-NEXT: chain: access 1 -> access 3: 1 add f64, 1 multiply f64
// CHECK-NEXT: chain: access 2 -> access 3: 1 add f64{{$}}
// CHECK-NEXT: multiply-add f64: (access 0) * (access 1) + access 2 -> access 3{{$}}
// CHECK-NEXT: # may alias: A, C
// CHECK-NEXT: # may alias: B, C
// CHECK-NOT: may alias
// CHECK-NOT: remark
void mm(int n, double A[n][n], double B[n][n], double C[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i][j] += A[i][k] * B[k][j];
}
