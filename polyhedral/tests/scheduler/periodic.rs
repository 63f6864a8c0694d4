//! Index-set splitting: stencils around periodic domains. Every schedule is checked by the legality checker.

use crate::random::options;
use crate::verify::verify;
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::check_tree;
use farkas_polyhedral::schedule::{Options, ScheduleConstraints, schedule};
use farkas_polyhedral::tree;
use proptest::prelude::*;

fn constraints(domain: &str, dependences: &str) -> ScheduleConstraints {
    let kinds = ["validity", "proximity", "coincidence"].map(|kind| format!("{kind}: \"{dependences}\"\n"));
    format!("domain: \"{domain}\"\n{}", kinds.concat()).parse().unwrap()
}

/// The tree below the domain, with splitting or without.
fn root(constraints: &ScheduleConstraints, index_set_splitting: bool) -> String {
    let b = Budget::new(10_000_000);
    let options = Options {
        index_set_splitting,
        ..Options::default()
    };
    let tree = schedule(constraints, &options, &b).unwrap();
    let verdict = check_tree(&constraints.validity, &constraints.coincidence, &tree, &b).unwrap();
    assert!(verdict.is_legal(), "{verdict:?} of\n{tree}");
    tree.to_string()
        .lines()
        .skip(2)
        .map(|line| format!("{}\n", &line[2..]))
        .collect()
}

fn check(domain: &str, dependences: &str, without: Expect, split: Expect) {
    let constraints = constraints(domain, dependences);
    without.assert_eq(&root(&constraints, false));
    split.assert_eq(&root(&constraints, true));
}

/// P1, section 7.4, equations 61 to 63. The paper's schedule, equation 64, is `(t, i, 0)` and `(t, 2N - i - 1, 1)`, with the
/// distances `(1, 0, 1)`, `(1, 0, -1)`, `(1, -1, 0)` and `(1, 1, 0)`: as a base for tiling it has to be skewed, which ours
/// is already.
#[test]
fn p1_section_7_4() {
    check(
        "[T, N] -> { S[t, i] : 0 <= t < T and 0 <= i < 2N }",
        "[T, N] -> { S[t, i] -> S[t + 1, i + 1] : i < 2N - 1; S[t, i] -> S[t + 1, i + 1 - 2N] : i = 2N - 1;
                     S[t, i] -> S[t + 1, i - 1] : i > 0; S[t, i] -> S[t + 1, i - 1 + 2N] : i = 0 }",
        expect![[r#"
            schedule: "[T, N] -> [{ S[t, i] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[T, N] -> [{ S[t, i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, N] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] : i < N; S[t, i] -> [(2N + t - i)] : i >= N }]"
            permutable: 1
        "#]],
    );
}

/// The heat equation on a ring of any number of elements, even or odd.
#[test]
fn ring() {
    check(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> S[t + 1, i]; S[t, i] -> S[t + 1, i + 1]; S[t, n - 1] -> S[t + 1, 0];
                     S[t, i] -> S[t + 1, i - 1]; S[t, 0] -> S[t + 1, n - 1] }",
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[T, n] -> [{ S[t, i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] : 2i < n; S[t, i] -> [(n + t - i)] : 2i >= n }]"
            permutable: 1
        "#]],
    );
}

/// The same with the dependences of a remainder, and two elements on each side: long pairs do not all have the same
/// middle.
#[test]
fn ring_of_five_points() {
    check(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> S[t + 1, j] : i - 2 <= j <= i + 2; S[t, i] -> S[t + 1, j] : j <= i + 2 - n;
                     S[t, i] -> S[t + 1, j] : j >= i - 2 + n }",
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[T, n] -> [{ S[t, i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(2t + i)] : 2i < n; S[t, i] -> [(n + 2t - i)] : 2i >= n }]"
            permutable: 1
        "#]],
    );
}

/// A ring of fixed size.
#[test]
fn ring_of_fixed_size() {
    check(
        "{ S[t, i] : 0 <= t < 1000 and 0 <= i < 100 }",
        "{ S[t, i] -> S[t + 1, i]; S[t, i] -> S[t + 1, i + 1]; S[t, 99] -> S[t + 1, 0];
           S[t, i] -> S[t + 1, i - 1]; S[t, 0] -> S[t + 1, 99] }",
        expect![[r#"
            schedule: "[{ S[t, i] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[{ S[t, i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] : i <= 49; S[t, i] -> [(98 + t - i)] : i >= 50 }]"
            permutable: 1
        "#]],
    );
}

/// A torus: four pieces.
#[test]
fn torus() {
    check(
        "[T, n] -> { S[t, i, j] : 0 <= t < T and 0 <= i, j < n }",
        "[T, n] -> { S[t, i, j] -> S[t + 1, i + 1, j]; S[t, n - 1, j] -> S[t + 1, 0, j];
                     S[t, i, j] -> S[t + 1, i - 1, j]; S[t, 0, j] -> S[t + 1, n - 1, j];
                     S[t, i, j] -> S[t + 1, i, j + 1]; S[t, i, n - 1] -> S[t + 1, i, 0];
                     S[t, i, j] -> S[t + 1, i, j - 1]; S[t, i, 0] -> S[t + 1, i, n - 1] }",
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i, j] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[T, n] -> [{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] : 2i < n; S[t, i, j] -> [(n + t - i)] : 2i >= n }, { S[t, i, j] -> [(t + j)] : 2j < n; S[t, i, j] -> [(n + t - j)] : 2j >= n }]"
            permutable: 1
        "#]],
    );
}

/// A cylinder: periodic in `j` only.
#[test]
fn cylinder() {
    check(
        "[T, n, m] -> { S[t, i, j] : 0 <= t < T and 0 <= i < n and 0 <= j < m }",
        "[T, n, m] -> { S[t, i, j] -> S[t + 1, i + 1, j]; S[t, i, j] -> S[t + 1, i - 1, j];
                        S[t, i, j] -> S[t + 1, i, j + 1]; S[t, i, m - 1] -> S[t + 1, i, 0];
                        S[t, i, j] -> S[t + 1, i, j - 1]; S[t, i, 0] -> S[t + 1, i, m - 1] }",
        expect![[r#"
            schedule: "[T, n, m] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }]"
            permutable: 1
            child:
              schedule: "[T, n, m] -> [{ S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n, m] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(t + j)] : 2j < m; S[t, i, j] -> [(m + t - j)] : 2j >= m }]"
            permutable: 1
        "#]],
    );
}

/// Two statements in a step of time, as in swim: both are cut.
#[test]
fn ring_in_two_statements() {
    check(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n; U[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> U[t, i]; S[t, i] -> U[t, i + 1]; S[t, n - 1] -> U[t, 0];
                     U[t, i] -> S[t + 1, i]; U[t, i] -> S[t + 1, i - 1]; U[t, 0] -> S[t + 1, n - 1] }",
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)]; U[t, i] -> [(t)] }]"
            permutable: 1
            child:
              sequence:
              - filter: "{ S[t, i] }"
                child:
                  schedule: "[T, n] -> [{ S[t, i] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 1 ]
              - filter: "{ U[t, i] }"
                child:
                  schedule: "[T, n] -> [{ U[t, i] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)]; U[t, i] -> [(t)] }, { S[t, i] -> [(1 + t + i)] : 2i < n; S[t, i] -> [(n + t - i)] : 2i >= n; U[t, i] -> [(1 + t + i)] : 2i < n; U[t, i] -> [(1 + n + t - i)] : 2i >= n }]"
            permutable: 1
            child:
              sequence:
              - filter: "[T, n] -> { S[t, i] }"
              - filter: "[T, n] -> { U[t, i] }"
        "#]],
    );
}

/// Each element from its mirror image: one function for all only if that is constant along `i`.
#[test]
fn mirror() {
    check(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> S[t + 1, n - 1 - i]; S[t, i] -> S[t + 1, i - 1] }",
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }]"
            permutable: 1
            child:
              schedule: "[T, n] -> [{ S[t, i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
        "#]],
        expect![[r#"
            schedule: "[T, n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] : 2i < n; S[t, i] -> [(n + t - i)] : 2i >= n }]"
            permutable: 1
        "#]],
    );
}

/// A stencil between borders: nothing is long, and nothing is split.
#[test]
fn no_ring() {
    let constraints = constraints(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> S[t + 1, i]; S[t, i] -> S[t + 1, i + 1]; S[t, i] -> S[t + 1, i - 1] }",
    );
    assert_eq!(root(&constraints, true), root(&constraints, false));
}

/// Each element from all of the step before: there are long pairs, but in no strip.
#[test]
fn all_to_all() {
    for n in ["n", "100"] {
        let constraints = constraints(
            &format!("[T, n] -> {{ S[t, i] : 0 <= t < T and 0 <= i < {n} }}"),
            "[T, n] -> { S[t, i] -> S[t + 1, j] }",
        );
        assert_eq!(root(&constraints, true), root(&constraints, false));
    }
}

/// Long pairs in a strip where one function serves as well: the split schedule is no better, and not taken.
#[test]
fn one_way() {
    let constraints = constraints(
        "[T, n] -> { S[t, i] : 0 <= t < T and 0 <= i < n }",
        "[T, n] -> { S[t, i] -> S[t + 1, i]; S[t, 0] -> S[t + 1, n - 1] }",
    );
    assert_eq!(root(&constraints, true), root(&constraints, false));
}

/// The pairs of a dimension of `size` elements on a ring, or not, with the coordinates `{x}` and `{x} + offset` modulo the
/// size.
fn around(x: &str, offset: i64, size: &str, ring: bool) -> Vec<String> {
    let mut cases = vec![format!("{x}' = {x} + {offset}")];
    if ring && offset != 0 {
        let back = if offset > 0 { "-" } else { "+" };
        cases.push(format!("{x}' = {x} + {offset} {back} {size}"));
    }
    cases
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Random symmetric stencils of up to two statements on rings, cylinders and tori.
    #[test]
    fn random_stencils(
        offsets in proptest::collection::vec((0usize..2, 0usize..2, -2i64..3, -1i64..2), 1..4),
        two_statements in any::<bool>(),
        rings in (any::<bool>(), any::<bool>()),
        fixed in any::<bool>(),
        fusion in 0usize..4,
        fallback in 0usize..3,
        bits in 0u32..1024,
    ) {
        let size = if fixed { "5" } else { "n" };
        let statement = |k: usize| format!("S{}[t, i, j]", if two_statements { k } else { 0 });
        let bounds = format!("0 <= t < n and 0 <= i, j < {size}");
        let mut pairs = Vec::new();
        let symmetric = |&(source, target, i, j): &(usize, usize, i64, i64)| [(source, target, i, j), (source, target, -i, -j)];
        for (source, target, i, j) in offsets.iter().flat_map(symmetric) {
            // Within a step of time, the second statement comes after the first.
            let step = i64::from(source >= target || !two_statements);
            for i in around("i", i, size, rings.0) {
                for j in around("j", j, size, rings.1) {
                    pairs.push(format!(
                        "{} -> {}[t + {step}, i', j'] : {i} and {j}",
                        statement(source),
                        &statement(target)[..2],
                    ));
                }
            }
        }
        let domain: Vec<String> = (0..2).map(|k| format!("{} : {bounds}", statement(k))).collect();
        let constraints = constraints(
            &format!("[n] -> {{ {} }}", domain.join("; ")),
            &format!("[n] -> {{ {} }}", pairs.join("; ")),
        );
        let options = Options { index_set_splitting: true, ..options(fusion, fallback, bits) };
        let b = Budget::new(100_000_000);
        let scheduled = schedule(&constraints, &options, &b).unwrap();
        let verdict = check_tree(&constraints.validity, &constraints.coincidence, &scheduled, &b).unwrap();
        prop_assert!(verdict.is_legal(), "{verdict:?} of\n{scheduled}");
        tree::verify(&scheduled, &b).unwrap();
        verify(&constraints, &scheduled, 3, 4);
    }
}
