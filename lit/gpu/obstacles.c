// What keeps a nest from a GPU: it is planned for the CPU then, with a remark.
//
// RUN: %clang -O2 -mllvm -farkas-gpu=force -Rpass-missed=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s --implicit-check-not=farkas_gpu
// RUN: %clang -O2 -mllvm -farkas-gpu=force -mllvm -farkas-gpu-arch=sm_1 -Rpass-missed=farkas -S -emit-llvm %s -o - 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ARCH --implicit-check-not=farkas_gpu

// CHECK: obstacles.c:[[@LINE+3]]:{{.*}} loop nest not run on a GPU: a pointer is stored
// ARCH: not run on a GPU: LLVM has no back end for sm_1
void pointers(int n, double **restrict a, double **restrict b) {
  for (int i = 0; i < n; i++)
    a[i] = b[i];
}

// CHECK: obstacles.c:[[@LINE+2]]:{{.*}} loop nest not run on a GPU: there is a switch
void choices(int n, int *restrict a, const int *restrict b) {
  for (int i = 0; i < n; i++)
    switch (b[i]) {
    case 1:
      a[i] = 7;
      break;
    case 8:
      a[i] += 2;
      break;
    case 27:
      a[i] *= b[i];
      break;
    case 100:
      a[i] = -a[i];
    }
}

// CHECK: obstacles.c:[[@LINE+3]]:{{.*}} loop nest not run on a GPU: a function is called that a kernel does not have
double exp(double);
void functions(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] = __builtin_exp(a[i]);
}

// CHECK: obstacles.c:[[@LINE+3]]:{{.*}} loop nest not run on a GPU: an operand has a type that a kernel does not have
typedef __int128 wide;
void types(int n, wide *restrict a) {
  for (int i = 0; i < n; i++)
    a[i] *= 3;
}

// CHECK: obstacles.c:[[@LINE+3]]:{{.*}} loop nest not run on a GPU: a scalar is used behind the loops
double live_out(int n, double *restrict a) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  return s;
}

// CHECK: obstacles.c:[[@LINE+2]]:{{.*}} loop nest not run on a GPU: a statement is in no loop whose iterations may run at the same time on a device
void recurrence(int n, double *restrict a) {
  for (int i = 1; i < n; i++)
    a[i] = 2 * a[i - 1];
}
