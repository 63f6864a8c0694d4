// Sums of integers may be computed in any order, and those of floating-point numbers where the program says so.
//
// RUN: %clang -O2 -c -o /dev/null %s -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s --check-prefixes=CHECK,STRICT
// RUN: %clang -O2 -ffast-math -c -o /dev/null %s -Rpass=farkas -Rpass-missed=farkas 2>&1 | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: %clang -O2 -Xclang -disable-llvm-passes -emit-llvm -S -o - %s | opt -passes='default<O1>' -load-pass-plugin=%plugin -S | FileCheck %s --check-prefix=IR

typedef int ints[2000][2000];
typedef float floats[2000][2000];

// CHECK: [[@LINE+6]]:3: remark: loop nest transformed: interchanged loops
// Sums of other parts may overflow where those of the program do not.
// IR-LABEL: @sum(
// IR: farkas.
// IR: add i32
void sum(int *restrict s, ints a) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      s[0] += a[j][i];
}

// CHECK: [[@LINE+2]]:3: remark: loop nest transformed: interchanged loops
void largest(int *restrict s, ints a) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      s[0] = s[0] > a[j][i] ? s[0] : a[j][i];
}

// STRICT: [[@LINE+3]]:3: remark: loop nest left as it is: no gain
// FAST: [[@LINE+2]]:3: remark: loop nest transformed: interchanged loops
void real(float *restrict s, floats a) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      s[0] += a[j][i];
}

// The sums on the way are used: no other order gives them.
// CHECK: [[@LINE+2]]:3: remark: loop nest left as it is: no gain
void prefix(int *restrict s, ints a, ints b) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) {
      s[0] += a[j][i];
      b[j][i] = s[0];
    }
}

// So it is where operations of two kinds come by turns.
// CHECK: [[@LINE+2]]:3: remark: loop nest left as it is: no gain
void mixed(int *restrict s, ints a) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      s[0] = s[0] * 3 + a[j][i];
}

// A sum in a register is one, too, and so is one of what is subtracted.
// CHECK: [[@LINE+3]]:3: remark: loop nest transformed: interchanged loops
int in_register(ints a, ints b) {
  int s = 0;
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) {
      s += a[j][i];
      s -= b[j][i];
    }
  return s;
}

// STRICT: [[@LINE+4]]:3: remark: loop nest left as it is: no gain
// FAST: [[@LINE+3]]:3: remark: loop nest transformed: interchanged loops
float subtracted(floats a) {
  float s = 0;
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      s -= a[j][i];
  return s;
}
