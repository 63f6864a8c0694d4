// Loop bounds and conditions.
//
// RUN: %model %s 2>&1 | FileCheck %s

// CHECK: triangle: loop
// CHECK: domain: [n] -> { S0[i, j] : i < n and 0 <= j <= i }
void triangle(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      a[j] += i;
}

// CHECK: upwards: loop
// CHECK: domain: [n] -> { S0[i, j] : i >= 0 and 0 <= j <= -2 + n - i }
// CHECK: write: [n] -> { S0[i, j] -> a[(1 + i + j)]
void upwards(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      a[j] += i;
}

// CHECK: downwards: loop
// CHECK: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK: write: [n] -> { S0[i] -> a[(-1 + n - i)]
void downwards(int n, double *restrict a) {
  for (int i = n - 1; i >= 0; i--)
    a[i] += i;
}

// CHECK: steps: loop
// CHECK: domain: [n] -> { S0[i] : 0 <= i < floor((2 + n)/3) }
// CHECK: write: [n] -> { S0[i] -> a[(i), (0)]
void steps(int n, double *restrict a) {
  for (int i = 0; i < n; i += 3)
    a[i] = 1;
}

// An unsigned bound is a number that may be read as signed, or the original code runs.
// CHECK: unsigned_bound: loop
// CHECK: assumptions: [n] -> { : n >= 0 }
// CHECK: domain: [n] -> { S0[i] : 0 <= i < n }
void unsigned_bound(unsigned long n, double *restrict a) {
  for (unsigned long i = 0; i < n; i++)
    a[i] = 1;
}

// CHECK: conditions: loop
// CHECK: statement S0
// CHECK-NEXT: domain: [n, m] -> { S0[i] : 5 <= i < n and i < m }
// CHECK: statement S1
// CHECK-NEXT: domain: [n, m] -> { S1[i] : 0 <= i < n and i <= 4 }
// CHECK: statement S2
// CHECK-NEXT: domain: [n, m] -> { S2[i] : 0 <= i < n }
void conditions(int n, int m, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++) {
    if (i >= 5 && i < m)
      a[i] = 1;
    else if (i <= 4)
      a[i] = b[i + 1];
    b[i] = 2;
  }
}

// CHECK: body_first: loop
// CHECK: domain: [n] -> { S0[i = 0] : n <= 1; S0[i] : 0 <= i < n and n >= 2 }
void body_first(int n, double *restrict a) {
  int i = 0;
  do {
    a[i] = 1;
    i++;
  } while (i < n);
}

// A bound that is computed in the loop, where scalar evolution does not count: by the condition.
// CHECK: half: loop
// CHECK: assumptions: [n] -> { : }
// CHECK: domain: [n] -> { S0[i] : 0 <= i < floor((n)/2) }
void half(int n, double *restrict a) {
  for (int i = 0; i < n / 2; i++)
    a[i] = a[n - 1 - i];
}

// That the loop ends is assumed then.
// CHECK: until: loop
// CHECK: assumptions: [n] -> { : floor((1 + n)/2) >= 0 }
void until(int n, double *restrict a) {
  for (int i = 0; i != n / 2; i++)
    a[i] = 1;
}

// CHECK: remainder: loop
// CHECK: domain: [n] -> { S0[i, j] : 0 <= j < ((n) mod 4) and 0 <= i < n }
void remainder(int n, double *restrict a) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n % 4; j++)
      a[4 * i + j] = 1;
}
