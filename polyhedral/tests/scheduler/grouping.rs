//! The examples of P0, section 7.4 and table 37: chains of statements that are scheduled as one.

use crate::program::{constraints, program};
use crate::verify::verify;
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{Fusion, Groups, Options, ScheduleConstraints, count_groups, schedule};
use farkas_polyhedral::tree::Tree;

/// Groups, schedules the groups, and compares the domain that is scheduled and the tree of the statements.
fn check(tree: &str, constraints: &ScheduleConstraints, expected: Expect) {
    let b = Budget::new(10_000_000);
    let tree: Tree = tree.parse().unwrap();
    let groups = Groups::of_chains(&tree, constraints, &b).unwrap();
    let grouped = groups.constraints(constraints, &b).unwrap();
    let options = Options {
        fusion: Fusion::Incremental,
        outer_coincidence: true,
        ..Options::default()
    };
    let scheduled = schedule(&grouped, &options, &b).unwrap();
    for param in [1, 2, 4] {
        verify(&grouped, &scheduled, param, 4);
    }
    let expanded = groups.expanded(&scheduled, &b).unwrap();
    expected.assert_eq(&format!("{} statements fewer\n{expanded}", groups.saved()));
}

/// Groups the statements of a program, schedules the groups, and compares the schedule of the statements in place of them.
fn check_in_place(text: &str, expected: Expect) {
    let b = Budget::new(10_000_000);
    let constraints = constraints(text);
    let groups = Groups::of_program(&program(text), &constraints, &b).unwrap();
    let grouped = groups.constraints(&constraints, &b).unwrap();
    let scheduled = schedule(&grouped, &Options::default(), &b).unwrap();
    let placed = groups.in_place(&scheduled, &constraints, &b).unwrap();
    for param in [1, 2, 4] {
        verify(&constraints, &placed, param, 4);
    }
    expected.assert_eq(&format!("{} statements fewer\n{placed}", groups.saved()));
}

/// Example 22, listing 23: a scalar and four statements that read it become one; the last two stay alone.
#[test]
fn example_22_deriche() {
    let constraints = constraints(
        "[alpha] -> { : }
         K[] | | [0] | alpha[]; k[]
         A1[] | | [1] | k[]; a1[]
         A2[] | | [2] | k[]; a2[]
         A3[] | | [3] | k[]; a3[]
         A4[] | | [4] | k[]; a4[]
         B1[] | | [5] | alpha[]; b1[]
         B2[] | | [6] | alpha[]; b2[]",
    );
    let leaf = |name: &str| format!("  - filter: \"{{ {name}[] }}\"\n");
    let leaves: String = ["K", "A1", "A2", "A3", "A4", "B1", "B2"].map(leaf).concat();
    let tree = format!("domain: \"{{ K[]; A1[]; A2[]; A3[]; A4[]; B1[]; B2[] }}\"\nchild:\n  sequence:\n{leaves}");
    check(
        &tree,
        &constraints,
        expect![[r#"
        4 statements fewer
        domain: "[alpha] -> { G_0[]; B1[]; B2[] }"
        child:
          set:
          - filter: "{ G_0[] }"
            child:
              contraction: "[alpha] -> { K[] -> G_0[]; A1[] -> G_0[]; A2[] -> G_0[]; A3[] -> G_0[]; A4[] -> G_0[] }"
              expansion: "[alpha] -> { G_0[] -> K[]; G_0[] -> A1[]; G_0[] -> A2[]; G_0[] -> A3[]; G_0[] -> A4[] }"
              child:
                sequence:
                - filter: "{ K[] }"
                - filter: "{ A1[] }"
                - filter: "{ A2[] }"
                - filter: "{ A3[] }"
                - filter: "{ A4[] }"
          - filter: "{ B1[] }"
          - filter: "{ B2[] }"
    "#]],
    );
}

/// Example 23, listing 24: the last two statements of covariance, by way of an element of an array.
#[test]
fn example_23_covariance() {
    let constraints = constraints(
        "[n, m] -> { : n > 0 and m > 0 }
         S[i, j] | 0 <= i < m and i <= j < m | [0, i, j, 0, 0] | cov[i, j]
         T[i, j, k] | 0 <= i < m and i <= j < m and 0 <= k < n | [0, i, j, 1, k] | cov[i, j]; data[k, i]; data[k, j]; cov[i, j]
         U[i, j] | 0 <= i < m and i <= j < m | [0, i, j, 2, 0] | cov[i, j]; cov[i, j]
         V[i, j] | 0 <= i < m and i <= j < m | [0, i, j, 3, 0] | cov[i, j]; voc[j, i]",
    );
    let tree = r#"
domain: "[n, m] -> { S[i, j] : 0 <= i < m and i <= j < m; T[i, j, k] : 0 <= i < m and i <= j < m and 0 <= k < n; U[i, j] : 0 <= i < m and i <= j < m; V[i, j] : 0 <= i < m and i <= j < m }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)]; U[i, j] -> [(i)]; V[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)]; U[i, j] -> [(j)]; V[i, j] -> [(j)] }]"
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
      child:
        schedule: "[{ T[i, j, k] -> [(k)] }]"
    - filter: "{ U[i, j] }"
    - filter: "{ V[i, j] }"
"#;
    check(
        tree,
        &constraints,
        expect![[r#"
            1 statements fewer
            domain: "[n, m] -> { S[i, j] : 0 <= i < m and i <= j < m; T[i, j, k] : 0 <= i < m and i <= j < m and 0 <= k < n; G_0[i0, i1] : 0 <= i0 < m and i0 <= i1 < m and n > 0 and m > 0 }"
            child:
              context: "[n, m] -> { [] : n > 0 and m > 0 }"
              child:
                schedule: "[n, m] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)]; G_0[i0, i1] -> [(i0)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)]; G_0[i0, i1] -> [(i1)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)]; G_0[i0, i1] -> [(n)] }]"
                permutable: 1
                coincident: [ 1, 1, 0 ]
                child:
                  set:
                  - filter: "{ S[i, j]; T[i, j, k] }"
                    child:
                      sequence:
                      - filter: "{ S[i, j] }"
                      - filter: "{ T[i, j, k] }"
                  - filter: "{ G_0[i0, i1] }"
                    child:
                      contraction: "[n, m] -> { U[i, j] -> G_0[(i), (j)] : 0 <= i < m and i <= j < m and n > 0 and m > 0; V[i, j] -> G_0[(i), (j)] : 0 <= i < m and i <= j < m and n > 0 and m > 0 }"
                      expansion: "[n, m] -> { G_0[i0, i1] -> U[i = i0, j = i1] : 0 <= i0 < m and i0 <= i1 < m and n > 0 and m > 0; G_0[i0, i1] -> V[i = i0, j = i1] : 0 <= i0 < m and i0 <= i1 < m and n > 0 and m > 0 }"
                      child:
                        sequence:
                        - filter: "{ U[i, j] }"
                        - filter: "{ V[i, j] }"
        "#]],
    );
}

/// Example 24, listings 25 to 27: nussinov. `A` and `B` become `G_0[-i, j]`, after the order of execution.
#[test]
fn example_24_nussinov() {
    let constraints = constraints(
        "[n] -> { : n > 0 }
         A[i, j] | 0 <= i and i < j < n | [-i, j, 0, 0] | t[i, j]; t[i, j - 1]; t[i, j]
         B[i, j] | 0 <= i and i < j < n | [-i, j, 1, 0] | t[i, j]; t[i + 1, j]; t[i, j]
         C[i, j] | 0 <= i and i + 2 <= j < n | [-i, j, 2, 0] | t[i, j]; t[i + 1, j - 1]; t[i, j]
         D[i, j] | 0 <= i and j = i + 1 and j < n | [-i, j, 2, 0] | t[i, j]; t[i + 1, j - 1]; t[i, j]
         E[i, j, k] | 0 <= i and j < n and i < k < j | [-i, j, 3, k] | t[i, j]; t[i, k]; t[k + 1, j]; t[i, j]",
    );
    let tree = r#"
domain: "[n] -> { A[i, j] : 0 <= i and i < j < n; B[i, j] : 0 <= i and i < j < n; C[i, j] : 0 <= i and i + 2 <= j < n; D[i, j] : 0 <= i and j = i + 1 and j < n; E[i, j, k] : 0 <= i and j < n and i < k < j }"
child:
  schedule: "[{ A[i, j] -> [(-i)]; B[i, j] -> [(-i)]; C[i, j] -> [(-i)]; D[i, j] -> [(-i)]; E[i, j, k] -> [(-i)] }, { A[i, j] -> [(j)]; B[i, j] -> [(j)]; C[i, j] -> [(j)]; D[i, j] -> [(j)]; E[i, j, k] -> [(j)] }]"
  child:
    sequence:
    - filter: "{ A[i, j] }"
    - filter: "{ B[i, j] }"
    - filter: "{ C[i, j] }"
    - filter: "{ D[i, j] }"
    - filter: "{ E[i, j, k] }"
      child:
        schedule: "[{ E[i, j, k] -> [(k)] }]"
"#;
    check(
        tree,
        &constraints,
        expect![[r#"
            1 statements fewer
            domain: "[n] -> { G_0[i0, i1] : i0 <= 0 and -i0 < i1 < n and n > 0; C[i, j] : i >= 0 and 2 + i <= j < n; D[i, j = 1 + i] : 0 <= i <= -2 + n; E[i, j, k] : i >= 0 and j < n and i < k < j }"
            child:
              context: "[n] -> { [] : n > 0 }"
              child:
                schedule: "[n] -> [{ G_0[i0, i1] -> [(i0 + i1)]; C[i, j] -> [(-i + j)]; D[i, j] -> [(1)]; E[i, j, k] -> [(-i + j)] }]"
                permutable: 1
                child:
                  schedule: "[n] -> [{ G_0[i0, i1] -> [(-i0)]; C[i, j] -> [(i)]; D[i, j] -> [(i)]; E[i, j, k] -> [(i)] }, { G_0[i0, i1] -> [(0)]; C[i, j] -> [(0)]; D[i, j] -> [(0)]; E[i, j, k] -> [(-i + k)] }]"
                  permutable: 1
                  coincident: [ 1, 0 ]
                  child:
                    set:
                    - filter: "{ G_0[i0, i1]; C[i, j]; D[i, j] }"
                      child:
                        sequence:
                        - filter: "{ G_0[i0, i1] }"
                          child:
                            contraction: "[n] -> { A[i, j] -> G_0[(-i), (j)] : i >= 0 and i < j < n and n > 0; B[i, j] -> G_0[(-i), (j)] : i >= 0 and i < j < n and n > 0 }"
                            expansion: "[n] -> { G_0[i0, i1] -> A[i = -i0, j = i1] : i0 <= 0 and -i0 < i1 < n and n > 0; G_0[i0, i1] -> B[i = -i0, j = i1] : i0 <= 0 and -i0 < i1 < n and n > 0 }"
                            child:
                              sequence:
                              - filter: "{ A[i, j] }"
                              - filter: "{ B[i, j] }"
                        - filter: "{ C[i, j]; D[i, j] }"
                          child:
                            set:
                            - filter: "{ C[i, j] }"
                            - filter: "{ D[i, j] }"
                    - filter: "{ E[i, j, k] }"
        "#]],
    );
}

/// Examples 25 and 36, table 37: a lattice Boltzmann step in miniature, a nest of fixed sizes in a loop over time, with
/// scalars in the body. The paper counts 2335 groups at first, 248 when the same pairs under several tags count once, and
/// 226 when what only coalescing could make use of is dropped; here it is the same, less a dozen.
#[test]
fn table_37_groups() {
    let statement =
        |name: &str, condition: &str| format!("{name}[s, z, y, x] : 0 <= s < n and 0 <= z, y, x < 16{condition}");
    let domain = [statement("P", ""), statement("Q", ""), statement("R", " and x = 0")].join("; ");
    let later = "s, z, y, x << s', z', y', x'";
    let mut order = Vec::new();
    let mut condition = Vec::new();
    for scalar in ["f0", "f1", "f2", "f3"] {
        for (from, to) in [("Q", "P"), ("R", "P")] {
            order.push(format!(
                "[{from}[s, z, y, x] -> {scalar}[]] -> [{to}[s', z', y', x'] -> {scalar}[]] : {later}"
            ));
        }
        order.push(format!(
            "[P[s, z, y, x] -> {scalar}[]] -> [P[s', z', y', x'] -> {scalar}[]] : {later}"
        ));
        condition.push(format!(
            "[P[s, z, y, x] -> {scalar}[]] -> [Q[s, z, y, x] -> {scalar}[]]"
        ));
    }
    let step = "P[s, z, y, x] -> P[s + 1, z, y, x']: x - 1 <= x' <= x + 1; Q[s, z, y, x] -> P[s + 1, z, y, x]";
    let constraints: ScheduleConstraints = format!(
        "domain: [n] -> {{ {domain} }}
validity: [n] -> {{ P[s, z, y, x] -> Q[s, z, y, x]; {step} }}
condition: [n] -> {{ {} }}
conditional_validity: [n] -> {{ {} }}",
        condition.join("; "),
        order.join("; ")
    )
    .parse()
    .unwrap();
    let b = Budget::new(30_000_000);
    let pieces =
        |relation: &farkas_polyhedral::sets::UnionMap| relation.maps().map(|map| map.pieces().len()).sum::<usize>();
    let occurrences = pieces(&constraints.validity) + pieces(&constraints.conditional_validity);
    let count = |treat_coalescing: bool| {
        let options = Options {
            treat_coalescing,
            ..Options::default()
        };
        count_groups(&constraints, &options, &b).unwrap()
    };
    expect![[r#"
        one for each occurrence: 51
        distinct (of a statement with itself, between statements): (5, 10)
        without what only coalescing makes use of: (3, 10)
    "#]]
    .assert_eq(&format!(
        "one for each occurrence: {occurrences}
distinct (of a statement with itself, between statements): {:?}
without what only coalescing makes use of: {:?}
",
        count(false),
        count(true)
    ));
}

/// Two statements of covariance again, without an expansion.
#[test]
fn covariance_in_place() {
    check_in_place(
        "[n, m] -> { : n > 0 and m > 0 }
         S[i, j] | 0 <= i < m and i <= j < m | [0, i, 0, j, 0, 0, 0] | cov[i, j]
         T[i, j, k] | 0 <= i < m and i <= j < m and 0 <= k < n | [0, i, 0, j, 1, k, 0] | cov[i, j]; data[k, i]; data[k, j]; cov[i, j]
         U[i, j] | 0 <= i < m and i <= j < m | [0, i, 0, j, 2, 0, 0] | cov[i, j]; cov[i, j]
         V[i, j] | 0 <= i < m and i <= j < m | [0, i, 0, j, 3, 0, 0] | cov[i, j]; voc[j, i]",
        expect![[r#"
            1 statements fewer
            domain: "[n, m] -> { S[i, j] : 0 <= i < m and i <= j < m; T[i, j, k] : 0 <= i < m and i <= j < m and 0 <= k < n; U[i, j] : 0 <= i < m and i <= j < m; V[i, j] : 0 <= i < m and i <= j < m }"
            child:
              context: "[n, m] -> { [] : n > 0 and m > 0 }"
              child:
                sequence:
                - filter: "[n, m] -> { S[i, j] }"
                  child:
                    schedule: "[n, m] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                    permutable: 1
                    coincident: [ 1, 1 ]
                - filter: "[n, m] -> { T[i, j, k] }"
                  child:
                    schedule: "[n, m] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }, { T[i, j, k] -> [(k)] }]"
                    permutable: 1
                    coincident: [ 1, 1, 0 ]
                - filter: "[n, m] -> { U[i, j]; V[i, j] }"
                  child:
                    schedule: "[n, m] -> [{ U[i, j] -> [(i)]; V[i, j] -> [(i)] }, { U[i, j] -> [(j)]; V[i, j] -> [(j)] }]"
                    permutable: 1
                    coincident: [ 1, 1 ]
                    child:
                      sequence:
                      - filter: "{ U[i, j] }"
                      - filter: "{ V[i, j] }"
        "#]],
    );
}

/// Statements whose dimensions are in another order, or count down; one that is next to them in the text, but in another
/// loop, is no part of the chain.
#[test]
fn other_dimensions_in_place() {
    check_in_place(
        "[n] -> { : n > 0 }
         S[i, j] | 0 <= i < n and 0 <= j < n | [0, i, j, 0] | a[i, j]; b[i, j]
         T[j, i] | 0 <= i < n and 0 <= j < n | [0, i, j, 1] | b[i, j]; c[i, j]
         U[i, k] | 0 <= i < n and 0 <= k < n | [0, i, k, 2] | c[i, k]; b[i, k]
         V[i, j] | 0 <= i < n and 0 <= j < n | [1, i, j, 0] | b[i, j]; d[j, i]
         W[i, j] | 0 <= i < n and -n < j <= 0 | [1, i, -j, 1] | d[-j, i]; e[i, -j]",
        expect![[r#"
            3 statements fewer
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[j, i] : 0 <= i < n and 0 <= j < n; U[i, k] : 0 <= i < n and 0 <= k < n; V[i, j] : 0 <= i < n and 0 <= j < n; W[i, j] : 0 <= i < n and -n < j <= 0 }"
            child:
              context: "[n] -> { [] : n > 0 }"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)]; T[j, i] -> [(i)]; U[i, k] -> [(i)]; V[i, j] -> [(i)]; W[i, j] -> [(i)] }, { S[i, j] -> [(j)]; T[j, i] -> [(j)]; U[i, k] -> [(k)]; V[i, j] -> [(j)]; W[i, j] -> [(-j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
                child:
                  sequence:
                  - filter: "[n] -> { S[i, j]; T[j, i]; U[i, k] }"
                    child:
                      sequence:
                      - filter: "{ S[i, j] }"
                      - filter: "{ T[j, i] }"
                      - filter: "{ U[i, k] }"
                  - filter: "[n] -> { V[i, j]; W[i, j] }"
                    child:
                      sequence:
                      - filter: "{ V[i, j] }"
                      - filter: "{ W[i, j] }"
        "#]],
    );
}
