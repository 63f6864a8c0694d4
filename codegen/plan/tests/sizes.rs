//! For which sizes a plan pays.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_plan::target::Target;
use farkas_plan::{Choices, budget, check_sizes, plan};
use farkas_polyhedral::program::Program;

/// The sizes for which a plan for a product of matrices pays whose loops have these bounds, or why there is no plan.
fn check(params: &str, [n, m, p]: [&str; 3], choices: &Choices, expected: Expect) {
    let domain = format!("0 <= i < {n} and 0 <= j < {m} and 0 <= k < {p}");
    let program = format!(
        "program
  context: [{params}] -> {{ : }}
  assumptions: [{params}] -> {{ : }}
  array C: memory, 8 bytes, [][{m}]
  array A: memory, 8 bytes, [][{p}]
  array B: memory, 8 bytes, [][{m}]
  statement T
    domain: [{params}] -> {{ T[i, j, k] : {domain} }}
    schedule: {{ T[i, j, k] -> [i, j, k] }}
    read: [{params}] -> {{ T[i, j, k] -> C[i, j] }}
    read: [{params}] -> {{ T[i, j, k] -> A[i, k] }}
    read: [{params}] -> {{ T[i, j, k] -> B[k, j] }}
    write: [{params}] -> {{ T[i, j, k] -> C[i, j] }}
    operations: 3 load f64, 1 store f64, 1 add f64, 1 multiply f64
    contracted: 1
    chain: access 0 -> access 3: 1 add f64
    chain: access 1 -> access 3: 1 add f64, 1 multiply f64
    chain: access 2 -> access 3: 1 add f64, 1 multiply f64
"
    );
    check_program(&program, choices, expected);
}

fn check_program(program: &str, choices: &Choices, expected: Expect) {
    let program: Program = program.parse().unwrap_or_else(|error| panic!("{error}"));
    let target = Target::preset("x86-64-v3").expect("a preset");
    let found = match plan(&program, &target, choices, &|_, _| {}, &budget(&program, choices)) {
        Ok(plan) if plan.sizes.is_all() => "all".to_owned(),
        Ok(plan) => {
            assert!(check_sizes(&program, &plan.sizes).is_ok(), "{}", plan.sizes);
            plan.sizes.to_string()
        }
        Err(kept) => kept.to_string(),
    };
    expected.assert_eq(&found);
}

#[test]
fn one_size_has_one_bound() {
    check("n", ["n", "n", "n"], &Choices::default(), expect!["n >= 6"]);
}

/// Divisions that a condition on data leaves out count for half of their time where branches are predicted.
#[test]
fn what_conditions_leave_out_is_not_dear() {
    let program = |blocks: &str| {
        format!(
            "program
  context: [n] -> {{ : }}
  assumptions: [n] -> {{ : }}
  array s: memory, 8 bytes, []
  array x: memory, 8 bytes, []
  statement S
    domain: [n] -> {{ S[i, j] : 0 <= i < n and 0 <= j < n }}
    schedule: {{ S[i, j] -> [i, j] }}
    read: [n] -> {{ S[i, j] -> s[i] }}
    read: [n] -> {{ S[i, j] -> x[j] }}
    read: [n] -> {{ S[i, j] -> x[i] }}
    write: [n] -> {{ S[i, j] -> s[i] }}
{blocks}    operations: 3 load f64, 1 store f64, 3 add f64, 6 multiply f64, 1 divide f64
    contracted: 3
    chain: access 0 -> access 3: 1 add f64
"
        )
    };
    check_program(&program(""), &Choices::default(), expect!["n >= 8"]);
    check_program(&program("    blocks: 2\n"), &Choices::default(), expect!["n >= 24"]);
}

/// Few columns are enough where there are many rows.
#[test]
fn one_of_several_sizes_may_be_small() {
    check(
        "n, m, p",
        ["n", "m", "p"],
        &Choices::default(),
        expect![
            "n >= 3 and m >= 6 and p >= 6, or n >= 8 and m >= 8, or m >= 16 and p >= 16, or n >= 96 and m >= 2 and p >= 2"
        ],
    );
}

/// The distances of points from means, each point in a lane, with these bounds.
fn distances(params: &str, [n, k, d]: [&str; 3]) -> String {
    let domain = format!("0 <= i < {n} and 0 <= j < {k} and 0 <= t < {d}");
    format!(
        "program
  context: [{params}] -> {{ : }}
  assumptions: [{params}] -> {{ : }}
  array x: memory, 8 bytes, [][{n}]
  array c: memory, 8 bytes, [][{d}]
  array best: memory, 8 bytes, []
  array s: scalar slot, 8 bytes
  statement B
    domain: [{params}] -> {{ B[i, j] : 0 <= i < {n} and 0 <= j < {k} }}
    schedule: {{ B[i, j] -> [i, j, 0, 0] }}
    write: [{params}] -> {{ B[i, j] -> s[] }}
  statement S
    domain: [{params}] -> {{ S[i, j, t] : {domain} }}
    schedule: {{ S[i, j, t] -> [i, j, 1, t] }}
    read: [{params}] -> {{ S[i, j, t] -> s[] }}
    read: [{params}] -> {{ S[i, j, t] -> x[t, i] }}
    read: [{params}] -> {{ S[i, j, t] -> c[j, t] }}
    write: [{params}] -> {{ S[i, j, t] -> s[] }}
    operations: 2 load f64, 2 add f64, 1 multiply f64
    chain: access 0 -> access 3: 1 add f64
    chain: access 1 -> access 3: 2 add f64, 1 multiply f64
    chain: access 2 -> access 3: 2 add f64, 1 multiply f64
  statement T
    domain: [{params}] -> {{ T[i, j] : 0 <= i < {n} and 0 <= j < {k} }}
    schedule: {{ T[i, j] -> [i, j, 2, 0] }}
    read: [{params}] -> {{ T[i, j] -> s[] }}
    read: [{params}] -> {{ T[i, j] -> best[i] }}
    write: [{params}] -> {{ T[i, j] -> best[i] }}
    operations: 1 load f64, 1 store f64, 1 minimum f64
    chain: access 0 -> access 2: 1 minimum f64
    chain: access 1 -> access 2: 1 minimum f64
  kill: [{params}] -> {{ s.end[] -> s[] }}
    schedule: [{params}] -> {{ s.end[] -> [{n}, 0, 0, 0] }}
"
    )
}

/// Many points have few means, where coordinates are constants. With a size of their own, each mean is in a lane of a strip.
#[test]
fn one_large_size_has_a_corner() {
    let choices = Choices::default();
    check_program(
        &distances("n, k, d", ["n", "k", "d"]),
        &choices,
        expect!["k >= 24 and d >= 24, or n >= 2 and k >= 8 and d >= 64"],
    );
    check_program(
        &distances("n, k", ["n", "k", "3"]),
        &choices,
        expect!["n >= 12 and k >= 2, or n >= 24"],
    );
}

#[test]
fn constants_have_no_bounds() {
    check("n", ["n", "900", "1000"], &Choices::default(), expect!["all"]);
    check("", ["800", "900", "1000"], &Choices::default(), expect!["all"]);
}

#[test]
fn short_loops_of_constant_sizes_stay() {
    check(
        "",
        ["6", "6", "6"],
        &Choices::default(),
        expect!["no gain expected: dependences and accesses leave no order that is clearly better than the original"],
    );
}

#[test]
fn what_is_unprofitable_is_for_all_sizes() {
    let choices = Choices {
        unprofitable: true,
        ..Choices::default()
    };
    check("n", ["n", "n", "n"], &choices, expect!["all"]);
}

/// What is executed where there are no columns counts for nothing.
#[test]
fn a_statement_has_a_case_for_no_iterations() {
    check_program(
        "program
  context: [n, m] -> { : }
  assumptions: [n, m] -> { : }
  array A: memory, 8 bytes, [][m]
  array x: memory, 8 bytes, []
  array y: memory, 8 bytes, []
  array last: scalar slot, 8 bytes
  statement S
    domain: [n, m] -> { S[j, i] : 0 <= j < m and 0 <= i < n }
    schedule: { S[j, i] -> [0, j, i] }
    read: [n, m] -> { S[j, i] -> y[j] }
    read: [n, m] -> { S[j, i] -> A[i, j] }
    write: [n, m] -> { S[j, i] -> y[j] }
    operations: 2 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2: 1 add f64
  statement T
    domain: [n, m] -> { T[j = 0] : m <= 0; T[j = m] : m > 0 }
    schedule: { T[j] -> [1, j, 0] }
    write: [n, m] -> { T[j] -> last[] }
    operations: 1 add f64
",
        &Choices::default(),
        expect!["n >= 12 and m >= 12, or m >= 48, or n >= 96 and m >= 2"],
    );
}

/// Of several cases of the assumptions, that one counts in which most statements are executed.
#[test]
fn assumptions_hold_where_a_statement_is_not_executed() {
    check_program(
        "program
  context: [n, m] -> { : }
  assumptions: [n, m] -> { : 0 < n <= 450 and m <= 450; : -1000 <= n <= 0 and -1000 <= m <= 400 }
  array A: memory, 8 bytes, [][450]
  array y: memory, 8 bytes, []
  array z: memory, 8 bytes, []
  statement S
    domain: [n, m] -> { S[j, i] : 0 <= j < m and 0 <= i < n }
    schedule: { S[j, i] -> [0, j, i] }
    read: [n, m] -> { S[j, i] -> y[j] }
    read: [n, m] -> { S[j, i] -> A[i, j] }
    write: [n, m] -> { S[j, i] -> y[j] }
    operations: 2 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2: 1 add f64
  statement T
    domain: { T[i] : 0 <= i < 4 }
    schedule: { T[i] -> [1, i, 0] }
    write: { T[i] -> z[i] }
    operations: 1 store f64
",
        &Choices::default(),
        expect!["n >= 12 and m >= 12, or m >= 48, or n >= 450, or n >= 48 and m >= 3"],
    );
}
