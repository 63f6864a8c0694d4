//! The examples of P4, section 4: live ranges that are reordered as a whole.

use crate::verify::check;
use expect_test::expect;
use farkas_polyhedral::schedule::{Fusion, Options, ScheduleConstraints};

fn ppcg() -> Options {
    Options {
        fusion: Fusion::Incremental,
        ..Options::default()
    }
}

/// Listing 1. `t` is an array with the subscript `i + j`, or a scalar; the flow dependences through it are live ranges.
///
/// ```text
/// for (i) for (j) { S1: t[i + j] = A[i][j]; S2: C[i][j] = t[i + j]; }
/// for (i) for (j) { S3: t[i + j] = B[i][j]; S4: C[j][i] += t[i + j]; }
/// ```
fn listing_1(same: &str, more_validity: &str) -> ScheduleConstraints {
    let domain = ["S1", "S2", "S3", "S4"]
        .map(|s| format!("{s}[i, j] : 0 <= i, j < n"))
        .join("; ");
    let ranges = "S1[i, j] -> S2[i, j]; S3[i, j] -> S4[i, j]";
    let order = format!(
        "[S2[i, j] -> t[]] -> [S1[i', j'] -> t[]] : {same} and i, j << i', j';
         [S2[i, j] -> t[]] -> [S3[i', j'] -> t[]] : {same};
         [S4[i, j] -> t[]] -> [S3[i', j'] -> t[]] : {same} and i, j << i', j'"
    );
    let flow = format!("{ranges}; S2[i, j] -> S4[j, i]");
    let condition = "[S1[i, j] -> t[]] -> [S2[i, j] -> t[]]; [S3[i, j] -> t[]] -> [S4[i, j] -> t[]]";
    format!(
        "domain: [n] -> {{ {domain} }}
validity: [n] -> {{ {flow}{more_validity} }}
proximity: [n] -> {{ {flow} }}
condition: [n] -> {{ {condition} }}
conditional_validity: [n] -> {{ {order} }}"
    )
    .parse()
    .unwrap()
}

/// Section 4.1, equation 12: `[j, i]` for the first nest and `[i, j]` for the second, or the same with the roles of the
/// nests exchanged, and `S1, S2, S3, S4` in this order within.
#[test]
fn example_4_1_array() {
    check(
        &ppcg(),
        &listing_1("i + j = i' + j'", ""),
        expect![[r#"
        schedule: "[n] -> [{ S1[i, j] -> [(i)]; S2[i, j] -> [(i)]; S3[i, j] -> [(j)]; S4[i, j] -> [(j)] }, { S1[i, j] -> [(j)]; S2[i, j] -> [(j)]; S3[i, j] -> [(i)]; S4[i, j] -> [(i)] }]"
        permutable: 1
        coincident: [ 1, 1 ]
        child:
          sequence:
          - filter: "{ S1[i, j] }"
          - filter: "{ S2[i, j] }"
          - filter: "{ S3[i, j] }"
          - filter: "{ S4[i, j] }"
    "#]],
    );
}

/// Section 4.1: the same with `t` a scalar.
#[test]
fn example_4_1_scalar() {
    check(
        &ppcg(),
        &listing_1("true", ""),
        expect![[r#"
        schedule: "[n] -> [{ S1[i, j] -> [(i)]; S2[i, j] -> [(i)]; S3[i, j] -> [(j)]; S4[i, j] -> [(j)] }, { S1[i, j] -> [(j)]; S2[i, j] -> [(j)]; S3[i, j] -> [(i)]; S4[i, j] -> [(i)] }]"
        permutable: 1
        coincident: [ 1, 1 ]
        child:
          sequence:
          - filter: "{ S1[i, j] }"
          - filter: "{ S2[i, j] }"
          - filter: "{ S3[i, j] }"
          - filter: "{ S4[i, j] }"
    "#]],
    );
}

/// Section 4.1, equation 13: what `t` holds at the end is read, so that the last `S3` of each element stays last. That
/// takes a skewed member; the nests are still fused, with distance zero.
#[test]
fn example_4_1_live_out() {
    let last = "(i' = n - 1 or j' = 0)";
    let forced = format!(
        "; S1[i, j] -> S3[i', j'] : i + j = i' + j' and {last}; S3[i, j] -> S3[i', j'] : i + j = i' + j' and i < i' and {last};
           S2[i, j] -> S3[i', j'] : i + j = i' + j' and {last}; S4[i, j] -> S3[i', j'] : i + j = i' + j' and i < i' and {last}"
    );
    check(
        &ppcg(),
        &listing_1("i + j = i' + j'", &forced),
        expect![[r#"
        schedule: "[n] -> [{ S1[i, j] -> [(i + j)]; S2[i, j] -> [(i + j)]; S3[i, j] -> [(i + j)]; S4[i, j] -> [(i + j)] }, { S1[i, j] -> [(j)]; S2[i, j] -> [(j)]; S3[i, j] -> [(i)]; S4[i, j] -> [(i)] }]"
        permutable: 1
        coincident: [ 1, 1 ]
        child:
          sequence:
          - filter: "{ S1[i, j] }"
          - filter: "{ S2[i, j] }"
          - filter: "{ S3[i, j] }"
          - filter: "{ S4[i, j] }"
    "#]],
    );
}

/// Section 4.1, equation 15: without live-range reordering, the distances over `S2 -> S4` grow with `n`. The paper has
/// `[i + j, -j]` and `[i + j, i]`.
#[test]
fn example_4_1_without_live_ranges() {
    let constraints = listing_1("i + j = i' + j'", "");
    let budget = farkas_polyhedral::budget::Budget::new(1_000_000);
    check(
        &ppcg(),
        &constraints.unconditional(&budget).unwrap(),
        expect![[r#"
        sequence:
        - filter: "{ S1[i, j]; S2[i, j] }"
          child:
            schedule: "[n] -> [{ S1[i, j] -> [(i)]; S2[i, j] -> [(i)] }, { S1[i, j] -> [(i + j)]; S2[i, j] -> [(i + j)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
            child:
              sequence:
              - filter: "{ S1[i, j] }"
              - filter: "{ S2[i, j] }"
        - filter: "{ S3[i, j]; S4[i, j] }"
          child:
            schedule: "[n] -> [{ S3[i, j] -> [(i)]; S4[i, j] -> [(i)] }, { S3[i, j] -> [(i + j)]; S4[i, j] -> [(i + j)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
            child:
              sequence:
              - filter: "{ S3[i, j] }"
              - filter: "{ S4[i, j] }"
    "#]],
    );
}

/// Section 4.2, listing 3, equation 17: the scalars `a0` and `am1` do not keep the nests apart; the second is shifted by
/// one along `k`.
///
/// ```text
/// for (i) for (j) for (k) { S1: a0 = a[i][j][k]; S2: am1 = a[i][j][k - 1]; S3: x[i][j][k] = a0 + am1; }
/// for (i) for (j) for (k) { S4: a0 = a[i][j][k]; S5: rho[i][j][k] = a0 + (x[i][j][k + 1] - x[i][j][k]); }
/// ```
#[test]
fn example_4_2_mehta() {
    let statement = |name: &str, low: i64, high: &str| {
        format!("{name}[i, j, k] : 0 <= i < nx and 0 <= j < ny and {low} <= k < {high}")
    };
    let domain = [
        statement("S1", 1, "nz"),
        statement("S2", 1, "nz"),
        statement("S3", 1, "nz"),
        statement("S4", 0, "nz - 1"),
        statement("S5", 0, "nz - 1"),
    ];
    let lex = "i, j, k << i', j', k'";
    let flow = "S1[i, j, k] -> S3[i, j, k]; S2[i, j, k] -> S3[i, j, k]; S4[i, j, k] -> S5[i, j, k];
        S3[i, j, k] -> S5[i, j, k]; S3[i, j, k] -> S5[i, j, k - 1]";
    let constraints = format!(
        "domain: [nx, ny, nz] -> {{ {} }}
validity: [nx, ny, nz] -> {{ {flow} }}
proximity: [nx, ny, nz] -> {{ {flow} }}
condition: [nx, ny, nz] -> {{ [S1[i, j, k] -> a0[]] -> [S3[i, j, k] -> a0[]]; [S2[i, j, k] -> am1[]] -> [S3[i, j, k] -> am1[]];
    [S4[i, j, k] -> a0[]] -> [S5[i, j, k] -> a0[]] }}
conditional_validity: [nx, ny, nz] -> {{ [S3[i, j, k] -> a0[]] -> [S1[i', j', k'] -> a0[]] : {lex};
    [S3[i, j, k] -> a0[]] -> [S4[i', j', k'] -> a0[]]; [S5[i, j, k] -> a0[]] -> [S4[i', j', k'] -> a0[]] : {lex};
    [S3[i, j, k] -> am1[]] -> [S2[i', j', k'] -> am1[]] : {lex} }}",
        domain.join("; ")
    );
    let constraints: ScheduleConstraints = constraints.parse().unwrap();
    check(
        &ppcg(),
        &constraints,
        expect![[r#"
        schedule: "[nx, ny, nz] -> [{ S1[i, j, k] -> [(i)]; S2[i, j, k] -> [(i)]; S3[i, j, k] -> [(i)]; S4[i, j, k] -> [(i)]; S5[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(j)]; S2[i, j, k] -> [(j)]; S3[i, j, k] -> [(j)]; S4[i, j, k] -> [(j)]; S5[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(k)]; S2[i, j, k] -> [(k)]; S3[i, j, k] -> [(k)]; S4[i, j, k] -> [(1 + k)]; S5[i, j, k] -> [(1 + k)] }]"
        permutable: 1
        coincident: [ 1, 1, 1 ]
        child:
          sequence:
          - filter: "{ S1[i, j, k]; S2[i, j, k] }"
            child:
              set:
              - filter: "{ S1[i, j, k] }"
              - filter: "{ S2[i, j, k] }"
          - filter: "{ S3[i, j, k] }"
          - filter: "{ S4[i, j, k] }"
          - filter: "{ S5[i, j, k] }"
    "#]],
    );
}
