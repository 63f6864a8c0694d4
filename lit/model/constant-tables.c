// Elements of constant arrays are numbers: subscripts by them are affine in pieces. Those of other arrays may be anything.
//
// RUN: %clang -O3 -mllvm -farkas-print=scop -c %s -o /dev/null 2>&1 | FileCheck %s

static const signed char offsets[4] = {1, -1, 1, 0};
static const unsigned char bytes[2] = {200, 1};
static int variable[4] = {1, -1, 1, 0};

// CHECK-LABEL: # signed_elements:
// CHECK: read: {{.*}} S0[c0, c1 = 0] -> A0[(2 + c0)] {{.*}}; S0[c0, c1] -> A0[(4 + c0 - c1)] : 2 <= c1 <= 3 {{.*}}; S0[c0, c1 = 1] -> A0[(c0)]
void signed_elements(long n, double *restrict a, const double *restrict b) {
  for (long i = 1; i < n; i++)
    for (long k = 0; k < 4; k++)
      a[i] += b[i + offsets[k]];
}

// CHECK-LABEL: # unsigned_elements:
// CHECK: read: {{.*}} S0[c0, c1 = 0] -> A0[(200 + c0)] {{.*}}; S0[c0, c1 = 1] -> A0[(1 + c0)]
void unsigned_elements(long n, double *restrict a, const double *restrict b) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 2; k++)
      a[i] += b[i + bytes[k]];
}

// CHECK-LABEL: # other_elements:
// CHECK: read: {{.*}} S0[c0, c1] -> A0[o0] :
void other_elements(long n, double *restrict a, const double *restrict b) {
  for (long i = 1; i < n; i++)
    for (long k = 0; k < 4; k++)
      a[i] += b[i + variable[k]];
  variable[0]++;
}
