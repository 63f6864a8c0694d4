//! Strips of an innermost loop, where only its iterations may run on threads at the same time.

use expect_test::{Expect, expect};
use farkas_plan::{Choices, Parallel, budget, check_plan, plan};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Program;

use super::target;

/// `for (i) for (j) b[i + 1][j] = a[i][j] + b[i][j];`
const FILTER: &str = "program
  context: [n, m] -> { : n > 0 and m > 0 }
  assumptions: [n, m] -> { : }
  array a: memory, 8 bytes, [][m]
  array b: memory, 8 bytes, [][m]
  statement S
    domain: [n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }
    schedule: { S[i, j] -> [i, j] }
    read: [n, m] -> { S[i, j] -> a[i, j] : 0 <= i < n and 0 <= j < m }
    read: [n, m] -> { S[i, j] -> b[i, j] : 0 <= i < n and 0 <= j < m }
    write: [n, m] -> { S[i, j] -> b[1 + i, j] : 0 <= i < n and 0 <= j < m }
    operations: 2 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2: 1 add f64
";

/// The order on threads, and the one on one thread.
fn check(program: &str, expected: Expect) {
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let choices = Choices {
        parallel: Parallel::Auto,
        ..Choices::default()
    };
    let b = budget(&program, &choices);
    let plan = plan(&program, &target(), &choices, &|_, _| {}, &b).expect("a plan on threads");
    let verdict = check_plan(&program, &plan, &Budget::new(5_000_000));
    assert!(matches!(verdict, Ok(Ok(()))), "{verdict:?}");
    let alone = plan.alone.map_or("the same".to_owned(), |alone| alone.ast.to_string());
    expected.assert_eq(&format!("{}on one thread:\n{alone}", plan.ast));
}

#[test]
fn the_innermost_loop_is_in_strips() {
    check(
        FILTER,
        expect![[r#"
        // parallel
        // parallel
        // threads
        for (int c0 = 0; c0 <= (m - 1) / 64; c0 += 1)
          for (int c1 = 0; c1 < n; c1 += 1) {
            // parallel
            for (int c2 = 64 * c0; c2 <= min(m - 1, 64 * c0 + 63); c2 += 1)
              S(c1, c2);
          }
        on one thread:
        for (int c0 = 0; c0 < n; c0 += 1) {
          // parallel
          for (int c1 = 0; c1 < m; c1 += 1)
            S(c0, c1);
        }
    "#]],
    );
}

#[test]
fn rows_that_run_at_the_same_time_need_no_strips() {
    check(
        &FILTER.replace("S[i, j] -> b[i, j]", "S[i, j] -> a[1 + i, j]"),
        expect![[r#"
            // parallel
            // parallel
            // threads
            for (int c0 = 0; c0 < n / 4; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 < m; c1 += 1) {
                S(4 * c0, c1);
                S(4 * c0 + 1, c1);
                S(4 * c0 + 2, c1);
                S(4 * c0 + 3, c1);
              }
            }
            if (m >= 1) {
              // remainder
              for (int c2 = 4 * (n / 4); c2 < n; c2 += 1) {
                // parallel
                for (int c1 = 0; c1 < m; c1 += 1)
                  S(c2, c1);
              }
            }
            on one thread:
            the same"#]],
    );
}
