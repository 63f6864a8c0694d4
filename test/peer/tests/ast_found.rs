//! Mistakes of the AST generator that a review or random inputs have found, each with the input that showed it.

use expect_test::{Expect, expect};
use farkas_peer::ast::oracle::checked_text;
use farkas_polyhedral::ast::Options;

fn check_with(options: &Options, input: &str, expected: Expect) {
    let text = checked_text(input, options).unwrap_or_else(|wrong| panic!("{wrong}"));
    expected.assert_eq(&text);
}

fn check(input: &str, expected: Expect) {
    check_with(&Options::default(), input, expected);
}

/// The equality of an option with a modulus was taken for a bound of the dimension.
#[test]
fn options_with_a_modulus() {
    check(
        "{ C[i] -> [i] : 4 <= i < 9 }
        { : }
        { [x] -> unroll[0] : x mod 2 = 0 }",
        expect![[r#"
            C(4);
            for (int c0 = 5; c0 <= 7; c0 += 1)
              if (c0 == 6 || c0 % 2 == 1)
                C(c0);
            C(8);
        "#]],
    );
}

/// Parts that are too long to be unrolled were not sorted.
#[test]
fn parts_beyond_the_unroll_limit() {
    check(
        "{ S[i] -> [-i] : 1000 <= i < 1200 or 0 <= i < 50 or 400 <= i < 500 }
        { : }
        { [x] -> unroll[0] }",
        expect![[r#"
            for (int c0 = -1199; c0 <= -1000; c0 += 1)
              S(-c0);
            for (int c0 = -499; c0 <= -400; c0 += 1)
              S(-c0);
            S(49);
            S(48);
            S(47);
            S(46);
            S(45);
            S(44);
            S(43);
            S(42);
            S(41);
            S(40);
            S(39);
            S(38);
            S(37);
            S(36);
            S(35);
            S(34);
            S(33);
            S(32);
            S(31);
            S(30);
            S(29);
            S(28);
            S(27);
            S(26);
            S(25);
            S(24);
            S(23);
            S(22);
            S(21);
            S(20);
            S(19);
            S(18);
            S(17);
            S(16);
            S(15);
            S(14);
            S(13);
            S(12);
            S(11);
            S(10);
            S(9);
            S(8);
            S(7);
            S(6);
            S(5);
            S(4);
            S(3);
            S(2);
            S(1);
            S(0);
        "#]],
    );
}

/// Strides were looked at only where one of the statements has values.
#[test]
fn strides_where_there_is_no_base() {
    check(
        "[n] -> { A[j] -> [2j, 0] : n > 0 and 0 <= j < 4; B[j] -> [2j + 1, 2] : n > 0 and 0 <= j < 4; B[j] -> [j, 2] : n <= 0 and 0 <= j < 7; C[j] -> [2j, 1] : n > 0 and 0 <= j < 4; C[j] -> [j, 1] : n <= 0 and 0 <= j < 7 }
        [n] -> { : }
        { }",
        expect![[r#"
            if (n >= 1) {
              for (int c0 = 0; c0 <= 7; c0 += 1) {
                if (c0 % 2 == 0) {
                  A(c0 / 2);
                  C(c0 / 2);
                } else {
                  B((c0 - 1) / 2);
                }
              }
            } else {
              for (int c0 = 0; c0 <= 6; c0 += 1) {
                C(c0);
                B(c0);
              }
            }
        "#]],
    );
}

/// Nested loops got the same name.
#[test]
fn names_that_are_taken() {
    let options = Options {
        iterators: vec!["c1".into()],
        ..Options::default()
    };
    check_with(
        &options,
        "{ A[i, j] -> [i, j] : 0 <= i < 3 and 0 <= j < 4 }
        { : }
        { }",
        expect![[r#"
            for (int c1 = 0; c1 <= 2; c1 += 1)
              for (int c1_ = 0; c1_ <= 3; c1_ += 1)
                A(c1, c1_);
        "#]],
    );
}

/// The children of a set node come in any order, what one child consists of does not.
#[test]
fn parts_of_a_child_of_a_set() {
    check(
        r#"
domain: "[n, m, b] -> { S1[i = 1]; S1[i = 3]; S1[i = n] : 0 < n <= 5 }"
child:
  context: "[n, m, b] -> { [] : 0 <= b <= 1 }"
  child:
    set:
    - filter: "[n, m, b] -> { S0[i, j] }"
    - filter: "[n, m, b] -> { S1[i] }"
      child:
        schedule: "[n, m, b] -> [{ S1[i] -> [(-1 + i)] }]"
    - filter: "[n, m, b] -> { S2[i, j] }"
"#,
        expect![[r#"
            S1(1);
            if (n == 2)
              S1(2);
            S1(3);
            if (n <= 5 && n >= 4)
              S1(n);
        "#]],
    );
}

/// A guard or a context on parameters only, below a band.
#[test]
fn conditions_on_parameters_below_a_band() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < 10 }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)] }]"
  child:
    guard: "[n] -> { [c] : n > 3 }"
"#,
        expect![[r#"
            if (n >= 4)
              for (int c0 = 0; c0 <= 9; c0 += 1)
                S(c0);
        "#]],
    );
}

/// A context of several conjunctions does not make several loops.
#[test]
fn contexts_of_several_conjunctions() {
    check(
        "[n] -> { S[i] -> [i] : 0 <= i < 5 }
        [n] -> { : n > 5 or n < 2 }
        { }",
        expect![[r#"
            for (int c0 = 0; c0 <= 4; c0 += 1)
              S(c0);
        "#]],
    );
}

/// Numbers of separation classes are not gone through.
#[test]
fn many_separation_classes() {
    check(
        "{ S[i] -> [i] : 0 <= i < 5 }
        { : }
        { [i] -> separation_class[[0] -> [k]] : 0 <= k <= 1000000000000 }",
        expect![[r#"
            for (int c0 = 0; c0 <= 4; c0 += 1)
              S(c0);
        "#]],
    );
}

/// What alternatives have in common was asked first, although what it promises of signs relies on the rest of each.
#[test]
fn promises_that_rely_on_alternatives() {
    check(
        r#"
domain: "[n, m, b] -> { S0[i, j] : ((i + j) mod 3) = 1 and -2 <= i <= 5 and i < n and 0 <= j <= 5 and 2j <= n + i; S1[i] : ((2 + i) mod 3) = 1 and 0 <= i <= 5 }"
child:
  context: "[n, m, b] -> { [] : 0 <= b <= 1 }"
  child:
    schedule: "[n, m, b] -> [{ S0[i, j] -> [(2i + j)]; S1[i] -> [(i)] : i < n; S1[i] -> [(-i)] : i >= n }]"
    child:
      extension: "[n, m, b] -> { [c0] -> C1[p = c0, q] : 0 <= q <= 1 }"
      child:
        schedule: "[n, m, b] -> [{ S0[i, j] -> [(-1 + i)]; S1[i] -> [(-2 + i)]; C1[p, q] -> [(p - 2q)] }, { S0[i, j] -> [(j + floor((i)/2))]; S1[i] -> [(-2 + i)]; C1[p, q] -> [(p)] }]"
        permutable: 1
        child:
          schedule: "[n, m, b] -> [{ S0[i, j] -> [(-1)]; S1[i] -> [(floor((1 + i)/2))]; C1[p, q] -> [(-n + p + q)] }, { S0[i, j] -> [(n + 2i)]; S1[i] -> [(2 + i)]; C1[p, q] -> [(n + 2p)] }]"
          options: "[n, m, b] -> { isolate[[c0, c1, c2] -> [x0, x1]] : ((x0) mod 2) = 0 and x1 >= 0; [isolate[] -> atomic[(1)]] }"
"#,
        expect![[r#"
            if (n <= 5 && n >= 0) {
              for (int c1 = -7; c1 <= -5; c1 += 2)
                C1(-5, (-c1 - 5) / 2);
              S1(5);
            }
            for (int c0 = max(-4, -2 * n); c0 <= min(15, 3 * n - 3); c0 += 1) {
              if (c0 == -2 && n <= 2) {
                for (int c1 = -4; c1 <= c0; c1 += 2)
                  C1(-2, (-c1 - 2) / 2);
                S1(2);
              } else {
                if (3 * ((c0 + 9) / 6) + 3 >= c0 && n + 3 * ((c0 + 9) / 6) >= c0 + 3 && n + 3 * c0 + 10 >= 15 * ((c0 + 9) / 6) && c0 >= 3)
                  S0(c0 - 3 * ((c0 + 3) / 6) - 1, (20 - c0) % 6);
                if (c0 + 4 >= 3 * ((c0 + 9) / 6) && 3 * ((c0 + 9) / 6) + 3 >= c0 && n + 3 * ((c0 + 9) / 6) >= c0 + 3 && n + 3 * c0 + 10 >= 15 * ((c0 + 9) / 6)) {
                  for (int c1 = c0 - 2; c1 <= c0; c1 += 2) {
                    if (c0 == 2 && c1 == 0) {
                      S0(1, 0);
                      if (n >= 3)
                        S1(2);
                    } else if (c1 == 3 && c0 == 5 && n >= 6)
                      S1(5);
                    if (c0 == 1 && n == 2 && c1 == -1)
                      S0(0, 1);
                    if (c0 == 1 && n == 3 && c1 == -1) {
                      S0(0, 1);
                    } else if (n + 2 * c0 >= 0 && 2 * ((2 * n + c0 + c1 + 3) / 4) + floord(-c0 - c1, 2) == n)
                      C1(c0, (c0 - c1) / 2);
                    if (2 * ((2 * n - c0 - c1 + 20) / 4) + (c0 + c1) / 2 == n + 9) {
                      C1(c0, (c0 - c1) / 2);
                    } else if (c0 == -4 && n <= 7)
                      C1(-4, (-c1 - 4) / 2);
                    if (c1 == -1 && 2 * n >= 3 * c0 + 4 && (c0 + 5) % 6 == 0)
                      S0(0, c0);
                    if (c1 + 2 == c0 && c0 >= -1 && c0 <= 0)
                      S0(c0 - 1, 2 - c0);
                  }
                  if (c0 == -4)
                    S0(-2, 0);
                }
              }
            }
            for (int c0 = max(-5, 3 * n - 2); c0 <= -2; c0 += 3) {
              for (int c1 = c0 - 2; c1 <= c0; c1 += 2)
                C1(c0, (c0 - c1) / 2);
              S1(-c0);
            }
        "#]],
    );
}

/// Of a part of a dimension in which nothing is executed, nothing is to be unrolled.
#[test]
fn unrolled_parts_without_instances() {
    check(
        r#"
domain: "[n, m, b] -> { S1[i, j, k] : ((3 + n - i) mod 4) = 3 and -2 <= i <= 3 and i < n and 0 < j <= 3 and j <= m + i and 0 < k <= 3 }"
child:
  schedule: "[n, m, b] -> [{ S0[i, j] -> [(-2)]; S1[i, j, k] -> [(i - 2k)] }]"
  child:
    extension: "[n, m, b] -> { [c0] -> C1[p, q = n] : 0 <= p <= 2 }"
    child:
      schedule: "[n, m, b] -> [{ S0[i, j] -> [(2i + j)]; S1[i, j, k] -> [(2i + k)]; C1[p, q] -> [(p + q)] }]"
      options: "{ unroll[(0)] }"
"#,
        expect![[r#"
            for (int c0 = max(n - 2 * floord(n, 2) - 8, n - 2 * floord(n + m + 1, 2) - 4); c0 <= min(1, n - 4); c0 += 2) {
              if (n + 2 >= c0 + 4 * ((5 * n - (c0 + 8) % 2 + 30) / 20) && c0 + 4 * ((5 * n - (c0 + 8) % 2 + 30) / 20) + 2 >= n && c0 + 20 * ((5 * n - (c0 + 8) % 2 + 30) / 20) >= 3 * n + 22)
                for (int c3 = 1; c3 <= min(3, n + m - 4 * ((5 * n - (-c0) % 2 + 10) / 20)); c3 += 1)
                  S1(n + 0 / 5 - 4 * ((5 * n - (-c0) % 2 + 10) / 20), c3, ((3 * n - 2 * c0 - (n + c0) / 2) / 5) - 2 * ((5 * n - (-c0) % 2 + 10) / 20));
              if (4 * ((5 * n - (c0 + 8) % 2 + 30) / 20) >= n + 5 && c0 + 4 * ((5 * n - (c0 + 8) % 2 + 30) / 20) >= n + 2 && c0 + 20 * ((5 * n - (c0 + 8) % 2 + 30) / 20) >= 3 * n + 42)
                for (int c3 = 1; c3 <= min(3, n + m - 4 * ((5 * n - (c0 + 4) % 2 - 10) / 20)); c3 += 1)
                  S1(n + 0 / 5 - 4 * ((5 * n - (c0 + 4) % 2 - 10) / 20), c3, (3 * n - 2 * c0 - (n + c0) / 2 - 10 * ((5 * n - (c0 + 4) % 2 - 10) / 20)) / 5);
              if (n + c0 + 9 >= 2 * ((n + 2 * c0 + 21) / 4) && ((n + 2 * c0 + 21) % 4) + c0 >= -5 && n + c0 >= 2 * floord(n + 2 * c0 - m, 4) + 3 && n + 3 * c0 + 2 >= 4 * floord(n + 2 * c0 - m, 4) && (n - c0 + 1) % 4 >= c0 + 2 && n >= c0 + 2 * ((n - c0 + 1) / 4) + 3 && n + 2 * c0 >= 4 * floord(n + 2 * c0 - m, 4) + 1) {
                C1(0, n);
                if (c0 + 20 == 3 * n && n >= 5)
                  for (int c3 = 1; c3 <= min(3, n + m - 4); c3 += 1)
                    S1(n - 4, c3, 8 - n);
                C1(1, n);
                if (c0 + 22 == 3 * n && n >= 6)
                  for (int c3 = 1; c3 <= min(3, n + m - 4); c3 += 1)
                    S1(n - 4, c3, 9 - n);
                C1(2, n);
                if (n == 7 && c0 == -3)
                  for (int c3 = 1; c3 <= min(3, m + 3); c3 += 1)
                    S1(3, c3, 3);
              }
            }
        "#]],
    );
}
