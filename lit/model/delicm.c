// Scalar slots that are mapped to elements of arrays (DeLICM).
//
// RUN: %model %s 2>&1 | FileCheck %s

// A sum that is stored in the end: it is there all the time.
// CHECK: sum: loop
// CHECK: scalar slot s: double in y
// CHECK: write: {{.*}} S0[i] -> y[(i)]
// CHECK: read: {{.*}} S1[i, j] -> y[(i)]
// CHECK: write: {{.*}} S1[i, j] -> y[(i)]
// CHECK: read: {{.*}} S2[i] -> y[(i)]
// CHECK: write: {{.*}} S2[i] -> y[(i)]
void sum(int n, double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    y[i] = s / n;
  }
}

// What was in the element is looked at before, but not after the scalar slot is written first.
// CHECK: update: loop
// CHECK: scalar slot w: double in A
void update(int n, double A[n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      double w = A[i][j];
      for (int k = 0; k < i; k++)
        w -= A[i][k] * A[k][j];
      A[i][j] = w;
    }
}

// Here it is needed in the end.
// CHECK: added: loop
// CHECK: scalar slot s: double{{$}}
void added(int n, double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    y[i] += s;
  }
}

// Here in between, in one iteration.
// CHECK: looked_at: loop
// CHECK: scalar slot s: double{{$}}
void looked_at(int n, double A[n][n], double *y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j] * y[j];
    y[i] = s;
  }
}

// Nobody stores in every iteration.
// CHECK: sometimes: loop
// CHECK: scalar slot s: double{{$}}
void sometimes(int n, int m, double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    if (i >= m)
      y[i] = s;
  }
}

// One of two stores in any case, and the load names the element for both.
// CHECK: one_of_two: loop
// CHECK: scalar slot s: double in A
// CHECK: read: {{.*}} S3[i, j] -> A[(i), (j)]
void one_of_two(int n, double A[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = A[i][j];
      for (int k = 0; k < j; k++)
        s -= A[i][k] * A[j][k];
      if (i == j)
        A[i][i] = s + 1;
      else
        A[i][j] = s / A[j][j];
    }
}

// Some iterations store to neither.
// CHECK: neither: loop
// CHECK: scalar slot s: double{{$}}
void neither(int n, int m, double A[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = A[i][j];
      for (int k = 0; k < j; k++)
        s -= A[i][k] * A[j][k];
      if (i == j)
        A[i][i] = s + 1;
      else if (j < m)
        A[i][j] = s / A[j][j];
    }
}

// One of the stores is to another element.
// CHECK: elsewhere: loop
// CHECK: scalar slot s: double{{$}}
void elsewhere(int n, double A[restrict n][n], double *restrict d) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = A[i][j];
      for (int k = 0; k < j; k++)
        s -= A[i][k] * A[j][k];
      if (i == j)
        d[i] = s + 1;
      else
        A[i][j] = s / d[j];
    }
}

// The sum is used once more after one of the stores.
// CHECK: used_again: loop
// CHECK: scalar slot s: double{{$}}
void used_again(int n, double A[restrict n][n], double B[restrict n][n]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = A[i][j];
      for (int k = 0; k < j; k++)
        s -= A[i][k] * A[j][k];
      if (i == j)
        A[i][i] = s + 1;
      else
        A[i][j] = s / A[j][j];
      for (int k = 0; k < j; k++)
        B[j][k] += s;
    }
}

// A condition on data may keep it from being stored.
// CHECK: maybe: loop
// CHECK: scalar slot s: double{{$}}
void maybe(int n, double A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    if (s > 0)
      y[i] = s;
  }
}

// Two sums, and one element.
// CHECK: two: loop
// CHECK-DAG: scalar slot {{[st]}}: double in y
// CHECK-DAG: scalar slot {{[st]}}: double{{$}}
void two(int n, double A[n][n], double B[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      s += A[i][j];
      t += B[i][j];
    }
    y[i] = s * t;
  }
}

// Two sums, and two elements of one array.
// CHECK: pair: loop
// CHECK-DAG: scalar slot s: double in y
// CHECK-DAG: scalar slot t: double in y
void pair(int n, double A[n][n], double B[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0, t = 0;
    for (int j = 0; j < n; j++) {
      s += A[i][j];
      t += B[i][j];
    }
    y[2 * i] = s;
    y[2 * i + 1] = t;
  }
}

// What a phi chooses, where the ways of a condition join.
// CHECK: chosen: loop
// CHECK: scalar slot x: double in a
void chosen(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    double x;
    if (i < m) {
      x = b[i];
      b[i] = 1;
    } else {
      x = 3;
      b[i] = 2;
    }
    a[i] = x;
  }
}

// What is carried from one iteration to the next is in none of them.
// CHECK: carried: loop
// CHECK: scalar slot s: double from
void carried(int n, double *restrict a, double *restrict y) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += a[i];
    y[i] = s;
  }
}

// A value of another type, though of the same size.
// CHECK: type: loop
// CHECK: scalar slot s: i64{{$}}
void type(int n, long A[n][n], double *restrict y) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < n; j++)
      s ^= A[i][j];
    y[i] = (double)s;
  }
}

// The address is not known before the sum.
// CHECK: late: loop
// CHECK: scalar slot s: double{{$}}
void late(int n, double A[static restrict n][n], const int *restrict p, double *restrict y) {
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += A[i][j];
    y[p[i]] = s;
  }
}

// A value that was stored is in the element from there on.
// CHECK: stored: loop
// CHECK: scalar slot {{.*}}: double in w
// CHECK: write: {{.*}} S0[t, i] -> w[(t), (i)]
// CHECK-NOT: write: {{.*}} S0
// CHECK: read: {{.*}} S1[t, i, j] -> w[(t), (i)]
void stored(int n, int m, int p, double (*restrict a)[m], double (*restrict b)[m], double (*restrict w)[n], double *restrict x) {
  for (int t = 0; t < p; t++)
    for (int i = 0; i < n; i++) {
      w[t][i] = 2.0 * w[t][i] + x[i];
      for (int j = 0; j < m; j++)
        a[i][j] += w[t][i] * b[t][j];
    }
}

// Not where the loop replaces it.
// CHECK: replaced: loop
// CHECK: scalar slot {{.*}}: double{{$}}
void replaced(int n, int m, double (*restrict a)[m], double *restrict x) {
  for (int i = 0; i < n; i++) {
    double s = x[i] * 3;
    x[i] = s;
    for (int j = 0; j < m; j++) {
      a[i][j] += s;
      x[i] = j;
    }
  }
}

// Nor where another store may be to the same element.
// CHECK: twice: loop
// CHECK: scalar slot {{.*}}: double{{$}}
void twice(int n, int m, int k, double (*restrict a)[m], double *restrict x) {
  for (int i = 0; i < n; i++) {
    double s = x[i] * 3;
    x[i] = s;
    x[k] = 2;
    for (int j = 0; j < m; j++)
      a[i][j] += s;
  }
}

// A sum is in the element behind its store, too.
// CHECK: used_behind: loop
// CHECK: scalar slot {{.*}}: i64 in total
void used_behind(int n, int m, long (*restrict counts)[m], long *restrict total) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < m; j++)
      s += counts[i][j];
    total[i] = s;
    for (int j = 0; j < m; j++)
      counts[i][j] -= s;
  }
}

// Not where the element is another one by then.
// CHECK: used_late: loop
// CHECK: scalar slot {{.*}}: i64{{$}}
void used_late(int n, int m, int k, long (*restrict counts)[m], long *restrict total) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < m; j++)
      s += counts[i][j];
    total[i] = s;
    total[k] = 1;
    for (int j = 0; j < m; j++)
      counts[i][j] -= s;
  }
}

// Nor where what is stored is another value.
// CHECK: halved: loop
// CHECK: scalar slot {{.*}}: i64{{$}}
void halved(int n, int m, long (*restrict counts)[m], long *restrict total) {
  for (int i = 0; i < n; i++) {
    long s = 0;
    for (int j = 0; j < m; j++)
      s += counts[i][j];
    total[i] = s / 2;
    for (int j = 0; j < m; j++)
      counts[i][j] -= s;
  }
}
