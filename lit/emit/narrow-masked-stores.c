// Numbers that are stored under a mask in fewer bits than they are computed in have a second use: LLVM's x86 backend makes one instruction of the
// truncation and the store, and of a store under a constant mask of one lane a scalar store of the whole number, which overwrites the
// next elements. Here, the loop is unrolled, and some lanes are the only ones of their vector below the diagonal.
//
// RUN: %clang -O3 -march=znver4 -mllvm -farkas-unprofitable -mllvm -farkas-vectorize=force -S -emit-llvm -o - %s | FileCheck %s
// RUN: %clang -O3 -march=znver4 -mllvm -farkas-unprofitable -mllvm -farkas-vectorize=force -S -o - %s | FileCheck %s --check-prefix=CODE
#include <stdint.h>

uint16_t a[40][40];
int16_t b[40][40];
int x[40];

// CHECK-LABEL: define {{.*}}@below(
// CHECK: call void (...) @llvm.fake.use(<16 x i16> %[[VALUE:[a-z0-9.]+]])
// CHECK-NEXT: call void @llvm.masked.store.v16i16.p0(<16 x i16> %[[VALUE]],
//
// CODE-LABEL: below:
// CODE-NOT: {{vpextrd.*, a\+}}
// CODE: retq
void below(void) {
  for (long i = 1; i < 33; i++)
    for (long j = 1; j < 33; j++)
      if (j < i)
        a[i][j] = b[j][i] + a[i - 1][j - 1] + x[j];
}

// Numbers that are computed in the bits that they are stored in have none.
// CHECK-LABEL: define {{.*}}@whole(
// CHECK-NOT: fake.use
// CHECK: ret void
void whole(long n, double *restrict r, const double *restrict s) {
  for (long i = 0; i < n; i++) {
    double sum = 0;
    for (long j = 0; j < n; j++)
      sum += s[i * n + j];
    r[i] = sum;
  }
}
