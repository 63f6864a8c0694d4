//! Index sets that are split.

use super::{check, check_planned, target};
use expect_test::expect;
use farkas_plan::{Choices, budget, plan};
use farkas_polyhedral::program::Program;

/// A statement of all-pairs shortest paths. Its innermost loop meets itself where `j = k`. Without copies, the loop over `k` has no strips.
#[test]
fn where_a_statement_meets_itself_its_loop_is_split() {
    let choices = Choices {
        without_copies: vec!["d".into()],
        ..Choices::default()
    };
    let program: Program = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array d: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[k, i, j] : 0 <= k < n and 0 <= i < n and 0 <= j < n }
    schedule: { S[k, i, j] -> [k, i, j] }
    read: [n] -> { S[k, i, j] -> d[i, j] }
    read: [n] -> { S[k, i, j] -> d[i, k] }
    read: [n] -> { S[k, i, j] -> d[k, j] }
    write: [n] -> { S[k, i, j] -> d[i, j] }
    operations: 3 load f64, 1 store f64, 1 add f64, 1 select f64
    chain: access 0 -> access 3: 1 select f64
    chain: access 1 -> access 3: 1 add f64, 1 select f64
    chain: access 2 -> access 3: 1 add f64, 1 select f64
"
    .parse()
    .unwrap();
    let b = budget(&program, &choices);
    check_planned(
        &program,
        plan(&program, &target(), &choices, &|_, _| {}, &b),
        expect![[r#"
            split index sets, where n >= 48, expected to take 0.30 of the time
            for (int c0 = 0; c0 < n; c0 += 1)
              for (int c1 = 0; c1 < n; c1 += 1) {
                // parallel
                for (int c2 = 0; c2 < c0; c2 += 1)
                  S(c0, c1, c2);
                S(c0, c1, c0);
                // parallel
                for (int c2 = c0 + 1; c2 < n; c2 += 1)
                  S(c0, c1, c2);
              }
        "#]],
    );
}

/// Pieces come in the order of the loop, and a piece may be of several cuts.
#[test]
fn a_loop_is_split_at_several_fixed_elements() {
    check(
        "program
  context: [m, n] -> { : m >= 1000 and n > 10 }
  assumptions: [m, n] -> { : }
  array a: memory, 4 bytes, [][n]
  statement S
    domain: [m, n] -> { S[i, j] : 0 <= i < m and 0 <= j < n }
    schedule: { S[i, j] -> [i, -j] }
    read: [m, n] -> { S[i, j] -> a[i, j] }
    read: [m, n] -> { S[i, j] -> a[i, 5] }
    read: [m, n] -> { S[i, j] -> a[i, n - 1] }
    write: [m, n] -> { S[i, j] -> a[i, j] }
    operations: 3 load f32, 1 store f32, 2 add f32
    chain: access 0 -> access 3: 2 add f32
    chain: access 1 -> access 3: 2 add f32
    chain: access 2 -> access 3: 1 add f32
",
        expect![[r#"
            split index sets, where m >= 48 and n >= 48, or n >= 512, or m >= 6 and n >= 128, expected to take 0.27 of the time
            for (int c0 = 0; c0 < m; c0 += 1) {
              S(c0, n - 1);
              // parallel
              for (int c1 = 2 - n; c1 <= -6; c1 += 1)
                S(c0, -c1);
              S(c0, 5);
              // parallel
              for (int c1 = -4; c1 <= 0; c1 += 1)
                S(c0, -c1);
            }
        "#]],
    );
}
