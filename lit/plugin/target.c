// The machine that is planned for: the function's own, or what the options say.
//
// RUN: env RUST_LOG=farkas=debug %clang -O3 -march=znver4 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ZEN4
// RUN: env RUST_LOG=farkas=debug %clang -O3 -march=znver4 -mprefer-vector-width=256 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: env RUST_LOG=farkas=debug %clang -O3 -march=x86-64-v3 -mtune=znver5 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=TUNED
// RUN: env RUST_LOG=farkas=debug %clang -O3 -march=haswell -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: env RUST_LOG=farkas=debug %clang -O3 -march=x86-64 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=BASELINE
//
// A target of the user's is planned for, and files are read when options are.
// RUN: env RUST_LOG=farkas=debug %clang -O3 -mllvm -farkas-target=apple-m1 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: echo 'base = "zen4"' > %t.toml
// RUN: echo 'vector.bits = 256' >> %t.toml
// RUN: env RUST_LOG=farkas=debug %clang -O3 -mllvm -farkas-target-file=%t.toml -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NARROW
//
// Wrong ones are said to be.
// RUN: not %clang -O3 -mllvm -farkas-target=zen12 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not %clang -O3 -mllvm -farkas-target-file=%t.missing -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: echo 'base = "zen4"' > %t.wrong
// RUN: echo 'cores = -1' >> %t.wrong
// RUN: not %clang -O3 -mllvm -farkas-target-file=%t.wrong -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=WRONG
//
// ZEN4: target zen4 with vectors of 512 bits
// NARROW: target zen4 with vectors of 256 bits
// TUNED: target zen5 with vectors of 256 bits
// UNKNOWN: target x86-64-v3 with vectors of 256 bits
// BASELINE: target x86-64-v2 with vectors of 128 bits
// GIVEN: target apple-m1 with vectors of 128 bits
// NAME: for the --farkas-target option: there is no target 'zen12': expected one of x86-64-v2, x86-64-v3
// MISSING: for the --farkas-target-file option: {{.*}}.missing: No such file or directory
// WRONG: for the --farkas-target-file option: {{.*}}.wrong: invalid value: integer `-1`, expected u32 in `cores`

void product(long n, double (*restrict c)[n], double (*restrict a)[n], double (*restrict b)[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
}
