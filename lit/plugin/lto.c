// With link-time optimization, a nest is transformed before the link, and not a second time after it.
//
// RUN: %clang -O2 -flto=thin -Rpass=farkas -c %s -o %t.thin.bc 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %opt -passes='thinlto<O2>' -pass-remarks=farkas -pass-remarks-missed=farkas %t.thin.bc -S -o %t.thin.ll 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: FileCheck %s --check-prefix=THIN < %t.thin.ll
// RUN: %clang -O2 -flto -Rpass=farkas -c %s -o %t.full.bc 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %opt -passes='lto<O2>' -pass-remarks=farkas -pass-remarks-missed=farkas %t.full.bc -S -o %t.full.ll 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: FileCheck %s < %t.full.ll
//
// SAID: loop nest transformed
// SAID-NOT: loop nest
// SILENT-NOT: remark
// The original, and new code in a function of its own, which has no other one.
// THIN-LABEL: define {{.*}}@f(
// THIN: call {{.*}}@f.farkas.0(
// THIN: fmuladd
// THIN-LABEL: define internal {{.*}}@f.farkas.0(
// THIN: fmuladd
// THIN-NOT: define
// THIN-NOT: @f.farkas.1
//
// The new code and the original, and no third. Behind a full link they stay together.
// CHECK-LABEL: define {{.*}}@f(
// CHECK-COUNT-2: fmuladd
// CHECK: }

void f(int n, double (*a)[64], double (*b)[64]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[j][i] += b[j][i] * 2;
}
