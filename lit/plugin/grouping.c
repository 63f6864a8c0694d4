// Chains of statements are scheduled as one, and are in place of it in the schedule.
//
// RUN: env RUST_LOG=debug %clang -O2 -c -o /dev/null %s -Rpass=farkas -mllvm -farkas-print=schedule,ast 2>&1 | FileCheck %s

// What the first statement puts in a scalar slot is used at once by the second one, which writes the element that it was in. The third one
// is executed for some of these only.
// CHECK: grouping: 1 statements fewer
// CHECK: schedule: {{.*}} S0[c0, c1] -> [(c1)]; S1[c0, c1] -> [(c1)]; S2[c0, c1] -> [(c1)]
// CHECK: sequence:
// CHECK-NEXT: - filter: "{ S0[c0, c1]; S1[c0, c1] }"
// CHECK-NEXT: child:
// CHECK-NEXT: sequence:
// CHECK-NEXT: - filter: "{ S0[c0, c1] }"
// CHECK-NEXT: - filter: "{ S1[c0, c1] }"
// CHECK-NEXT: - filter: "{ S2[c0, c1] }"
// CHECK: S0({{c[0-9]+, c[0-9]+}});
// CHECK-NEXT: S1({{c[0-9]+, c[0-9]+}});
// CHECK: remark: loop nest transformed
void cleared(int n, int m, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double x = B[j][i];
      B[j][i] = 0;
      if (j >= m)
        A[j][i] = x;
    }
}
