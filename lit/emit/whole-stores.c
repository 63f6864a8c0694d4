// A minimum in place is stored as a whole vector: instruction selection would make a store under a mask of the comparison.
// RUN: %clang -O3 -march=x86-64-v3 -S -o - %s -Rpass=farkas 2>&1 | FileCheck %s

// CHECK: loop nest transformed: split index sets
// CHECK-NOT: vmaskmov
// CHECK: vminpd
// CHECK-NOT: vmaskmov

void shortest(double d[restrict 500][500]) {
  for (int k = 0; k < 500; k++)
    for (int i = 0; i < 500; i++)
      for (int j = 0; j < 500; j++)
        d[i][j] = d[i][j] < d[i][k] + d[k][j] ? d[i][j] : d[i][k] + d[k][j];
}
