// Sums along different loops that share a load are statements of their own: each may have its own loop innermost, or its own lanes. Those along one loop,
// and a sum beside what is stored for each element, stay together.
//
// RUN: %model %s 2>&1 | FileCheck %s

// Both products of a matrix with vectors.
// CHECK-LABEL: {{^# }}both_products: loop
// CHECK: write: {{.*}} S[[#COLUMNS:]][i, j] -> s[(j)]
// CHECK: statement S
// CHECK: read: {{.*}} S{{[0-9]+}}[i, j] -> a[(i), (j)]
// CHECK: write: {{.*}} S{{[0-9]+}}[i, j] -> q[(i)]
void both_products(int m, int n, const double (*restrict a)[n], double *restrict s, double *restrict q, const double *restrict p,
                   const double *restrict r) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
}

// The lower triangle of a symmetric matrix by columns: y[i] moves with the counter of the inner loop and with where that begins.
// CHECK-LABEL: {{^# }}symmetric: loop
// CHECK: write: {{.*}} S[[#]][j, i] -> y[(1 + j + i)]
// CHECK-NEXT: operations
// CHECK: statement S
// CHECK: read: {{.*}} S{{[0-9]+}}[j, i] -> a[(j), (1 + i)]
void symmetric(int n, const double (*restrict a)[n], double *restrict y, const double *restrict x) {
  for (int j = 0; j < n; j++) {
    double s = 0;
    for (int i = j + 1; i < n; i++) {
      y[i] += x[j] * a[j][i];
      s += a[j][i] * x[i];
    }
    y[j] += s + a[j][j] * x[j];
  }
}

// Sums and sums of squares of rows.
// CHECK-LABEL: {{^# }}moments: loop
// CHECK: write: {{.*}} S[[#SUMS:]][i, j] -> s[(i)]
// CHECK: write: {{.*}} S[[#SUMS]][i, j] -> q[(i)]
void moments(int m, int n, const double (*restrict a)[n], double *restrict s, double *restrict q) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      s[i] += a[i][j];
      q[i] += a[i][j] * a[i][j];
    }
}

// Sums of rows beside a scaled copy.
// CHECK-LABEL: {{^# }}scaled: loop
// CHECK: write: {{.*}} S[[#SCALED:]][i, j] -> b[(i), (j)]
// CHECK: write: {{.*}} S[[#SCALED]][i, j] -> s[(i)]
void scaled(int m, int n, const double (*restrict a)[n], double (*restrict b)[n], double *restrict s, double by) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      b[i][j] = by * a[i][j];
      s[i] += a[i][j];
    }
}

// The same in several steps: the copy is the same in all of these, but so is what is loaded.
// CHECK-LABEL: {{^# }}in_steps: loop
// CHECK: write: {{.*}} S[[#STEP:]][t, i, j] -> s[(i)]
// CHECK: write: {{.*}} S[[#STEP]][t, i, j] -> a[(i), (j)]
void in_steps(int steps, int m, int n, double (*restrict a)[n], double *restrict s, double by) {
  for (int t = 0; t < steps; t++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < n; j++) {
        s[i] += a[i][j];
        a[i][j] *= by;
      }
}

// Vectors whose elements are an increment apart stay with the sum: in lanes they would be gathered.
// CHECK-LABEL: {{^# }}with_increment: loop
// CHECK: write: {{.*}} S[[#INCREMENT:]][i, j] -> s[(j), (0)]
// CHECK: write: {{.*}} S[[#INCREMENT]][i, j] -> q[(i)]
void with_increment(long m, long n, long increment, const double (*restrict a)[n], double *restrict s, double *restrict q,
                    const double *restrict p) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      s[j * increment] += a[i][j];
      q[i] += a[i][j] * p[j];
    }
}

// The same with a matrix that no cache holds: it is fetched once, though the vector is fetched again as well.
// CHECK-LABEL: {{^# }}large: loop
// CHECK: write: {{.*}} S0[{{.*}}] -> s[
// CHECK: write: {{.*}} S1[{{.*}}] -> s[(j{{.*}})]
// CHECK: write: {{.*}} S2[{{.*}}] -> q[(i)]
void large(const double (*restrict a)[5000], double *restrict s, double *restrict q, const double *restrict p, const double *restrict r) {
  for (int j = 0; j < 5000; j++)
    s[j] = 0.25 * s[j] * s[j];
  for (int i = 0; i < 5000; i++)
    for (int j = 0; j < 5000; j++) {
      s[j] += r[i] * a[i][j];
      q[i] += a[i][j] * p[j];
    }
}
