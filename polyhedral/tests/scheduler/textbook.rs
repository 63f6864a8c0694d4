//! Golden schedules.

use crate::verify::verify;
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{Fusion, Options, ScheduleConstraints, ScheduleError, schedule};

/// Constraints whose dependences are of all three kinds.
fn constraints(domain: &str, dependences: &str) -> ScheduleConstraints {
    let kinds = ["validity", "proximity", "coincidence"].map(|kind| format!("{kind}: \"{dependences}\"\n"));
    format!("domain: \"{domain}\"\n{}", kinds.concat()).parse().unwrap()
}

/// Schedules with a budget that bounds the time to some milliseconds, and checks by enumeration.
fn check_with(options: &Options, constraints: &ScheduleConstraints, range: i64, expected: Expect) {
    let tree = schedule(constraints, options, &Budget::new(50_000)).unwrap();
    for param in [1, 2, 4] {
        verify(constraints, &tree, param, range);
    }
    let text = tree.to_string();
    let root: String = text.lines().skip(2).map(|line| format!("{}\n", &line[2..])).collect();
    expected.assert_eq(&root);
}

fn check(domain: &str, dependences: &str, range: i64, expected: Expect) {
    check_with(&Options::default(), &constraints(domain, dependences), range, expected);
}

const MATMUL: [&str; 2] = [
    "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j, k] : 0 <= i, j, k < n }",
    "[n] -> { S[i, j] -> T[i, j, 0]; T[i, j, k] -> T[i, j, k + 1] }",
];

#[test]
fn matrix_multiplication() {
    check(
        MATMUL[0],
        MATMUL[1],
        4,
        expect![[r#"
          sequence:
          - filter: "{ S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[i, j, k] }"
            child:
              schedule: "[n] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }, { T[i, j, k] -> [(k)] }]"
              permutable: 1
              coincident: [ 1, 1, 0 ]
    "#]],
    );
}

#[test]
fn matrix_multiplication_fused() {
    let options = Options {
        fusion: Fusion::Max,
        ..Options::default()
    };
    check_with(
        &options,
        &constraints(MATMUL[0], MATMUL[1]),
        4,
        expect![[r#"
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
          permutable: 1
          coincident: [ 1, 1, 0 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
    "#]],
    );
}

#[test]
fn jacobi_1d() {
    // for t { for i S: b[i] = f(a[i-1], a[i], a[i+1]); for i T: a[i] = b[i]; }
    check(
        "[n] -> { S[t, i] : 0 <= t < n and 0 <= i <= n; T[t, i] : 0 <= t < n and 0 <= i <= n }",
        "[n] -> { S[t, i] -> T[t, i']: i - 1 <= i' <= i + 1; T[t, i] -> S[t + 1, i'] : i - 1 <= i' <= i + 1;
                  S[t, i] -> S[t + 1, i]; T[t, i] -> T[t + 1, i] }",
        4,
        expect![[r#"
              schedule: "[n] -> [{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }, { S[t, i] -> [(2t + i)]; T[t, i] -> [(1 + 2t + i)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "{ S[t, i] }"
                - filter: "{ T[t, i] }"
        "#]],
    );
}

#[test]
fn jacobi_2d_in_two_arrays() {
    check(
        "[n] -> { S[t, i, j] : 0 <= t < n and 0 <= i, j <= n }",
        "[n] -> { S[t, i, j] -> S[t + 1, i', j'] : i - 1 <= i' <= i + 1 and j - 1 <= j' <= j + 1 }",
        2,
        expect![[r#"
              schedule: "[n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(t + j)] }]"
              permutable: 1
        "#]],
    );
}

#[test]
fn seidel_2d() {
    // P0, listing 17.
    check(
        "[n] -> { S[t, i, j] : 0 <= t < n and 0 <= i, j <= n }",
        "[n] -> { S[t, i, j] -> S[t, i, j + 1]; S[t, i, j] -> S[t, i + 1, j'] : j - 1 <= j' <= j + 1;
                  S[t, i, j] -> S[t + 1, i, j'] : j - 1 <= j' <= j + 1;
                  S[t, i, j] -> S[t + 1, i - 1, j'] : j - 1 <= j' <= j + 1 }",
        2,
        expect![[r#"
              schedule: "[n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(2t + i + j)] }]"
              permutable: 1
        "#]],
    );
}

#[test]
fn seidel_2d_with_outer_coincidence() {
    // P0, example 11: the wavefront comes first, and what is left is parallel.
    let constraints = constraints(
        "[n] -> { S[t, i, j] : 0 <= t < n and 0 <= i, j <= n }",
        "[n] -> { S[t, i, j] -> S[t, i, j + 1]; S[t, i, j] -> S[t, i + 1, j'] : j - 1 <= j' <= j + 1;
                  S[t, i, j] -> S[t + 1, i, j'] : j - 1 <= j' <= j + 1;
                  S[t, i, j] -> S[t + 1, i - 1, j'] : j - 1 <= j' <= j + 1 }",
    );
    let options = Options {
        outer_coincidence: true,
        ..Options::default()
    };
    check_with(
        &options,
        &constraints,
        2,
        expect![[r#"
          schedule: "[n] -> [{ S[t, i, j] -> [(4t + 2i + j)] }]"
          permutable: 1
          child:
            schedule: "[n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(i)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn producer_and_consumer() {
    check(
        "[n] -> { P[i, j] : 0 <= i, j < n; C[i, j] : 0 <= i, j < n }",
        "[n] -> { P[i, j] -> C[j, i] }",
        4,
        expect![[r#"
              schedule: "[n] -> [{ P[i, j] -> [(i)]; C[i, j] -> [(j)] }, { P[i, j] -> [(j)]; C[i, j] -> [(i)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ P[i, j] }"
                - filter: "{ C[i, j] }"
        "#]],
    );
}

#[test]
fn a_consumer_that_would_lose_its_parallelism_is_not_fused() {
    let dependences = "[n] -> { P[i] -> C[i']: i - 1 <= i' <= i + 1 }";
    check(
        "[n] -> { P[i] : 0 <= i < n; C[i] : 0 <= i < n }",
        dependences,
        4,
        expect![[r#"
          sequence:
          - filter: "{ P[i] }"
            child:
              schedule: "[n] -> [{ P[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ C[i] }"
            child:
              schedule: "[n] -> [{ C[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]],
    );
    let options = Options {
        maximize_coincidence: false,
        ..Options::default()
    };
    let constraints = constraints("[n] -> { P[i] : 0 <= i < n; C[i] : 0 <= i < n }", dependences);
    check_with(
        &options,
        &constraints,
        4,
        expect![[r#"
          schedule: "[n] -> [{ P[i] -> [(i)]; C[i] -> [(1 + i)] }]"
          permutable: 1
          child:
            sequence:
            - filter: "{ P[i] }"
            - filter: "{ C[i] }"
    "#]],
    );
}

#[test]
fn lu() {
    // for k { for i > k: S: a[i][k] /= a[k][k]; for i, j > k: T: a[i][j] -= a[i][k] * a[k][j]; }
    check(
        "[n] -> { S[k, i] : 0 <= k < i < n; T[k, i, j] : 0 <= k < i < n and k < j < n }",
        "[n] -> { S[k, i] -> T[k, i, j]; T[k, i, j] -> T[k + 1, i, j]; T[k, i, j] -> S[k + 1, i] : j = k + 1;
                  T[k, i, j] -> S[k', i'] : k' = k + 1 and i = k' and j = k' and i' > k';
                  T[k, i, j] -> T[k', i', j] : k' = k + 1 and i = k' and i' > k' }",
        4,
        expect![[r#"
              schedule: "[n] -> [{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i] -> [(i)]; T[k, i, j] -> [(i)] }, { S[k, i] -> [(k)]; T[k, i, j] -> [(j)] }]"
              permutable: 1
              child:
                set:
                - filter: "{ S[k, i] }"
                - filter: "{ T[k, i, j] }"
        "#]],
    );
}

#[test]
fn trmm_is_not_fused() {
    // P0, example 21.
    check(
        "[n] -> { A[i, j, k] : 0 <= i and 0 <= j < n and i < k < n; B[i, j] : 0 <= i, j < n }",
        "[n] -> { A[i, j, k] -> A[i, j, k + 1]; A[i, j, k] -> A[k, j, k + 1]; A[i, j, k] -> B[i, j] : k = n - 1;
                  A[i, j, k] -> B[k, j] : k = n - 1 }",
        4,
        expect![[r#"
              sequence:
              - filter: "{ A[i, j, k] }"
                child:
                  schedule: "[n] -> [{ A[i, j, k] -> [(j)] }, { A[i, j, k] -> [(k)] }, { A[i, j, k] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 1, 0, 0 ]
              - filter: "{ B[i, j] }"
                child:
                  schedule: "[n] -> [{ B[i, j] -> [(i)] }, { B[i, j] -> [(j)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
        "#]],
    );
}

#[test]
fn a_reversal() {
    // Nussinov's dynamic program runs i downwards.
    check(
        "[n] -> { S[i, j, k] : 0 <= i and j < n and i < k < j }",
        "[n] -> { S[i, j, k] -> S[i, j, k + 1]; S[i, j, k] -> S[i, j', j] : k = j - 1 and j' > j;
                  S[i, j, k] -> S[i', j, i - 1] : k = j - 1 and i' <= i - 2 }",
        4,
        expect![[r#"
              schedule: "[n] -> [{ S[i, j, k] -> [(-i)] }, { S[i, j, k] -> [(j)] }]"
              permutable: 1
              child:
                schedule: "[n] -> [{ S[i, j, k] -> [(k)] }]"
                permutable: 1
        "#]],
    );
}

#[test]
fn no_permutable_band_at_all() {
    // P0, listing 15: for i, for j: s += f(i, j), with a dependence from the end of a row to the next row.
    check(
        "[n] -> { S[i, j] : 0 <= i, j < n }",
        "[n] -> { S[i, j] -> S[i, j + 1]; S[i, j] -> S[i + 1, 0] : j = n - 1 }",
        4,
        expect![[r#"
              schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
              permutable: 1
              child:
                schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
                permutable: 1
        "#]],
    );
}

#[test]
fn fixed_sizes() {
    check(
        "{ S[i, j] : 0 <= i, j < 4; T[i, j, k] : 0 <= i, j, k < 4 }",
        "{ S[i, j] -> T[i, j, 0]; T[i, j, k] -> T[i, j, k + 1] }",
        4,
        expect![[r#"
              sequence:
              - filter: "{ S[i, j] }"
                child:
                  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "{ T[i, j, k] }"
                child:
                  schedule: "[{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }, { T[i, j, k] -> [(k)] }]"
                  permutable: 1
                  coincident: [ 1, 1, 0 ]
        "#]],
    );
    // 10000 i + j would have distance 1 everywhere (P0, example 13).
    let constraints = constraints(
        "{ S[i, j] : 0 <= i, j < 10000 }",
        "{ S[i, j] -> S[i, j + 1]; S[i, j] -> S[i + 1, 0] : j = 9999 }",
    );
    let tree = schedule(&constraints, &Options::default(), &Budget::new(50_000)).unwrap();
    expect![[r#"
        domain: "{ S[i, j] : 0 <= i <= 9999 and 0 <= j <= 9999 }"
        child:
          schedule: "[{ S[i, j] -> [(i)] }]"
          permutable: 1
          child:
            schedule: "[{ S[i, j] -> [(j)] }]"
            permutable: 1
    "#]]
    .assert_eq(&tree.to_string());
}

#[test]
fn statements_without_loops_and_without_dependences() {
    check(
        "{ A[]; B[]; C[] }",
        "{ C[] -> A[] }",
        0,
        expect![[r#"
          set:
          - filter: "{ A[]; C[] }"
            child:
              sequence:
              - filter: "{ C[] }"
              - filter: "{ A[] }"
          - filter: "{ B[] }"
    "#]],
    );
    check(
        "[n] -> { A[i] : 0 <= i < n; B[] }",
        "{ }",
        4,
        expect![[r#"
          set:
          - filter: "{ A[i] }"
            child:
              schedule: "[n] -> [{ A[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ B[] }"
    "#]],
    );
    check("{ }", "{ }", 0, expect![[""]]);
}

#[test]
fn instances_in_a_lower_dimensional_space() {
    // j = i + 1: one member schedules the statement completely.
    check(
        "[n] -> { A[i, j] : 0 <= i < n and j = i + 1 }",
        "[n] -> { A[i, j] -> A[i + 1, j + 1] }",
        5,
        expect![[r#"
          schedule: "[n] -> [{ A[i, j] -> [(i)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn distances_without_a_common_bound() {
    // P0, example 14.
    check(
        "[n, m] -> { A[]; B[i] : 0 <= i < n; C[]; D[i] : 0 <= i < m }",
        "[n, m] -> { A[] -> B[i]; C[] -> D[i]; A[] -> C[] }",
        4,
        expect![[r#"
            sequence:
            - filter: "{ A[] }"
            - filter: "{ B[i]; C[] }"
              child:
                set:
                - filter: "{ B[i] }"
                  child:
                    schedule: "[n, m] -> [{ B[i] -> [(i)] }]"
                    permutable: 1
                    coincident: [ 1 ]
                - filter: "{ C[] }"
            - filter: "{ D[i] }"
              child:
                schedule: "[n, m] -> [{ D[i] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
        "#]],
    );
}

#[test]
fn cyclic_constraints_have_no_schedule() {
    let constraints = constraints("{ A[]; B[] }", "{ A[] -> B[]; B[] -> A[] }");
    let error = schedule(&constraints, &Options::default(), &Budget::new(50_000)).unwrap_err();
    assert!(matches!(&error, ScheduleError::NoSchedule { statements } if statements.len() == 2));
    assert_eq!(
        error.to_string(),
        "no affine schedule carries any dependence among A[], B[]"
    );
}

#[test]
fn the_budget_is_respected() {
    let constraints = constraints(MATMUL[0], MATMUL[1]);
    let error = schedule(&constraints, &Options::default(), &Budget::new(100)).unwrap_err();
    assert!(matches!(error, ScheduleError::OutOfBudget(_)));
}

/// What is wrong with constraints, or with their text.
fn refused(text: &str) -> String {
    let constraints: ScheduleConstraints = match text.parse() {
        Ok(constraints) => constraints,
        Err(error) => return error.to_string(),
    };
    schedule(&constraints, &Options::default(), &Budget::new(50_000))
        .unwrap_err()
        .to_string()
}

#[test]
fn bad_constraints() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&refused(text));
    check("validity: { }", expect!["1:1: the key `domain` is missing"]);
    check(
        "domain: { A[i] }\nvalidty: { }",
        expect![
            "2:1: unknown key `validty`; known are domain, context, validity, proximity, coincidence, condition, conditional_validity, intra_consecutivity, inter_consecutivity"
        ],
    );
    check(
        "domain: { A[i] }\ndomain: { }",
        expect!["2:1: the key `domain` is there already"],
    );
    check("domain: { A[i }", expect!["1:15: in `domain`: expected `,`, found `}`"]);
    check(
        "domain: \"{ A[i] }",
        expect!["1:18: in `domain`: found unexpected end of stream, while scanning a quoted scalar"],
    );
    check("what is this", expect!["1:1: expected `key:`, found `what is this`"]);
    check(
        "domain: { A[i] : 0 <= i < 9 }\nvalidity: { A[i, j] -> A[i + 1, j] }",
        expect!["validity has A[i, j], but the domain has A[i]"],
    );
    check(
        "domain: { A[i] : 0 <= i < 9 }\ncondition: { [A[i, j] -> x[]] -> [A[i, j] -> x[]] }",
        expect!["condition has A[i, j], but the domain has A[i]"],
    );
    check(
        "domain: { A[i]; B[i] }\nvalidity: { A[i] -> B[i]; B[i] -> A[i] }",
        expect!["no affine schedule carries any dependence among A[i], B[i]"],
    );
}

#[test]
fn empty_and_unbounded_domains() {
    let check = |text: &str, expected: Expect| {
        let constraints: ScheduleConstraints = text.parse().unwrap();
        let tree = schedule(&constraints, &Options::default(), &Budget::new(50_000)).unwrap();
        expected.assert_eq(&tree.to_string());
    };
    check(
        "domain: { }",
        expect![[r#"
        domain: "{ }"
    "#]],
    );
    check(
        "domain: { A[i] : 1 = 0 }",
        expect![[r#"
        domain: "{ A[i] : false }"
    "#]],
    );
    check(
        "domain: { A[i, j] }\nvalidity: { A[i, j] -> A[i + 1, j - 1] }",
        expect![[r#"
            domain: "{ A[i, j] }"
            child:
              schedule: "[{ A[i, j] -> [(i)] }, { A[i, j] -> [(i + j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
        "#]],
    );
}
