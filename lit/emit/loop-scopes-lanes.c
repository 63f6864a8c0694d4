// The scopes of accesses in lanes are those of their own statement instances, and not of what was emitted before: A2[i][j] is A2[j + 1][j]
// where i = j + 1. (Wrong code of random function 84780186.)
// RUN: %clang -O1 -fno-math-errno -mllvm -farkas-unprofitable -mllvm -farkas-target=x86-64-v2 -S -emit-llvm -o - %s | FileCheck %s
#include <math.h>
#include <stddef.h>

// CHECK: load i8, {{.*}}!alias.scope [[ARRAY:![0-9]+]]
// CHECK: load <2 x i8>, {{.*}}!alias.scope [[ARRAY]]
unsigned long both(size_t n, int ld, float A0[][ld], unsigned char A2[][ld]) {
  for (long i5 = 0; (long)i5 < (long)(n + 1); i5++) {
    float v6 = (float)(A0[i5][((i5 & 15) & 7)] + 1);
    for (int j7 = 0; j7 < i5 + 1; j7++) {
      A2[j7 + 1][((j7 & 15) & 7)] = (unsigned char)((unsigned)A2[j7 + 1][((j7 & 15) & 7)] + (3 * (unsigned)(int)(fmin(fmax(A0[i5 - 1][(((n + 1) & 15) & 7)], -8.0), 8.0) * 16)));
      A2[i5][((j7 & 15) & 7)] = (unsigned char)((unsigned)A2[i5][((j7 & 15) & 7)] + (((unsigned)(int)(fmin(fmax(A0[j7][((j7 & 15) & 7)], -8.0), 8.0) * 16) >> 2)));
      A0[((j7 - j7) & 15)][(((j7 + 1) & 15) & 7)] += v6;
    }
  }
  return 1ul;
}
