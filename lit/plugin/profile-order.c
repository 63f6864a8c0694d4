// The pass runs where profiles have been made or read, and once.
//
// RUN: %clang -O2 -c -o /dev/null %s -fprofile-generate -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
//
// CHECK-NOT: Running pass: FarkasPass on f
// CHECK: Running pass: PGOInstrumentationGen
// CHECK: Running pass: FarkasPass on f
// CHECK-NOT: Running pass: FarkasPass on f

void f(double *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = 2 * a[i];
}
