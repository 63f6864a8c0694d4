// Conditions on the way to a region are known in it, as far as they are about its parameters.
//
// RUN: %model %s 2>&1 | FileCheck %s

int complain(void);

// CHECK-LABEL: checked: loop
// CHECK: context: {{.*}} and ld >= n
// CHECK: assumptions: [n, ld] -> { : }
int checked(long n, long ld, double *restrict a) {
  if (ld < n)
    return complain();
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * ld + j] = 0;
  return 0;
}

// CHECK-LABEL: promised: loop
// CHECK: assumptions: [n, ld] -> { : }
void promised(long n, long ld, double *restrict a) {
  __builtin_assume(n <= ld);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * ld + j] = 0;
}

// Behind a branch that comes together again, nothing is known of it.
// CHECK-LABEL: joined: loop
// CHECK: assumptions: [n, ld] -> { : n <= 0; : n > 0 and ld >= n }
void joined(long n, long ld, double *restrict a) {
  if (n <= ld)
    complain();
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * ld + j] = 0;
}

// As unsigned numbers they are compared as if they were not negative, which is assumed: nothing follows from it by itself.
// CHECK-LABEL: unsigned_compare: loop
// CHECK-NOT: context: {{.*}}ld >= n
// CHECK: assumptions: [n, ld] -> { : n = 0; : n > 0 and ld >= n }
int unsigned_compare(unsigned long n, unsigned long ld, double *restrict a) {
  if (ld < n)
    return complain();
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n; j++)
      a[i * ld + j] = 0;
  return 0;
}

// A condition in the loops around is about their present iteration.
// CHECK-LABEL: in_a_loop: loop
// CHECK: context: [p0, n] -> { : {{.*}} and n >= p0
void in_a_loop(long n, double *restrict a) {
  for (long i = 0; i < 2 * n; i++) {
    if (i > n)
      complain();
    else
      for (long j = i; j < n; j++)
        a[j] = 0;
  }
}

// The condition is about the last iteration of a loop that is over.
// CHECK-LABEL: loop_before: loop
// CHECK: context: [m] -> { : -1099511627776 <= m <= 1099511627776 }
void loop_before(long n, long m, double *restrict a, double *restrict b) {
  for (long k = 0; k < n; k++) {
    b[k] = a[k];
    if (b[k] > 0)
      break;
  }
  for (long i = 0; i < m; i++)
    a[i] = 0;
}
