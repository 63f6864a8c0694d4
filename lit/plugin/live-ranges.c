// Values that are carried within one iteration keep no loop from being interchanged: their live ranges change places.
//
// RUN: %clang -O2 -c -o /dev/null %s -Rpass=farkas -mllvm -farkas-print=schedule,ast 2>&1 | FileCheck %s

// A phi of two branches. There is no element of its type that it could be in.
// CHECK: schedule: "[p0] -> [{ S0[c0, c1] -> [(c0)]; S1[c0, c1] -> [(c0)]; S2[c0, c1] -> [(c0)] }, { S0[c0, c1] -> [(c1)]; S1[c0, c1] -> [(c1)]; S2[c0, c1] -> [(c1)] }]"
// CHECK-NEXT: permutable: 1
// CHECK-NEXT: coincident: [ 1, 1 ]
// CHECK: S0({{c[0-9]+, c[0-9]+}});
// CHECK-NEXT: S2({{c[0-9]+, c[0-9]+}});
// CHECK: S1({{c[0-9]+, c[0-9]+}});
// CHECK-NEXT: S2({{c[0-9]+, c[0-9]+}});
// CHECK: remark: loop nest transformed: interchanged loops
void phi(int n, float a[restrict 2000][2000], double b[restrict 2000][2000], float c[restrict 2000][2000]) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) {
      float t;
      if (i < n)
        t = c[j][i] * 2;
      else
        t = a[j][i] + 1;
      b[j][i] = t * t;
    }
}

// The last value is used behind the loops, so that its live range has to stay the last one, as it does where loops are interchanged.
// CHECK: [[@LINE+3]]:3: remark: loop nest transformed: interchanged loops
float last(int n, float a[restrict 2000][2000], double b[restrict 2000][2000], float c[restrict 2000][2000]) {
  float t = 0;
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++) {
      if (i < n)
        t = c[j][i] * 2;
      else
        t = a[j][i] + 1;
      b[j][i] = t * t;
    }
  return t;
}

// Here it would not: with the loops interchanged, the last value were that of the last column. With the columns in the opposite order, it is
// that of the last row of the first one.
// CHECK: for (int [[C:c[0-9]+]] = -1999; [[C]] <= 0; [[C]] += 1)
// CHECK: S3({{c[0-9]+}}, -[[C]]);
// CHECK: [[@LINE+3]]:3: remark: loop nest transformed: loops along consecutive elements, interchanged loops
float corner(int n, float a[restrict 2000][2000], double b[restrict 2000][2000], float c[restrict 2000][2000]) {
  float t = 0;
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000 - i; j++) {
      if (i < n)
        t = c[j][i] * 2;
      else
        t = a[j][i] + 1;
      b[j][i] = t * t;
    }
  return t;
}
