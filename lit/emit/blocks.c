// A statement of more than 16 blocks has no lanes, and none are promised. A machine without masks has none for stores in both arms of a
// condition either.
//
// RUN: %clang -O3 -mllvm -farkas-target=x86-64-v3 -mllvm -farkas-unprofitable -mllvm -farkas-vectorize=force -Rpass=farkas -S -emit-llvm \
// RUN:   %s -o - 2>&1 | FileCheck %s
// RUN: %clang -O3 -mllvm -farkas-target=x86-64-v2 -mllvm -farkas-unprofitable -mllvm -farkas-vectorize=force -Rpass=farkas -S -emit-llvm \
// RUN:   %s -o - 2>&1 | FileCheck %s --check-prefix=NOMASK --implicit-check-not='vector lanes' --implicit-check-not=llvm.masked

// CHECK: blocks.c:[[@LINE+3]]:{{.*}} loop nest transformed: interchanged
// NOMASK: blocks.c:[[@LINE+2]]:{{.*}} loop nest transformed: interchanged
void classes(long n, int (*restrict c)[n], int *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      int x = c[j][i];
      if (x == 1) s[i] += j; else if (x > 0) s[i] ^= 3;
      if (x == 4) s[i] += 8 * j; else if (x > 50) s[i] ^= 4;
      if (x == 7) s[i] += 15 * j; else if (x > 100) s[i] ^= 5;
      if (x == 10) s[i] += 22 * j; else if (x > 150) s[i] ^= 6;
      if (x == 13) s[i] += 29 * j; else if (x > 200) s[i] ^= 7;
      if (x == 16) s[i] += 36 * j; else if (x > 250) s[i] ^= 8;
      if (x == 19) s[i] += 43 * j; else if (x > 300) s[i] ^= 9;
      if (x == 22) s[i] += 50 * j; else if (x > 350) s[i] ^= 10;
    }
}

typedef union {
  double f;
  long i;
} both;

// CHECK: blocks.c:[[@LINE+3]]:{{.*}} loop nest transformed: 4 vector lanes
// NOMASK: blocks.c:[[@LINE+2]]:{{.*}} loop nest transformed: interchanged
void types(long n, double (*restrict c)[n], both *restrict s) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      if (c[j][i] > 3)
        s[i].f = 1;
      else
        s[i].i = 2;
}
