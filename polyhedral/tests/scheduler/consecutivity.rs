//! The examples of P3: consecutive accesses.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::check_tree;
use farkas_polyhedral::schedule::{Fusion, Options, ScheduleConstraints, reschedule, schedule};
use farkas_polyhedral::tree::Path;

/// What is not said here is as in isl.
fn options() -> Options {
    Options {
        fusion: Fusion::Incremental,
        ..Options::default()
    }
}

fn check_with(options: &Options, constraints: &str, expected: Expect) {
    let constraints: ScheduleConstraints = constraints.parse().unwrap();
    // Reading what is printed gives the same constraints.
    assert_eq!(
        constraints
            .to_string()
            .parse::<ScheduleConstraints>()
            .unwrap()
            .to_string(),
        constraints.to_string()
    );
    crate::verify::check(options, &constraints, expected);
}

fn check(constraints: &str, expected: Expect) {
    check_with(&options(), constraints, expected);
}

const TRANSPOSITION: &str = "
domain: [N] -> { S[i, j] : 0 <= i, j < N; T[i, j] : 0 <= i, j < N }
validity: [N] -> { S[i, j] -> T[i, j] }
proximity: [N] -> { S[i, j] -> T[i, j] }
coincidence: [N] -> { S[i, j] -> T[i, j] }
";

/// Listings 1 and 2: `tmp[i][j] = A[i][j]; C[j][i] = tmp[i][j];` with `A` and `C` to be consecutive. The loop is
/// distributed, and the second one interchanged.
#[test]
fn listing_1_transposition() {
    let references = "intra_consecutivity: ({ S[i, j] -> [[i] -> [j]] }, { T[i, j] -> [[j] -> [i]] })";
    check(
        &format!("{TRANSPOSITION}{references}"),
        expect![[r#"
        sequence:
        - filter: "{ S[i, j] }"
          child:
            schedule: "[N] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
        - filter: "{ T[i, j] }"
          child:
            schedule: "[N] -> [{ T[i, j] -> [(j)] }, { T[i, j] -> [(i)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
    "#]],
    );
}

/// The same without references: one band.
#[test]
fn listing_1_without_consecutivity() {
    check(
        TRANSPOSITION,
        expect![[r#"
        schedule: "[N] -> [{ S[i, j] -> [(i)]; T[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j] -> [(j)] }]"
        permutable: 1
        coincident: [ 1, 1 ]
        child:
          sequence:
          - filter: "{ S[i, j] }"
          - filter: "{ T[i, j] }"
    "#]],
    );
}

const PRODUCT: &str = "
domain: [N, M, K] -> { S[i, j] : 0 <= i < N and 0 <= j < M; T[i, j, k] : 0 <= i < N and 0 <= j < M and 0 <= k < K }
context: [N, M, K] -> { : K > 0 }
validity: [N, M, K] -> { S[i, j] -> T[i, j, 0]; T[i, j, k] -> T[i, j, k + 1] }
proximity: [N, M, K] -> { S[i, j] -> T[i, j, 0]; T[i, j, k] -> T[i, j, k + 1] }
intra_consecutivity: ({ S[i, j] -> [[i] -> [j]] }, { T[i, j, k] -> [[i] -> [k, j]] }, { T[i, j, k] -> [[i, k] -> [j]] })
";
const PRODUCT_COINCIDENCE: &str = "coincidence: [N, M, K] -> { S[i, j] -> T[i, j, 0]; T[i, j, k] -> T[i, j, k + 1] }\n";

/// Listings 3 and 4, equations 22 to 25: the loops of a matrix product in the order `i, k, j`, both statements in one band.
#[test]
fn listing_3_matrix_product() {
    check(
        PRODUCT,
        expect![[r#"
        schedule: "[N, M, K] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
        permutable: 1
        coincident: [ 1, 1, 1 ]
        child:
          sequence:
          - filter: "{ S[i, j] }"
          - filter: "{ T[i, j, k] }"
    "#]],
    );
}

/// With coincidence constraints, these come first, and put the parallel `j` outside.
#[test]
fn listing_3_coincidence_first() {
    check(
        &format!("{PRODUCT}{PRODUCT_COINCIDENCE}"),
        expect![[r#"
        schedule: "[N, M, K] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
        permutable: 1
        coincident: [ 1, 1, 0 ]
        child:
          sequence:
          - filter: "{ S[i, j] }"
          - filter: "{ T[i, j, k] }"
    "#]],
    );
}

/// What P3, 6 leaves for the future: the innermost loop is parallel and has stride 1.
#[test]
fn listing_3_consecutivity_first() {
    let options = Options {
        consecutivity_first: true,
        ..options()
    };
    check_with(
        &options,
        &format!("{PRODUCT}{PRODUCT_COINCIDENCE}"),
        expect![[r#"
        schedule: "[N, M, K] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
        permutable: 1
        coincident: [ 1, 0, 1 ]
        child:
          sequence:
          - filter: "{ S[i, j] }"
          - filter: "{ T[i, j, k] }"
    "#]],
    );
}

/// A reference whose last subscript is a combination of two loops, which a permutation alone would not serve (P3, 2.3).
#[test]
fn skewed_access() {
    check(
        "
domain: [N] -> { S[i, j] : 0 <= i, j < N }
intra_consecutivity: ({ S[i, j] -> [[j] -> [j - i]] })
",
        expect![[r#"
            schedule: "[N] -> [{ S[i, j] -> [(j)] }, { S[i, j] -> [(-i)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
        "#]],
    );
}

/// Listings 5 and 6: `B[j][i]` in four statements of an unrolled loop. Those that write the same row of `B` share loops, in
/// which the second comes one step after the first. The paper's code has the loop over rows around both pairs, which
/// nothing that is given here asks for.
#[test]
fn listing_5_unrolled_transposition() {
    let statement = |name: &str| format!("{name}[i, j] : 0 <= i < N and 0 <= j < M and i mod 2 = 0 and j mod 2 = 0");
    let names = ["S00", "S01", "S10", "S11"];
    let references = names.map(|name| format!("{{ {name}[i, j] -> [[j] -> [i]] }}"));
    check(
        &format!(
            "
domain: [N, M] -> {{ {} }}
context: [N, M] -> {{ : N mod 2 = 0 and M mod 2 = 0 }}
intra_consecutivity: ({})
inter_consecutivity: {{ S00[i, j] -> S10[i, j]; S01[i, j] -> S11[i, j]; S10[i, j] -> S00[i + 2, j]; S11[i, j] -> S01[i + 2, j] }}
",
            names.map(statement).join("; "),
            references.join(", ")
        ),
        expect![[r#"
            set:
            - filter: "{ S00[i, j]; S10[i, j] }"
              child:
                schedule: "[N, M] -> [{ S00[i, j] -> [(j)]; S10[i, j] -> [(j)] }, { S00[i, j] -> [(i)]; S10[i, j] -> [(1 + i)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
            - filter: "{ S01[i, j]; S11[i, j] }"
              child:
                schedule: "[N, M] -> [{ S01[i, j] -> [(j)]; S11[i, j] -> [(j)] }, { S01[i, j] -> [(i)]; S11[i, j] -> [(1 + i)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
        "#]],
    );
}

/// Section 5: the transposition is tiled as one nest, and only the points of a tile are distributed.
#[test]
fn section_5_point_band() {
    let b = Budget::new(1_000_000);
    let plain: ScheduleConstraints = TRANSPOSITION.parse().unwrap();
    let tree = schedule(&plain, &options(), &b).unwrap();
    let root = Path::root();
    let tiled = tree.with_band(&root, |band| band.tiled(&[32, 32])).unwrap();
    let references = "intra_consecutivity: ({ S[i, j] -> [[i] -> [j]] }, { T[i, j] -> [[j] -> [i]] })";
    let consecutive: ScheduleConstraints = format!("{TRANSPOSITION}{references}").parse().unwrap();
    let local = reschedule(&tiled, &root.child(0), &consecutive, &options(), &b).unwrap();
    assert!(
        check_tree(&plain.validity, &plain.coincidence, &local, &b)
            .unwrap()
            .is_legal()
    );
    expect![[r#"
        domain: "[N] -> { S[i, j] : 0 <= i < N and 0 <= j < N; T[i, j] : 0 <= i < N and 0 <= j < N }"
        child:
          schedule: "[N] -> [{ S[i, j] -> [(floor((i)/32))]; T[i, j] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((j)/32))]; T[i, j] -> [(floor((j)/32))] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          options: "{ full_tiles[(32), (32)] }"
          child:
            sequence:
            - filter: "{ S[i, j] }"
              child:
                schedule: "[N] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
            - filter: "{ T[i, j] }"
              child:
                schedule: "[N] -> [{ T[i, j] -> [(j)] }, { T[i, j] -> [(i)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
    "#]].assert_eq(&local.to_string());
}
