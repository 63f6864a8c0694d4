//! The examples and figures of "Polyhedral AST generation is more than scanning polyhedra" (P1): inputs as they are there, and
//! the code that Farkas makes of them. Where it is not the paper's, the test says why it is as good or better.
use expect_test::{Expect, expect};
use farkas_peer::ast::oracle::checked_text;
use farkas_polyhedral::ast::{self, Call, CallSite, Hooks, Options};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::PwMultiAff;
use farkas_polyhedral::tree::{AnySchedule, LoopKind};

/// Generates with options of the generator, executes the code for small parameters, and compares its text.
fn check_with(options: &Options, input: &str, expected: Expect) {
    let text = checked_text(input, options).unwrap_or_else(|wrong| panic!("{wrong}"));
    expected.assert_eq(&text);
}

fn check(input: &str, expected: Expect) {
    check_with(&Options::default(), input, expected);
}

fn atomic() -> Options {
    Options {
        kind: LoopKind::Atomic,
        ..Options::default()
    }
}

fn separate() -> Options {
    Options {
        kind: LoopKind::Separate,
        ..Options::default()
    }
}

/// Example 5.1: figure 3's program in its original order. Three components in the second dimension. The same loops as the
/// paper's program.
#[test]
fn example_5_1() {
    check(
        "[n] -> { S1[i] -> [i, 0, 0] : 0 <= i < n; S2[i, j] -> [i, 1, j] : 0 <= j < i < n; S3[i] -> [i, 2, 0] : 0 <= i < n }
        [n] -> { : }
        { }",
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1) {
              S1(c0);
              for (int c2 = 0; c2 < c0; c2 += 1)
                S2(c0, c2);
              S3(c0);
            }
        "#]],
    );
}

/// Schedule (3) of section 3: statements with loops of their own, and one that is shifted.
#[test]
fn schedule_3() {
    check(
        "[n] -> { S1[i] -> [0, i, 0, 0] : 0 <= i < n; S2[i, j] -> [1, i, 1, j] : 0 <= j < i < n; S3[i] -> [1, i + 1, 0, 0] : 0 <= i < n }
        [n] -> { : }
        { }",
        expect![[r#"
            for (int c1 = 0; c1 < n; c1 += 1)
              S1(c1);
            for (int c1 = 1; c1 <= n; c1 += 1) {
              S3(c1 - 1);
              if (n >= c1 + 1)
                for (int c3 = 0; c3 < c1; c3 += 1)
                  S2(c1, c3);
            }
        "#]],
    );
}

/// Example 5.2: Fourier-Motzkin elimination of an existentially quantified variable gives one loop, as the paper's second text;
/// what it adds is caught by the condition at the leaf.
#[test]
fn example_5_2() {
    check(
        "[N] -> { S[t] -> [t] : exists a : a >= -1 + t and 2a >= 1 + t and a <= t and 4a <= N + 2t }
        [N] -> { : }
        { }",
        expect![[r#"
            for (int c0 = 1; c0 <= floord(N, 2) + 2; c0 += 1)
              if (2 * (c0 % 2) + N >= 4)
                S(c0);
        "#]],
    );
}

/// Example 5.3: a division of the dimension itself is no bound.
#[test]
fn example_5_3() {
    check(
        "{ S[i] -> [i] : 3 * floor((i + 1) / 3) <= i and 0 <= i <= 3 }
        { : }
        { }",
        expect![[r#"
            for (int c0 = 0; c0 <= 3; c0 += 1)
              if ((c0 + 1) % 3 >= 1)
                S(c0);
        "#]],
    );
}

/// Examples 5.4 and 5.9: two strides in one; the offset -5n + 6m and the condition that n - m is even.
#[test]
fn examples_5_4_and_5_9() {
    check(
        "[n, m] -> { S[i] -> [i] : exists a, b : 0 <= i <= 100 and n - i + 6a = 0 and m - i + 10b = 0 }
        [n, m] -> { : }
        { }",
        expect![[r#"
            if ((n + m) % 2 == 0)
              for (int c0 = 6 * m - 5 * n - 30 * floord(6 * m - 5 * n, 30); c0 <= 100; c0 += 30)
                S(c0);
        "#]],
    );
}

/// Example 5.5: a strided dimension with a single value, which is put in its place.
#[test]
fn example_5_5() {
    check(
        "[n] -> { S[i] -> [i] : i >= 1 and n - 1 <= i <= n and 4 * floor((i - 2) / 4) = i - 2 }
        [n] -> { : }
        { }",
        expect![[r#"
            if (n >= 0 && n >= 4 * floord(n, 4) + 2)
              S(4 * (n / 4) + 2);
        "#]],
    );
}

const RECTANGLE: &str = "[n, m] -> { S[i, j] -> [i, j] : 0 <= i < m and 0 <= j < n }
    [n, m] -> { : }
    { }";

/// Example 5.6: the inner loop enforces n >= 1, so that it is not checked outside.
#[test]
fn example_5_6() {
    check(
        RECTANGLE,
        expect![[r#"
        for (int c0 = 0; c0 < m; c0 += 1)
          for (int c1 = 0; c1 < n; c1 += 1)
            S(c0, c1);
    "#]],
    );
}

/// Example 5.6 where conditions that inner loops enforce are checked all the same.
#[test]
fn example_5_6_without_nested_bounds() {
    let options = Options {
        nested_bounds: false,
        ..Options::default()
    };
    check_with(
        &options,
        RECTANGLE,
        expect![[r#"
        if (n >= 1)
          for (int c0 = 0; c0 < m; c0 += 1)
            for (int c1 = 0; c1 < n; c1 += 1)
              S(c0, c1);
    "#]],
    );
}

/// Example 5.7: that n is even follows from the stride, and is checked before the loop.
#[test]
fn example_5_7() {
    check(
        "[n] -> { S[t] -> [t] : exists a : 2t - n = 4a and 0 <= t <= 100 }
        [n] -> { : }
        { }",
        expect![[r#"
            if (n % 2 == 0)
              for (int c0 = 2 * floord(n + 3, 4) - n / 2; c0 <= 100; c0 += 2)
                S(c0);
        "#]],
    );
}

const SHARED_POINT: &str = "[M] -> { S1[i] -> [i, 0] : 0 <= i <= M; S2[] -> [0, 1] }
    [M] -> { : }
    { }";

/// Example 5.8: no constraint bounds the atomic loop from above, the last value does. The paper has `M <= 0 ? 0 : M`.
#[test]
fn example_5_8() {
    check_with(
        &atomic(),
        SHARED_POINT,
        expect![[r#"
        for (int c0 = 0; c0 <= max(M, 0); c0 += 1) {
          if (M >= c0)
            S1(c0);
          if (c0 == 0)
            S2();
        }
    "#]],
    );
}

/// Example 5.11: the same, separated.
#[test]
fn example_5_11() {
    check_with(
        &separate(),
        SHARED_POINT,
        expect![[r#"
        if (M >= 0) {
          S1(0);
          S2();
        }
        for (int c0 = 1; c0 <= M; c0 += 1)
          S1(c0);
        if (M <= -1)
          S2();
    "#]],
    );
}

const TWO_UPPER_BOUNDS: &str = "[M, N] -> { S[i] -> [i] : 0 <= i < M and N >= 3i + 8 }
    [M, N] -> { : }
    { }";

/// Example 5.10: a single upper bound, with the minimum of two.
#[test]
fn example_5_10() {
    check(
        TWO_UPPER_BOUNDS,
        expect![[r#"
        for (int c0 = 0; c0 < min(M, floord(N + 1, 3) - 2); c0 += 1)
          S(c0);
    "#]],
    );
}

/// Example 5.10: a conjunction of comparisons.
#[test]
fn example_5_10_as_conjunction() {
    let options = Options {
        single_upper: false,
        ..Options::default()
    };
    check_with(
        &options,
        TWO_UPPER_BOUNDS,
        expect![[r#"
        for (int c0 = 0; M >= c0 + 1 && N >= 3 * c0 + 8; c0 += 1)
          S(c0);
    "#]],
    );
}

/// Example 5.12: a dimension with stride 256 has four values to unroll.
#[test]
fn example_5_12() {
    check(
        "{ S[i] -> [i] : 0 <= i < 1024 and i mod 256 = 0 }
        { : }
        { [i] -> unroll[0] }",
        expect![[r#"
            S(0);
            S(256);
            S(512);
            S(768);
        "#]],
    );
}

/// Example 5.13: counted from N there are four values, from 0 a thousand.
#[test]
fn example_5_13() {
    check(
        "[N] -> { S[i] -> [i] : 0 <= i < 1000 and N <= i < N + 4 }
        [N] -> { : }
        { [i] -> unroll[0] }",
        expect![[r#"
            if (N <= 999 && N >= -3) {
              if (N >= 0)
                S(N);
              if (N >= -1 && N <= 998)
                S(N + 1);
              if (N >= -2 && N <= 997)
                S(N + 2);
              if (N <= 996)
                S(N + 3);
            }
        "#]],
    );
}

/// Example 5.14: full tiles isolated. The paper has a fourth nest, for values of the parameters for which there are no full tiles;
/// it says that these iterations could be made part of the others, which is what is done here.
#[test]
fn example_5_14() {
    check(
        r#"
domain: "[m, n] -> { S[i] : m <= i < n }"
child:
  schedule: "[m, n] -> [{ S[i] -> [(4 * floor(i / 4))] }]"
  options: "[m, n] -> { isolate[[] -> [t]] : m <= t and t + 3 < n }"
  child:
    schedule: "[m, n] -> [{ S[i] -> [(i)] }]"
"#,
        expect![[r#"
            if (n >= m + 4)
              for (int c1 = m; c1 <= 4 * floord(m, 4) + 3; c1 += 1)
                if (m >= 4 * floord(c1, 4) + 1)
                  S(c1);
            for (int c0 = 4 * floord(m + 3, 4); c0 < n - 3; c0 += 4)
              for (int c1 = c0; c1 <= c0 + 3; c1 += 1)
                S(c1);
            if (n >= m + 4) {
              for (int c1 = 4 * floord(n, 4); c1 < n; c1 += 1)
                S(c1);
            } else {
              for (int c0 = 4 * floord(m, 4); c0 < n; c0 += 4)
                for (int c1 = max(c0, m); c1 <= min(c0 + 3, n - 1); c1 += 1)
                  S(c1);
            }
        "#]],
    );
}

/// Example 5.15: tiles in two dimensions.
#[test]
fn example_5_15() {
    check(
        r#"
domain: "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  context: "[n, m] -> { : n > 2 and m > 3 }"
  child:
    schedule: "[n, m] -> [{ S[i, j] -> [(3 * floor(i / 3))] }, { S[i, j] -> [(4 * floor(j / 4))] }]"
    options: "[n, m] -> { isolate[[] -> [t1, t2]] : 0 <= t1 and t1 + 2 < n and 0 <= t2 and t2 + 3 < m }"
    child:
      schedule: "[n, m] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#,
        expect![[r#"
            for (int c0 = 0; c0 < n - 2; c0 += 3) {
              for (int c1 = 0; c1 < m - 3; c1 += 4)
                for (int c2 = c0; c2 <= c0 + 2; c2 += 1)
                  for (int c3 = c1; c3 <= c1 + 3; c3 += 1)
                    S(c2, c3);
              for (int c2 = c0; c2 <= c0 + 2; c2 += 1)
                for (int c3 = 4 * (m / 4); c3 < m; c3 += 1)
                  S(c2, c3);
            }
            for (int c1 = 0; c1 < m; c1 += 4)
              for (int c2 = 3 * (n / 3); c2 < n; c2 += 1)
                for (int c3 = c1; c3 <= min(c1 + 3, m - 1); c3 += 1)
                  S(c2, c3);
        "#]],
    );
}

/// Example 5.16: components.
#[test]
fn example_5_16() {
    check(
        "{ S0[] -> [0]; S1[i] -> [i] : 0 <= i < 10 }
        { : }
        { }",
        expect![[r#"
            S0();
            for (int c0 = 0; c0 <= 9; c0 += 1)
              S1(c0);
        "#]],
    );
}

/// Examples 5.17 and 5.18: shifted strides. The common stride of 2 is also counted in steps of one.
#[test]
fn examples_5_17_and_5_18() {
    check(
        "{ A[i] -> [2i] : 0 <= i < 10; B[i] -> [2i + 1] : 0 <= i < 10 }
        { : }
        { }",
        expect![[r#"
            for (int c0 = 0; c0 <= 9; c0 += 1) {
              A(c0);
              B(c0);
            }
        "#]],
    );
}

/// Examples 5.19 and 5.20: conditions that nodes have in common are hoisted, and `if`s are shared where one condition implies
/// another or its complement. The order of the statements is that of the paper, s0, s3, s2, s1, as are the branches.
#[test]
fn examples_5_19_and_5_20() {
    check(
        "[l, u, n] -> { s0[i, j] -> [i, j, 0, 0] : 1 <= i <= u and i <= j <= n and l <= i and i + 1 <= j; s3[i, j] -> [i, j, 1, 0] : 1 <= i <= u and i <= j <= n and i < l; s2[i, j] -> [i, j, 2, 0] : 1 <= i <= u and i <= j <= n and l <= i and i + 1 <= j and u < n; s1[i, j, k] -> [i, j, 3, k] : 1 <= i <= u and i <= j <= n and l <= k <= u and k >= i }
        [l, u, n] -> { : 1 <= l <= u <= n }
        { }",
        expect![[r#"
            for (int c0 = 1; c0 <= u; c0 += 1)
              for (int c1 = c0; c1 <= n; c1 += 1) {
                if (c0 >= l && c1 >= c0 + 1) {
                  s0(c0, c1);
                  if (n >= u + 1)
                    s2(c0, c1);
                } else if (l >= c0 + 1)
                  s3(c0, c1);
                for (int c3 = max(l, c0); c3 <= u; c3 += 1)
                  s1(c0, c1, c3);
              }
        "#]],
    );
}

/// Figure 7, with examples 5.21 and 5.22: CodeGen+'s figure 8(b), for which the paper's text is that of figure 7(b), separated. The remainder
/// is found with n >= 2 known.
#[test]
fn figure_7() {
    check_with(
        &separate(),
        "[n] -> { S0[i] -> [i] : exists a : 1 <= i <= n and i = 4a; S1[i] -> [i] : exists a : 1 <= i <= n and i = 4a + 2 }
        [n] -> { : }
        { }",
        expect![[r#"
            if (n >= 0) {
              for (int c0 = 2; c0 < n - 1; c0 += 4) {
                S1(c0);
                S0(c0 + 2);
              }
              if (n % 4 >= 2)
                S1(4 * (n / 4) + 2);
            }
        "#]],
    );
}

/// Figure 8: youcefn, in which components do what separation would do at the cost of copies.
#[test]
fn figure_8() {
    check(
        "[n, m] -> { S0[i] -> [i, i, 0] : 1 <= i <= n; S1[i, j] -> [i, j, 1] : 1 <= i <= n and i <= j <= n; S2[i] -> [i, n, 2] : 1 <= i <= m }
        [n, m] -> { : n >= 2 and m >= n }
        { [i, j, k] -> separate[x] }",
        expect![[r#"
            for (int c0 = 1; c0 <= n; c0 += 1) {
              S0(c0);
              for (int c1 = c0; c1 <= n; c1 += 1)
                S1(c0, c1);
              S2(c0);
            }
            for (int c0 = n + 1; c0 <= m; c0 += 1)
              S2(c0);
        "#]],
    );
}

/// Figure 9: modulo conditions become single statements.
#[test]
fn figure_9_simple() {
    check(
        "[n] -> { S[i] -> [i] : i = n mod 128 }
        [n] -> { : n >= 0 }
        { }",
        expect![[r#"
            S(n % 128);
        "#]],
    );
}

/// Figure 9, shifted.
#[test]
fn figure_9_shifted() {
    check(
        "[t1] -> { S[i] -> [i] : 7 <= i <= 134 and i mod 128 = t1 }
        [t1] -> { : 0 <= t1 < 128 }
        { }",
        expect![[r#"
            S(((t1 + 121) % 128) + 7);
        "#]],
    );
}

/// Figure 9, conditional.
#[test]
fn figure_9_conditional() {
    check(
        "[t1] -> { S[i] -> [i] : 7 <= i <= 130 and i mod 128 = t1 }
        [t1] -> { : 0 <= t1 < 128 }
        { }",
        expect![[r#"
            if ((t1 + 121) % 128 <= 123)
              S(((t1 + 121) % 128) + 7);
        "#]],
    );
}

const TWO_VARIABLES: &str = "{ S[i] -> [i] : exists a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8 }
    { : }";

/// Figure 10: two existentially quantified variables.
#[test]
fn figure_10_two_variables() {
    check(
        &format!("{TWO_VARIABLES} {{ }}"),
        expect![[r#"
        for (int c0 = 0; c0 <= 7; c0 += 1)
          if (c0 >= 2 * ((c0 + 2) / 3))
            S(c0);
    "#]],
    );
}

/// Figure 10: the same, unrolled.
#[test]
fn figure_10_two_variables_unrolled() {
    check(
        &format!("{TWO_VARIABLES} {{ [i] -> unroll[0] }}"),
        expect![[r#"
        S(0);
        S(2);
        S(3);
        S(4);
        S(5);
        S(6);
        S(7);
    "#]],
    );
}

const MULTIPLE_BOUNDS: &str = "[t1, t2] -> { S[i, j] -> [i, j] : exists a, b : 0 <= i <= 1 and t1 = j + 128a and 0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5 }
    [t1, t2] -> { : 125 <= t1 <= 127 and 254 <= t2 < 257 }";

/// Figure 10: several bounds.
#[test]
fn figure_10_multiple_bounds() {
    check(
        &format!("{MULTIPLE_BOUNDS} {{ }}"),
        expect![[r#"
        for (int c0 = 0; c0 <= 1; c0 += 1)
          for (int c1 = ((t1 - t2 + 258) % 128) + t2 - 514; c1 <= min(t2 - 383, 127 - t2); c1 += 128)
            if (c1 + 514 >= ((-c1) % 2) + t2 && t2 + c1 + 5 >= (-c1) % 2)
              S(c0, c1);
    "#]],
    );
}

/// Figure 10: the same, unrolled.
#[test]
fn figure_10_multiple_bounds_unrolled() {
    check(
        &format!("{MULTIPLE_BOUNDS} {{ [i, j] -> unroll[x] }}"),
        expect![[r#"
        if ((t1 - t2 + 258) % 128 >= t1 % 2 && t2 + 2 * (t1 / 2) >= 128 * ((t1 - t2 + 258) / 128) + 251)
          S(0, ((t1 - t2 + 258) % 128) + t2 - 514);
        if (t1 + 130 >= t2)
          S(0, t1 - 256);
        if ((t1 - t2 + 258) % 128 >= t1 % 2 && t2 + 2 * (t1 / 2) >= 128 * ((t1 - t2 + 258) / 128) + 251)
          S(1, ((t1 - t2 + 258) % 128) + t2 - 514);
        if (t1 + 130 >= t2)
          S(1, t1 - 256);
    "#]],
    );
}

/// Figure 12: index set splitting, a piecewise schedule.
#[test]
fn figure_12() {
    check(
        "[T, N] -> { S[t, i] -> [t, i, 0] : 0 <= t < T and 0 <= i < N; S[t, i] -> [t, 2N - i - 1, 1] : 0 <= t < T and N <= i < 2N }
        [T, N] -> { : }
        { }",
        expect![[r#"
            for (int c0 = 0; c0 < T; c0 += 1)
              for (int c1 = 0; c1 < N; c1 += 1) {
                S(c0, c1);
                S(c0, 2 * N - c1 - 1);
              }
        "#]],
    );
}

/// Section 2's specialization of accesses: `i == 0 ? n - 1 : i - 1` where `i` is known to be positive.
#[test]
fn accesses_specialise() {
    struct Access {
        function: PwMultiAff,
        seen: Vec<(Call, String)>,
    }
    impl Hooks for Access {
        fn call(&mut self, call: &mut Call, site: &CallSite<'_>) -> Outcome<()> {
            call.expressions = site.expressions(&self.function)?;
            self.seen.push((call.clone(), site.place.known().to_string()));
            Ok(())
        }
    }
    let tree = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)] }]"
  options: "[n] -> { isolate[[] -> [t]] : t >= 1; atomic[0] }"
"#;
    let AnySchedule::Tree(tree) = tree.parse().expect("a schedule") else {
        panic!("a tree")
    };
    let mut hooks = Access {
        function: "[n] -> { S[i] -> [(n - 1)] : i = 0; S[i] -> [(i - 1)] : i > 0 }"
            .parse()
            .expect("a function"),
        seen: Vec::new(),
    };
    let ast = ast::generate_with(&tree, &Options::default(), &mut hooks, &Budget::new(1_000_000)).expect("an AST");
    let names = ast.names();
    let subscripts = hooks
        .seen
        .iter()
        .map(|(call, _)| call.expressions[0].display(names).to_string());
    let text = subscripts.collect::<Vec<_>>().join("\n");
    expect![[r#"
        n - 1
        c0 - 1"#]]
    .assert_eq(&text);
}
