// Regions are as large as can be: loops in sequence with what is between them, and loops under conditions.
// RUN: %model %s 2>&1 | FileCheck %s --implicit-check-not=remark

void g(double *);

// Code before the first loop and after the last is left out.
// CHECK: sequence: loop %for.cond, loop %for.cond{{[0-9]+}} at
// CHECK: statement S0
// CHECK-NEXT: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK-NEXT: schedule: { S0[i] -> [(0), (i), (1)] }
// CHECK: statement S1
// CHECK-NEXT: domain: [n] -> { S1[] }
// CHECK: statement S2
// CHECK-NOT: statement
void sequence(long n, double *restrict a, double *restrict b) {
  b[0] = a[0];
  for (long i = 0; i < n; i++)
    a[i] = 1;
  a[3] = b[2];
  for (long i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
  a[4] = b[2];
}

// CHECK: condition: loop %for.cond, loop %for.cond{{[0-9]+}}, loop
// CHECK: domain: [n, m] -> { S1[{{.*}}] : m >= 8 and 0 <=
// CHECK: domain: [n, m] -> { S2[] : m <= 7 }
// CHECK: domain: [n, m] -> { S3[{{.*}}] : 0 <=
void condition(long n, long m, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    a[i] = 1;
  if (m > 7)
    for (long i = 0; i < n; i++)
      b[i] = a[n - 1 - i];
  else
    b[7] = 5;
  for (long i = 0; i < m; i++)
    b[i] += a[n - 1 - i];
}

// What a phi chooses where the ways of a condition join is used after the region.
// CHECK: joined: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [m, n] -> { S0[] : m <= 5 }
// CHECK: statement S1
// CHECK-NEXT: domain: [m, n] -> { S1[] : m >= 6 }
// CHECK: live out {{.*}}: s
double joined(long n, long m, double *restrict a) {
  double s = 3;
  if (m > 5)
    for (long i = 0; i < n; i++)
      s += a[i];
  return s;
}

// What cannot be modelled stands between two regions.
// CHECK: call: loop %for.cond, loop %for.cond{{[0-9]+}} at
// CHECK: call: loop %for.cond{{[0-9]+}}, loop %for.cond{{[0-9]+}} at
void call(long n, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    a[i] = 1;
  for (long i = 0; i < n; i++)
    b[i] = 2;
  g(a);
  for (long i = 0; i < n; i++)
    b[i] = a[n - 1 - i];
  for (long i = 0; i < n; i++)
    a[i] = b[n - 1 - i];
}

// The bound of the second loop is a parameter of the region that begins there.
// CHECK: bound: loop %for.cond at
// CHECK: bound: loop %for.cond{{[0-9]+}}, loop %for.cond{{[0-9]+}} at
// CHECK: parameter [[K:.*]]: %
// CHECK: domain: {{.*}} 0 <= {{.*}} < [[K]] }
void bound(long n, long *restrict p, double *restrict a) {
  for (long i = 0; i < n; i++)
    p[i] = i;
  long k = *p;
  for (long i = 0; i < k; i++)
    a[i] = 1;
  for (long i = 0; i < k; i++)
    a[i] += 1;
}

// A result of one loop goes to the next through a scalar slot.
// CHECK: sums: loop {{.*}}, loop {{.*}}, loop
// CHECK: scalar slot div: double
// CHECK: domain: [n] -> { S1[] }
// CHECK: write: [n] -> { S1[] -> div[] }
// CHECK: live out %div: div
double sums(long n, double *restrict a, double *restrict b) {
  double s = 0;
  for (long i = 0; i < n; i++)
    s += a[i];
  double m = s / n;
  for (long i = 0; i < n; i++)
    b[i] = a[i] - m;
  double t = 0;
  for (long i = 0; i < n; i++)
    t += b[i] * b[i];
  return t + m;
}

// Inside a loop that cannot be modelled, too.
// CHECK: remark: loop nest left as it is: a loop is marked llvm.loop.vectorize.width
// CHECK: inside: loop %for.cond{{[0-9]+}}, loop %for.cond{{[0-9]+}} at
void inside(long n, double *restrict a, double *restrict b) {
#pragma clang loop vectorize(disable)
  for (long t = 0; t < n; t++) {
    for (long i = 0; i < n; i++)
      a[i] += t;
    for (long i = t; i < n; i++)
      b[i] += a[i];
  }
}
