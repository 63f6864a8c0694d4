// What holds wherever a nest is entered is known of its parameters: what the source promises, and conditions before it.
//
// RUN: %model -fno-discard-value-names %s 2>&1 | FileCheck %s

// CHECK: promise: loop
// CHECK: context: [n] -> { : 5 <= n <= 1000 }
void promise(long n, double *restrict a) {
  __builtin_assume(n >= 5);
  __builtin_assume(n <= 1000);
  for (long i = 0; i < n; i++)
    a[i] = 1;
}

void other(void);

// The condition is not part of the region for the call between.
// CHECK: condition: loop
// CHECK: context: [n] -> { : 8 <= n <= 1099511627776 }
void condition(long n, double *restrict a) {
  if (n < 8)
    return;
  other();
  for (long i = 0; i < n; i++)
    a[i] = 1;
}
