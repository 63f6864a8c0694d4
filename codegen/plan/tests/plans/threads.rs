//! Loops that run on threads, and those that one thread has in their place.

use expect_test::{Expect, expect};
use farkas_plan::{Choices, Parallel, Plan, budget, check_plan, plan};
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

/// `for (i) { s = 0; for (k) s = f(s, a[i][k]); b[i] = s; }` with a call of `f`.
const ROWS: &str = "program
  context: [n, m] -> { : n > 0 and m > 0 }
  assumptions: [n, m] -> { : }
  array a: memory, 8 bytes, [][m]
  array b: memory, 8 bytes, []
  array s: scalar slot, 8 bytes
  statement S0
    domain: [n, m] -> { S0[i] : 0 <= i < n }
    schedule: { S0[i] -> [i, 0, 0] }
    write: [n, m] -> { S0[i] -> s[] : 0 <= i < n }
  statement S1
    domain: [n, m] -> { S1[i, k] : 0 <= i < n and 0 <= k < m }
    schedule: { S1[i, k] -> [i, 1, k] }
    read: [n, m] -> { S1[i, k] -> a[i, k] : 0 <= i < n and 0 <= k < m }
    read: [n, m] -> { S1[i, k] -> s[] : 0 <= i < n and 0 <= k < m }
    write: [n, m] -> { S1[i, k] -> s[] : 0 <= i < n and 0 <= k < m }
    operations: 1 load f64, 1 call f64
    chain: access 1 -> access 2: 1 call f64
  statement S2
    domain: [n, m] -> { S2[i] : 0 <= i < n }
    schedule: { S2[i] -> [i, 2, 0] }
    read: [n, m] -> { S2[i] -> s[] : 0 <= i < n }
    write: [n, m] -> { S2[i] -> b[i] : 0 <= i < n }
    operations: 1 store f64
  kill: [n, m] -> { s.end[] -> s[] }
    schedule: [n] -> { s.end[] -> [n, 0, 0] }
";

/// `for (i) for (j) for (k) c[i][j] += a[i][k] * b[k][j];`
const PRODUCT: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, [][n]
  array b: memory, 8 bytes, [][n]
  array c: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    schedule: { S[i, j, k] -> [i, j, k] }
    read: [n] -> { S[i, j, k] -> a[i, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    read: [n] -> { S[i, j, k] -> b[k, j] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    read: [n] -> { S[i, j, k] -> c[i, j] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    write: [n] -> { S[i, j, k] -> c[i, j] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    operations: 3 load f64, 1 store f64, 1 multiply f64, 1 add f64
    contracted: 1
    chain: access 0 -> access 3: 1 multiply f64, 1 add f64
    chain: access 1 -> access 3: 1 multiply f64, 1 add f64
    chain: access 2 -> access 3: 1 add f64
";

/// The plan of a program on threads, which is right.
fn on_threads(program: &str) -> Plan {
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let choices = Choices {
        parallel: Parallel::Auto,
        ..Choices::default()
    };
    let b = budget(&program, &choices);
    let plan = plan(&program, &target(), &choices, &|_, _| {}, &b).expect("a plan on threads");
    let verdict = check_plan(&program, &plan, &Budget::new(5_000_000));
    assert!(matches!(verdict, Ok(Ok(()))), "{verdict:?}");
    plan
}

/// The order on threads, and the one on one thread.
fn check(program: &str, expected: Expect) {
    let plan = on_threads(program);
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

#[test]
fn an_accumulator_is_private() {
    check(
        ROWS,
        expect![[r#"
        // parallel(private s)
        // parallel, private s
        // threads
        for (int c0 = 0; c0 < n; c0 += 1) {
          S0(c0);
          for (int c1 = 0; c1 < m; c1 += 1)
            S1(c0, c1);
          S2(c0);
        }
        on one thread:
        the same"#]],
    );
}

/// The outermost loops of a product of matrices with 400 rows on threads, and on one thread.
#[test]
fn tiles_are_smaller_on_threads() {
    let plan = on_threads(&PRODUCT.replace("context: [n] -> { : n > 0 }", "context: [n] -> { : n = 400 }"));
    let outermost = |loops: &dyn std::fmt::Display| {
        let text = loops.to_string();
        let first = text.lines().find(|line| line.trim_start().starts_with("for"));
        first.expect("a loop").to_owned()
    };
    let alone = plan.alone.as_ref().expect("other loops for one thread");
    expect![[r#"
        for (int c0 = 0; c0 <= (n - 1) / 384; c0 += 1) {
        for (int c0 = 0; c0 <= (n - 1) / 768; c0 += 1) {
    "#]]
    .assert_eq(&format!("{}\n{}\n", outermost(&plan.ast), outermost(&alone.ast)));
}
