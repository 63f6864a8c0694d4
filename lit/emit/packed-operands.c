// What is computed of an element alone is computed where the element is copied: the buffer of the rows of a register tile has `alpha * A[i][k]`.
// RUN: %clang -O2 -ffp-contract=off -mllvm -farkas-target=sapphire-rapids -mllvm -farkas-pack=force -Rpass=farkas -S -emit-llvm %s -o - 2>&1 | FileCheck %s

// CHECK: packed A0, {{.*}}8 vector lanes
void product(double alpha, double A[restrict 768][768], double B[restrict 768][768], double C[restrict 768][768]) {
  for (int i = 0; i < 768; i++)
    for (int j = 0; j < 768; j++)
      for (int k = 0; k < 768; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
}

// The copy:
// CHECK: [[SCALED:%.*]] = fmul <2 x double>
// CHECK: store <2 x double> [[SCALED]]
// The loop of the register tile:
// CHECK-NOT: fmul double
// CHECK: fmul <8 x double>
// CHECK-NOT: fmul double
// CHECK: store <8 x double>
