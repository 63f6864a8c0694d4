// A statement that no integers lead to keeps nothing from being done with the others.
// RUN: %clang -O2 -Rpass=farkas -Rpass-missed=farkas -c %s -o /dev/null 2>&1 | FileCheck %s

// CHECK-NOT: internal error
// CHECK: never-executed.c:[[@LINE+2]]:3: remark: loop nest transformed: interchanged loops
void f(double (*restrict a)[100], long *restrict c) {
  for (long i = 0; i < 100; i++)
    for (long j = 0; j < 100; j++) {
      a[j][i] = a[j][i] * 2.0;
      // Solutions are not whole.
      if (7 * j - 2 * i >= 2 && 7 * i - 2 * j >= 2 && i + j <= 1)
        c[i] = j;
    }
}
