// A bound with a divisor that may be zero is computed in front of the nest, where no instance may be executed, with one in
// place of zero. That it is not zero is assumed.
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: divided: loop
// CHECK: parameter p0: (%n /u (1 umax %m))
// CHECK: assumptions: {{.*}} -> { : n = 0 and m > 0; : n > 0 and 0 <= p0 <= 100 and m > 0 }
// CHECK: domain: {{.*}} : 0 <= i < n and 0 <= j < p0 }
void divided(unsigned long n, unsigned long m, double (*restrict a)[100]) {
  for (unsigned long i = 0; i < n; i++)
    for (unsigned long j = 0; j < n / m; j++)
      a[i][j] = 0;
}
