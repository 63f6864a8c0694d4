//! The examples of P2, figures 4 to 10. Each test says which one it is, and what the paper has.

use crate::program::constraints;
use crate::verify::check;
use expect_test::expect;
use farkas_polyhedral::schedule::{Fusion, Options};

/// Pluto fuses as much as it can.
fn pluto() -> Options {
    Options {
        fusion: Fusion::Max,
        ..Options::default()
    }
}

/// Figure 4: two matrix vector products. The paper fuses `i` with the permuted `j`, and then runs the other loops one
/// after the other, which is what adding `n` comes to.
#[test]
fn figure_4_two_matrix_vector_products() {
    let constraints = constraints(
        "[n] -> { : n > 0 }
         S1[i, j] | 0 <= i, j < n | [0, i, j] | x[i]; a[i, j]; y[j]; x[i]
         S2[i, j] | 0 <= i, j < n | [1, i, j] | z[i]; a[i, j]; x[j]; z[i]",
    );
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[n] -> [{ S1[i, j] -> [(i)]; S2[i, j] -> [(j)] }, { S1[i, j] -> [(j)]; S2[i, j] -> [(n + i)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S1[i, j] }"
          - filter: "{ S2[i, j] }"
    "#]],
    );
}

/// Figure 5, equations 12 to 14: affine distances. The paper has `i + j`, then `i`.
#[test]
fn figure_5_distances_that_are_not_constant() {
    let constraints = constraints(
        "[n] -> { : n > 1 }
         S[i, j] | 1 <= i <= n and 2 <= j <= n | [i, j] | a[j, i]; a[i, j - 1]; a[i, j]",
    );
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(i + j)] }, { S[i, j] -> [(i)] }]"
        permutable: 1
    "#]],
    );
}

/// Figure 2 and section 4.2: 1-d Jacobi in two arrays. The paper has `t` and `2t + i`, with 1 added for the second.
#[test]
fn figure_2_jacobi_1d() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S1[t, i] | 1 <= t <= T and 2 <= i < n | [t, 0, i] | a[i - 1]; a[i]; a[i + 1]; b[i]
         S2[t, j] | 1 <= t <= T and 2 <= j < n | [t, 1, j] | b[j]; a[j]",
    );
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S1[t, i] -> [(t)]; S2[t, j] -> [(t)] }, { S1[t, i] -> [(2t + i)]; S2[t, j] -> [(1 + 2t + j)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S1[t, i] }"
          - filter: "{ S2[t, j] }"
    "#]],
    );
}

/// Figure 6: 2-d Jacobi in two arrays. The paper has `t`, `2t + i`, `2t + j`, with 1 added to the last two for the second.
#[test]
fn figure_6_jacobi_2d() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S1[t, i, j] | 1 <= t <= T and 2 <= i, j < n | [t, 0, i, j] | a[i - 1, j]; a[i, j]; a[i + 1, j]; a[i, j - 1]; a[i, j + 1]; b[i, j]
         S2[t, k, l] | 1 <= t <= T and 2 <= k, l < n | [t, 1, k, l] | b[k, l]; a[k, l]",
    );
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S1[t, i, j] -> [(t)]; S2[t, k, l] -> [(t)] }, { S1[t, i, j] -> [(2t + i)]; S2[t, k, l] -> [(1 + 2t + k)] }, { S1[t, i, j] -> [(2t + j)]; S2[t, k, l] -> [(1 + 2t + l)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S1[t, i, j] }"
          - filter: "{ S2[t, k, l] }"
    "#]],
    );
}

/// Figure 7: LU. The paper has `k, j, k` and `k, j, i`: one band of three, of which two are pipelined. Here the last two
/// members are exchanged.
#[test]
fn figure_7_lu() {
    let constraints = constraints(
        "[n] -> { : n > 0 }
         S1[k, j] | 1 <= k <= n and k < j <= n | [k, 0, 0, j] | a[k, j]; a[k, k]; a[k, j]
         S2[k, i, j] | 1 <= k <= n and k < i <= n and k < j <= n | [k, 1, i, j] | a[i, j]; a[i, k]; a[k, j]; a[i, j]",
    );
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[n] -> [{ S1[k, j] -> [(k)]; S2[k, i, j] -> [(k)] }, { S1[k, j] -> [(k)]; S2[k, i, j] -> [(i)] }, { S1[k, j] -> [(j)]; S2[k, i, j] -> [(j)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S1[k, j] }"
          - filter: "{ S2[k, i, j] }"
    "#]],
    );
}

/// Figure 8: two matrix products, the second of which reads the first. The paper has `i, j` with `k, j`, of which the second
/// is parallel, and then `k` and `i` one after the other, which is what adding `n` comes to.
#[test]
fn figure_8_two_matrix_products() {
    let constraints = two_matrix_products();
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[n] -> [{ S1[i, j, k] -> [(j)]; S2[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(i)]; S2[i, j, k] -> [(k)] }, { S1[i, j, k] -> [(k)]; S2[i, j, k] -> [(n + i)] }]"
        permutable: 1
        coincident: [ 1, 0, 0 ]
        child:
          set:
          - filter: "{ S1[i, j, k] }"
          - filter: "{ S2[i, j, k] }"
    "#]],
    );
}

/// Figure 8 without fusion where that costs coincidence: both nests keep two parallel loops.
#[test]
fn figure_8_incremental() {
    let options = Options {
        fusion: Fusion::Incremental,
        ..Options::default()
    };
    check(
        &options,
        &two_matrix_products(),
        expect![[r#"
        sequence:
        - filter: "{ S1[i, j, k] }"
          child:
            schedule: "[n] -> [{ S1[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(k)] }]"
            permutable: 1
            coincident: [ 1, 1, 0 ]
        - filter: "{ S2[i, j, k] }"
          child:
            schedule: "[n] -> [{ S2[i, j, k] -> [(i)] }, { S2[i, j, k] -> [(j)] }, { S2[i, j, k] -> [(k)] }]"
            permutable: 1
            coincident: [ 1, 1, 0 ]
    "#]],
    );
}

fn two_matrix_products() -> farkas_polyhedral::schedule::ScheduleConstraints {
    constraints(
        "[n] -> { : n > 0 }
         S1[i, j, k] | 1 <= i, j, k <= n | [0, i, j, k] | C[i, j]; A[i, k]; B[k, j]; C[i, j]
         S2[i, j, k] | 1 <= i, j, k <= n | [1, i, j, k] | D[i, j]; E[i, k]; C[k, j]; D[i, j]",
    )
}

/// Figure 9: five stencils one after the other. The paper fuses them with shifts of 0 to 4.
#[test]
fn figure_9_stencils() {
    let stencil = |k: usize| {
        let p = k - 1;
        format!("S{k}[i] | 2 <= i < n | [{k}, i] | a{p}[i - 1]; a{p}[i]; a{p}[i + 1]; a{k}[i]\n")
    };
    let stencils: String = (1..=5).map(stencil).collect();
    let constraints = constraints(&format!("[n] -> {{ : n > 2 }}\n{stencils}"));
    check(
        &pluto(),
        &constraints,
        expect![[r#"
        schedule: "[n] -> [{ S1[i] -> [(i)]; S2[i] -> [(1 + i)]; S3[i] -> [(2 + i)]; S4[i] -> [(3 + i)]; S5[i] -> [(4 + i)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S1[i] }"
          - filter: "{ S2[i] }"
          - filter: "{ S3[i] }"
          - filter: "{ S4[i] }"
          - filter: "{ S5[i] }"
    "#]],
    );
}

/// Figure 10: the four-index transform, four nests of depth five.
#[test]
fn figure_10_four_index_transform() {
    let constraints = constraints(
        "[n] -> { : n > 0 }
         S1[a, q, r, s, p] | 0 <= a, q, r, s, p < n | [0, a, q, r, s, p] | T1[a, q, r, s]; A[p, q, r, s]; C4[p, a]; T1[a, q, r, s]
         S2[a, b, r, s, q] | 0 <= a, b, r, s, q < n | [1, a, b, r, s, q] | T2[a, b, r, s]; T1[a, q, r, s]; C3[q, b]; T2[a, b, r, s]
         S3[a, b, c, s, r] | 0 <= a, b, c, s, r < n | [2, a, b, c, s, r] | T3[a, b, c, s]; T2[a, b, r, s]; C2[r, c]; T3[a, b, c, s]
         S4[a, b, c, d, s] | 0 <= a, b, c, d, s < n | [3, a, b, c, d, s] | B[a, b, c, d]; T3[a, b, c, s]; C1[s, d]; B[a, b, c, d]",
    );
    let tree = farkas_polyhedral::schedule::schedule(
        &constraints,
        &pluto(),
        &farkas_polyhedral::budget::Budget::new(3_000_000),
    );
    expect![[r#"
        domain: "[n] -> { S1[a, q, r, s, p] : 0 <= a < n and 0 <= q < n and 0 <= r < n and 0 <= s < n and 0 <= p < n; S2[a, b, r, s, q] : 0 <= a < n and 0 <= b < n and 0 <= r < n and 0 <= s < n and 0 <= q < n; S3[a, b, c, s, r] : 0 <= a < n and 0 <= b < n and 0 <= c < n and 0 <= s < n and 0 <= r < n; S4[a, b, c, d, s] : 0 <= a < n and 0 <= b < n and 0 <= c < n and 0 <= d < n and 0 <= s < n }"
        child:
          context: "[n] -> { [] : n > 0 }"
          child:
            schedule: "[n] -> [{ S1[a, q, r, s, p] -> [(a)]; S2[a, b, r, s, q] -> [(a)]; S3[a, b, c, s, r] -> [(a)]; S4[a, b, c, d, s] -> [(a)] }, { S1[a, q, r, s, p] -> [(q + s)]; S2[a, b, r, s, q] -> [(s + q)]; S3[a, b, c, s, r] -> [(n + s)]; S4[a, b, c, d, s] -> [(n + s)] }, { S1[a, q, r, s, p] -> [(r)]; S2[a, b, r, s, q] -> [(r)]; S3[a, b, c, s, r] -> [(r)]; S4[a, b, c, d, s] -> [(n + b)] }, { S1[a, q, r, s, p] -> [(-s)]; S2[a, b, r, s, q] -> [(b - s)]; S3[a, b, c, s, r] -> [(b)]; S4[a, b, c, d, s] -> [(b + c)] }, { S1[a, q, r, s, p] -> [(p)]; S2[a, b, r, s, q] -> [(n + b)]; S3[a, b, c, s, r] -> [(n + b + c)]; S4[a, b, c, d, s] -> [(n + b + c + d)] }]"
            permutable: 1
            coincident: [ 1, 0, 0, 0, 0 ]
            child:
              set:
              - filter: "{ S1[a, q, r, s, p] }"
              - filter: "{ S2[a, b, r, s, q] }"
              - filter: "{ S3[a, b, c, s, r] }"
              - filter: "{ S4[a, b, c, d, s] }"
    "#]].assert_eq(&tree.unwrap().to_string());
}

fn concurrent_start() -> Options {
    Options {
        concurrent_start: true,
        ..pluto()
    }
}

/// Diamond tiling of 1-d Jacobi in one array with time: `2 t = (t - i) + (t + i)`.
#[test]
fn diamonds_jacobi_1d() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S[t, i] | 0 <= t < T and 0 < i < n - 1 | [t, i] | a[t, i - 1]; a[t, i]; a[t, i + 1]; a[t + 1, i]",
    );
    check(
        &concurrent_start(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i] -> [(t - i)] }, { S[t, i] -> [(t + i)] }]"
        permutable: 1
    "#]],
    );
}

/// Diamond tiling of 1-d Jacobi in two arrays, where time has to tell the two statements apart.
#[test]
fn diamonds_jacobi_1d_in_two_arrays() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S1[t, i] | 1 <= t <= T and 2 <= i < n | [t, 0, i] | a[i - 1]; a[i]; a[i + 1]; b[i]
         S2[t, j] | 1 <= t <= T and 2 <= j < n | [t, 1, j] | b[j - 1]; b[j]; b[j + 1]; a[j]",
    );
    check(
        &concurrent_start(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S1[t, i] -> [(2t - i)]; S2[t, j] -> [(1 + 2t - j)] }, { S1[t, i] -> [(2t + i)]; S2[t, j] -> [(1 + 2t + j)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S1[t, i] }"
          - filter: "{ S2[t, j] }"
    "#]],
    );
}

/// Diamond tiling of a star-shaped stencil in two dimensions.
#[test]
fn diamonds_jacobi_2d() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S[t, i, j] | 0 <= t < T and 0 < i, j < n - 1 | [t, i, j] | a[t, i - 1, j]; a[t, i, j]; a[t, i + 1, j]; a[t, i, j - 1]; a[t, i, j + 1]; a[t + 1, i, j]",
    );
    check(
        &concurrent_start(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t - i - j)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(t + j)] }]"
        permutable: 1
    "#]],
    );
}

/// In seidel-2d no face carries all dependences: the band stays as it is.
#[test]
fn no_diamonds_seidel_2d() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 2 }
         S[t, i, j] | 0 <= t < T and 0 < i, j < n - 1 | [t, i, j] | a[i - 1, j]; a[i, j - 1]; a[i, j]; a[i, j + 1]; a[i + 1, j]; a[i, j]",
    );
    check(
        &concurrent_start(),
        &constraints,
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(t + j)] }]"
        permutable: 1
    "#]],
    );
}
