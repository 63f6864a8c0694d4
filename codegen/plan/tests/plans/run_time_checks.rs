//! What is checked at run time.

use super::check;
use expect_test::expect;

/// A row of Cholesky's decomposition in an array of 20 rows: wavefronts would pay for 20 columns, but not for 16.
#[test]
fn arrays_may_be_too_small() {
    check(
        "program
  context: [n] -> { : 0 <= n }
  assumptions: [n] -> { : n <= 20 }
  array A: memory, 8 bytes, [][20]
  statement S0
    domain: [n] -> { S0[j, k] : j < n and 0 <= k < j }
    schedule: { S0[j, k] -> [(j), (0), (k)] }
    read: [n] -> { S0[j, k] -> A[(n), (k)] }
    read: [n] -> { S0[j, k] -> A[(j), (k)] }
    read: [n] -> { S0[j, k] -> A[(n), (j)] }
    write: [n] -> { S0[j, k] -> A[(n), (j)] }
    operations: 3 load f64, 1 store f64, 1 add f64, 1 multiply f64
    contracted: 1
    chain: access 0 -> access 3: 1 add f64, 1 multiply f64
    chain: access 1 -> access 3: 1 add f64, 1 multiply f64
    chain: access 2 -> access 3: 1 add f64
  statement S1
    domain: [n] -> { S1[j] : 0 <= j < n }
    schedule: { S1[j] -> [(j), (1), (0)] }
    read: [n] -> { S1[j] -> A[(j), (j)] }
    read: [n] -> { S1[j] -> A[(n), (j)] }
    write: [n] -> { S1[j] -> A[(n), (j)] }
    operations: 2 load f64, 1 store f64, 1 divide f64
    chain: access 0 -> access 2: 1 divide f64
    chain: access 1 -> access 2: 1 divide f64
",
        expect![[r#"
            left as it is: no gain expected: another order would gain for larger sizes than arrays have, if at all
        "#]],
    );
}

/// LLVM compares the ranges of both rows over all `i`, which overlap, so that the original is not vectorized.
#[test]
fn rows_that_never_meet_need_no_run_time_checks() {
    check(
        "program
  context: [n, r] -> { : 0 <= r < n and n < 1000 }
  assumptions: [n, r] -> { : }
  array a: memory, 8 bytes, [][n]
  statement S
    domain: [n, r] -> { S[t, i, j] : 0 <= t < 100 and 0 <= i < n and 0 <= j < n }
    schedule: { S[t, i, j] -> [t, i, j] }
    read: [n, r] -> { S[t, i, j] -> a[i, j] }
    read: [n, r] -> { S[t, i, j] -> a[r, j] }
    write: [n, r] -> { S[t, i, j] -> a[i, j] }
    operations: 2 load f64, 1 store f64, 1 add f64, 1 multiply f64
    contracted: 1
    chain: access 0 -> access 2: 1 add f64, 1 multiply f64
    chain: access 1 -> access 2: 1 add f64, 1 multiply f64
",
        expect![[r#"
            sank parallel loops, tiled all x 512, unrolled and jammed 4, where n >= 3, expected to take 0.42 of the time
            // parallel
            for (int c0 = 0; c0 <= (n - 1) / 512; c0 += 1)
              for (int c1 = 0; c1 <= 99; c1 += 1) {
                for (int c2 = 0; c2 < n / 4; c2 += 1) {
                  // parallel
                  for (int c3 = 512 * c0; c3 <= min(n - 1, 512 * c0 + 511); c3 += 1) {
                    S(c1, 4 * c2, c3);
                    S(c1, 4 * c2 + 1, c3);
                    S(c1, 4 * c2 + 2, c3);
                    S(c1, 4 * c2 + 3, c3);
                  }
                }
                if (n >= 512 * c0 + 1) {
                  // remainder
                  for (int c4 = 4 * (n / 4); c4 < n; c4 += 1) {
                    // parallel
                    for (int c3 = 512 * c0; c3 <= min(n - 1, 512 * c0 + 511); c3 += 1)
                      S(c1, c4, c3);
                  }
                }
              }
        "#]],
    );
}
