// Stores under conditions that are made in any case are no masked stores.
//
// RUN: %clang -O3 -march=x86-64-v3 -S -o - %s -Rpass=farkas 2>&1 | FileCheck %s --implicit-check-not=maskmov

// CHECK: :[[#@LINE+4]]:3: remark: loop nest transformed: distributed loops, interchanged loops
// CHECK: :[[#@LINE+18]]:3: remark: loop nest transformed: distributed loops, interchanged loops
// CHECK: vpminsd
void chain(int n, int (*restrict m)[100], const int *restrict p) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      m[i][j] = 1 << 30;
      for (int k = i; k < j; k++) {
        int c = m[i][k] + m[k + 1][j] + p[i] * p[k + 1] * p[j + 1];
        if (c < m[i][j])
          m[i][j] = c;
      }
    }
}

// The machine has no minimum of 64 bits: instruction selection would make a store under a mask of a choice.
// CHECK: vpcmpgtq
// CHECK: vblendvpd
void long_chain(int n, long (*restrict m)[100], const int *restrict p) {
  for (int i = n - 1; i >= 0; i--)
    for (int j = i + 1; j < n; j++) {
      m[i][j] = 1L << 60;
      for (int k = i; k < j; k++) {
        long c = m[i][k] + m[k + 1][j] + (long)p[i] * p[k + 1] * p[j + 1];
        if (c < m[i][j])
          m[i][j] = c;
      }
    }
}
