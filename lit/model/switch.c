// A switch is a choice between several ways on.
//
// RUN: %model %s 2>&1 | FileCheck %s
// RUN: %clang -O2 -mllvm -farkas-unprofitable=true -mllvm -print-after=farkas -mllvm -filter-print-funcs=on_data -c \
// RUN:   -fno-discard-value-names -o /dev/null %s 2>&1 | FileCheck %s --check-prefix=CODE

// CHECK: affine: loop
// CHECK: domain: [n] -> { S0[i] : 45 <= i < n; S0[i] : 13 <= i < n and i <= 43; S0[i] : 8 <= i < n and i <= 11;
// CHECK: {{^}}    write: {{.*}} S0[i] -> c[(i)]
// CHECK: domain: [n] -> { S1[i = 3] : n >= 4 }
// CHECK: domain: [n] -> { S2[i = 7] : n >= 8; S2[i = 12] : n >= 13 }
// CHECK: {{^}}    write: {{.*}} S2[i = 7] -> b[(7)]
// CHECK: domain: [n] -> { S3[i = 44] : n >= 45 }
void affine(int n, double *restrict a, double *restrict b, double *restrict c) {
  for (int i = 0; i < n; i++)
    switch (i) {
    case 3: a[i] = 1; break;
    case 7: case 12: b[i] = 2; break;
    case 44: a[i] = 3; b[i + 1] = 4; break;
    default: c[i] = 5;
    }
}

// On data, it is one statement, with the switch in it.
// CHECK: on_data: loop
// CHECK: domain: [n] -> { S0[i] : 0 <= i < n }
// CHECK: may write: {{.*}} S0[i] -> a[(i)]
// CHECK: may write: {{.*}} S0[i] -> a[(1 + i)]
// CHECK-NOT: statement
// CODE: {{^}}farkas.body:
// CODE: switch i32 %{{[0-9]*}}, label %[[JOIN:[a-z.0-9]*]] [
// CODE-NEXT: i32 3, label %[[ONE:[a-z.0-9]*]]
// CODE-NEXT: i32 7, label %[[TWO:[a-z.0-9]*]]
// CODE-NEXT: i32 9, label %[[TWO]]
// CODE-NEXT: i32 44, label %[[FOUR:[a-z.0-9]*]]
void on_data(int n, double *restrict a, const int *restrict p) {
  for (int i = 0; i < n; i++)
    switch (p[i]) {
    case 3: a[i] = 1; break;
    case 7: case 9: a[i] = 2; break;
    case 44: a[i + 1] = 3; a[i] = 4; break;
    }
}

// A value that none of the cases has, though there is no other, is not looked at. It is kept in b[i] from the start.
// CHECK: all: loop
// CHECK: may write: {{.*}} S0[i] -> a[(i)]
// CHECK: write: {{.*}} S0[i] -> b[(i)]
// CHECK-NOT: statement S1
void all(int n, double *restrict a, double *restrict b, const int *restrict p) {
  for (int i = 0; i < n; i++) {
    double v = 0;
    switch (p[i] & 3) {
    case 0: a[i] = 1; break;
    case 1: a[i] = 2; v = 4; break;
    case 2: v = a[i]; break;
    case 3: v = 1; break;
    }
    b[i] = v;
  }
}

void abort(void);

// CHECK: errors: loop
// CHECK: assumptions: [n] -> { : n <= 5 }
void errors(int n, double *restrict a, double *restrict b) {
  for (int i = 0; i < n; i++)
    switch (i) {
    case 0: a[i] = 1; break;
    case 5: abort();
    default: b[i] = 2;
    }
}
