// Lanes with jammed iterations keep their elements in registers along the loop inside: no element of r is accessed in it.
//
// RUN: %clang -O3 -fno-discard-value-names -c -o /dev/null %s -mllvm -farkas-target=zen3 -mllvm -print-after=farkas -Rpass=farkas 2>&1 | FileCheck %s

// CHECK: loop nest transformed: unrolled and jammed 2, 4 vector lanes
// CHECK-COUNT-4: %farkas.kept{{[0-9]*}} = alloca
void correlations(int n, int m, const double *restrict x, double *restrict r) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
      for (int i = 0; i < m; i++) {
        double u = x[a * m + i], v = x[b * m + i];
        sa += u;
        sb += v;
        saa += u * u;
        sbb += v * v;
        sab += u * v;
      }
      r[a * n + b] = (m * sab - sa * sb) / ((m * saa - sa * sa) * (m * sbb - sb * sb));
    }
}
