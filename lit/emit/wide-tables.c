// Elements of more than 64 bits are no numbers of the model, as those of other constant arrays are: the access may be anywhere.
//
// RUN: %clang -O3 -mllvm -farkas-print=scop -c %s -o /dev/null 2>&1 | FileCheck %s

static const __int128 wide[4] = {-1, 0, -1, 0};

// CHECK: read: {{.*}} S0[c0, c1] -> A0[o0] :
void wide_elements(long n, double *restrict a, const double *restrict b) {
  for (long i = 1; i < n; i++)
    for (long k = 0; k < 4; k++)
      a[i] += b[i + (int)((unsigned __int128)wide[k] >> 62)];
}
