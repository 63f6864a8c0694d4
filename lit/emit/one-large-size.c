// Distances of many points from few means in few coordinates: new code runs from so many points on, and the other sizes are compared with 2.
//
// RUN: %clang -O3 -g -march=icelake-server -ffp-contract=off -c -o /dev/null -Rpass=farkas %s 2>&1 | FileCheck --check-prefix=REMARK %s
//
// REMARK: remark: loop nest transformed: {{.*}} where {{.*}}, or n >= 64 and k >= 2 and d >= 2; {{[0-9.]+}} times as fast expected
void assign(int n, int k, int d, const double *x, const double *c, int *label) {
  for (int i = 0; i < n; i++) {
    double best = 1e300;
    int at = 0;
    for (int j = 0; j < k; j++) {
      double s = 0;
      for (int t = 0; t < d; t++) {
        double e = x[i * d + t] - c[j * d + t];
        s += e * e;
      }
      if (s < best) {
        best = s;
        at = j;
      }
    }
    label[i] = at;
  }
}
