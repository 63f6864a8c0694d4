// Several accumulators in one array: a sum for each component, which lanes along the bodies keep in registers.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: forces: loop
// CHECK: write: {{.*}} -> F[(i), (0)]
// CHECK: write: {{.*}} -> F[(i), (1)]
// CHECK: write: {{.*}} -> F[(i), (2)]
void forces(long n, const double (*restrict X)[3], const double *restrict W, double (*restrict F)[3]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      double x = X[j][0] - X[i][0], y = X[j][1] - X[i][1], z = X[j][2] - X[i][2];
      double r = x * x + y * y + z * z + 0.01;
      double w = W[j] / (r * r);
      F[i][0] += w * x;
      F[i][1] += w * y;
      F[i][2] += w * z;
    }
}
