// Sweeps along rows that are independent of each other: strips of rows go through all sweeps, so that what one of them writes is in a cache for
// the next one (test/plans/row-sweeps.txt).
//
// RUN: %model %s 2>&1 | FileCheck %s

// Tridiagonal systems, one per row, in several steps, between which rows are mixed.
// CHECK-LABEL: {{^# }}solve: loop
// CHECK: write: {{.*}} S{{[0-9]+}}[t, i, j] -> c[(i), (1 + j)] :
// CHECK: write: {{.*}} -> x[(i), (-2 + n - j{{[0-9]*}})] :
void solve(int steps, int m, int n, double (*restrict x)[n], double (*restrict c)[n], double (*restrict d)[n], double a, double b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < m; i++) {
      c[i][0] = a / b;
      d[i][0] = x[i][0] / b;
      for (int j = 1; j < n; j++) {
        double pivot = b - a * c[i][j - 1];
        c[i][j] = a / pivot;
        d[i][j] = (x[i][j] - a * d[i][j - 1]) / pivot;
      }
      x[i][n - 1] = d[i][n - 1];
      for (int j = n - 2; j >= 0; j--)
        x[i][j] = d[i][j] - c[i][j] * x[i][j + 1];
    }
    for (int i = 0; i < m - 1; i++)
      for (int j = 0; j < n; j++)
        x[i][j] = 0.5 * (x[i][j] + x[i + 1][j]);
  }
}

// A recursive filter forward and backward, and the sum of both. The second value is set behind the last iteration of the first loop.
// CHECK-LABEL: {{^# }}both_ways: loop
// CHECK: statement S1
// CHECK-NEXT: domain: {{.*}} S1[i, j = n] : {{.*}} and n > 0 }
void both_ways(int m, int n, double (*restrict y)[n], const double (*restrict x)[n], double (*restrict f)[n], double (*restrict g)[n], double a) {
  for (int i = 0; i < m; i++) {
    double s = 0;
    for (int j = 0; j < n; j++) {
      s += a * (x[i][j] - s);
      f[i][j] = s;
    }
    s = 0;
    for (int j = n - 1; j >= 0; j--) {
      s += a * (x[i][j] - s);
      g[i][j] = s;
    }
    for (int j = 0; j < n; j++)
      y[i][j] = f[i][j] + g[i][j];
  }
}

// Alternating directions: columns are swept forward and backward, then rows. Each pair of sweeps has strips of its own, inside of the loop over steps.
// CHECK-LABEL: {{^# }}alternate: loop
// CHECK: write: {{.*}} -> v[({{.*}}), (i)] :
// CHECK: write: {{.*}} -> u[(i[[#]]), (-2 + n - {{.*}})] :
void alternate(int steps, int n, double (*restrict u)[n], double (*restrict v)[n], double (*restrict p)[n], double (*restrict q)[n], double a,
               double b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++) {
      for (int j = 1; j < n; j++) {
        p[i][j] = a / (a * p[i][j - 1] + b);
        q[i][j] = (u[j][i] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      for (int j = n - 2; j >= 0; j--)
        v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
    }
    for (int i = 0; i < n; i++) {
      for (int j = 1; j < n; j++) {
        p[i][j] = a / (a * p[i][j - 1] + b);
        q[i][j] = (v[i][j] - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
      }
      for (int j = n - 2; j >= 0; j--)
        u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
    }
  }
}
