// Once per function at -O1, -O2 and -O3, after the callees are inlined and before LICM; not at -O0, -Os and -Oz.
//
// RUN: %clang -O1 -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -O2 -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s --check-prefixes=CHECK,INLINED
// RUN: %clang -O3 -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s --check-prefixes=CHECK,INLINED
// RUN: %clang -O0 -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %clang -Os -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %clang -Oz -c -o /dev/null %s -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %clang -O3 -c -o /dev/null %s -mllvm -farkas-enable=false -Xclang -fdebug-pass-manager 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NEVER
//
// INLINED: Running pass: InlinerPass on (f)
// CHECK: Running pass: SROAPass on f
// CHECK: Running pass: FarkasPass on f
// CHECK: Running pass: LICMPass
// CHECK-NOT: Running pass: FarkasPass on f
// NEVER-NOT: FarkasPass

static void g(double *a, int i) { a[i] = 2 * a[i]; }

void f(double *a, int n) {
  for (int i = 0; i < n; i++)
    g(a, i);
}
