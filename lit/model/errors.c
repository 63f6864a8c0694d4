// Errors are assumed not to happen, where it can be told in advance that they do not.
// RUN: %model %s 2>&1 | FileCheck %s --implicit-check-not=remark

void abort(void);
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));

// CHECK: check: loop
// CHECK: assumptions: [n, m] -> { : n <= 0; : n > 0 and m >= n }
// CHECK: domain: [n, m] -> { S0[i] : 0 <= i < n }
void check(long n, long m, double *restrict a) {
  for (long i = 0; i < n; i++) {
    if (i >= m)
      abort();
    a[i] = 1;
  }
}

// Each for itself, and what leads out of two loops at once.
// CHECK: nested: loop
// CHECK: assumptions: {{.*}}rows >= n
// CHECK: domain: [{{.*}}] -> { S0[i, j] : 0 <= i < n and 0 <= j < m }
void nested(long n, long m, long rows, long columns, double (*restrict a)[100]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      if (i >= rows)
        abort();
      if (j < columns && j >= 0) {
        a[i][j] = 1;
      } else {
        __assert_fail("j < columns", __FILE__, __LINE__, __func__);
      }
    }
}

// Between two loops.
// CHECK: between: loop {{.*}}, loop
// CHECK: assumptions: [n, m] -> { : m <= n }
void between(long n, long m, double *restrict a, double *restrict b) {
  for (long i = 0; i < n; i++)
    a[i] = 1;
  if (m > n)
    abort();
  for (long i = 0; i < m; i++)
    b[i] = a[n - 1 - i];
}

// The function ends in such a way, but that is no error of the loop.
// CHECK: last: loop
// CHECK: assumptions: [n] -> { : }
void last(long n, double *restrict a) {
  for (long i = 0; i < n; i++)
    a[i] = 1;
  abort();
}
