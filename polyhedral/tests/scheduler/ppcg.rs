//! The examples of P0, sections 6 and 7. Each test says which one it is, and what the paper has. What section 7.5 says of
//! coalescing in words is in `coalescing.rs`, section 5 in `device.rs`.

use crate::program::constraints;
use crate::verify::check;
use expect_test::expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{Fallback, Fusion, Options, ScheduleConstraints, schedule};

/// PPCG's options: as isl's defaults, with outer coincidence.
pub(crate) fn ppcg() -> Options {
    Options {
        fusion: Fusion::Incremental,
        outer_coincidence: true,
        ..Options::default()
    }
}

fn parse(text: &str) -> ScheduleConstraints {
    text.parse().unwrap()
}

/// Listing 11: jacobi-2d in two arrays.
fn jacobi_2d() -> ScheduleConstraints {
    constraints(
        "[T, n] -> { : T >= 0 and n >= 0 }
         S[t, i, j] | 0 <= t < T and 0 < i, j < n - 1 | [t, 0, i, j] | A[i, j]; A[i, j - 1]; A[i, j + 1]; A[i + 1, j]; A[i - 1, j]; B[i, j]
         T[t, i, j] | 0 <= t < T and 0 < i, j < n - 1 | [t, 1, i, j] | B[i, j]; B[i, j - 1]; B[i, j + 1]; B[i + 1, j]; B[i - 1, j]; A[i, j]",
    )
}

/// Example 8, equation 6. The paper has `t, 2t + i, 2t + i + j`, whose last member has a larger sum of coefficients.
#[test]
fn example_8_pluto() {
    let options = Options {
        outer_coincidence: false,
        ..ppcg()
    };
    check(
        &options,
        &jacobi_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t)]; T[t, i, j] -> [(t)] }, { S[t, i, j] -> [(2t + i)]; T[t, i, j] -> [(1 + 2t + i)] }, { S[t, i, j] -> [(2t + j)]; T[t, i, j] -> [(1 + 2t + j)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S[t, i, j] }"
          - filter: "{ T[t, i, j] }"
    "#]],
    );
}

/// Example 8, figure 13.
#[test]
fn example_8_outer_coincidence() {
    check(
        &ppcg(),
        &jacobi_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t)]; T[t, i, j] -> [(t)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ T[t, i, j] -> [(i)] }, { T[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

/// Examples 8, 15 and 19, equations 8 and 82: without carrying self-dependences first, `2t` and `2t + 1`, which is what
/// is scaled down in the test above that does without it.
#[test]
fn example_15_scaled() {
    let options = Options {
        carry_self_first: false,
        split_scaled: false,
        ..ppcg()
    };
    check(
        &options,
        &jacobi_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(2t)]; T[t, i, j] -> [(1 + 2t)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ S[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ T[t, i, j] -> [(i)] }, { T[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

/// Example 19, equation 83: `t` for both after scaling down.
#[test]
fn example_19_unscaled() {
    let options = Options {
        carry_self_first: false,
        ..ppcg()
    };
    check(
        &options,
        &jacobi_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t)]; T[t, i, j] -> [(t)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ S[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[t, i, j] }"
            child:
              schedule: "[T, n] -> [{ T[t, i, j] -> [(i)] }, { T[t, i, j] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

/// Listing 14: cholesky.
fn cholesky() -> ScheduleConstraints {
    constraints(
        "[n] -> { : n >= 0 }
         A[i, j, k] | 0 <= i < n and 0 <= j < i and 0 <= k < j | [i, 0, j, 0, k] | A[i, j]; A[i, k]; A[j, k]; A[i, j]
         B[i, j] | 0 <= i < n and 0 <= j < i | [i, 0, j, 1, 0] | A[i, j]; A[j, j]; A[i, j]
         C[i, k] | 0 <= i < n and 0 <= k < i | [i, 1, k, 0, 0] | A[i, i]; A[i, k]; A[i, i]
         D[i] | 0 <= i < n | [i, 2, 0, 0, 0] | A[i, i]; A[i, i]",
    )
}

/// Examples 9, 16 and 34, equations 27 and 128: the integral solution without carrying self-dependences first.
#[test]
fn example_9_integral_coefficients() {
    let options = Options {
        carry_self_first: false,
        ..ppcg()
    };
    check(
        &options,
        &cholesky(),
        expect![[r#"
        schedule: "[n] -> [{ A[i, j, k] -> [(i + j + k)]; B[i, j] -> [(i + 2j)]; C[i, k] -> [(2i + k)]; D[i] -> [(3i)] }]"
        permutable: 1
        child:
          set:
          - filter: "{ A[i, j, k] }"
            child:
              schedule: "[n] -> [{ A[i, j, k] -> [(i)] }, { A[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ B[i, j] }"
            child:
              schedule: "[n] -> [{ B[i, j] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ C[i, k] }"
            child:
              schedule: "[n] -> [{ C[i, k] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
          - filter: "{ D[i] }"
    "#]],
    );
}

/// Example 34, equation 129: `k`, `j`, `k`, `i` with self-dependences first.
#[test]
fn example_34_self_dependences_first() {
    check(
        &ppcg(),
        &cholesky(),
        expect![[r#"
        schedule: "[n] -> [{ A[i, j, k] -> [(k)]; B[i, j] -> [(j)]; C[i, k] -> [(k)]; D[i] -> [(i)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ D[i] }"
          - filter: "{ B[i, j]; C[i, k] }"
            child:
              schedule: "[n] -> [{ B[i, j] -> [(i)]; C[i, k] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
              child:
                sequence:
                - filter: "{ B[i, j] }"
                - filter: "{ C[i, k] }"
          - filter: "{ A[i, j, k] }"
            child:
              schedule: "[n] -> [{ A[i, j, k] -> [(i)] }, { A[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

/// Example 18, equation 78: the alternative of section 6.7.2.
#[test]
fn example_18_single_member() {
    let options = Options {
        fallback: Fallback::SingleMember,
        ..ppcg()
    };
    check(
        &options,
        &cholesky(),
        expect![[r#"
        schedule: "[n] -> [{ A[i, j, k] -> [(k)]; B[i, j] -> [(j)]; C[i, k] -> [(k)]; D[i] -> [(i)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ D[i] }"
          - filter: "{ B[i, j]; C[i, k] }"
            child:
              schedule: "[n] -> [{ B[i, j] -> [(i)]; C[i, k] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
              child:
                sequence:
                - filter: "{ B[i, j] }"
                - filter: "{ C[i, k] }"
          - filter: "{ A[i, j, k] }"
            child:
              schedule: "[n] -> [{ A[i, j, k] -> [(i)] }, { A[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
    "#]],
    );
}

/// Example 18, equation 79: the alternative of section 6.7.3.
#[test]
fn example_18_validity() {
    let options = Options {
        fallback: Fallback::Validity,
        ..ppcg()
    };
    check(
        &options,
        &cholesky(),
        expect![[r#"
        schedule: "[n] -> [{ A[i, j, k] -> [(i)]; B[i, j] -> [(i)]; C[i, k] -> [(i)]; D[i] -> [(i)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ A[i, j, k]; B[i, j] }"
            child:
              schedule: "[n] -> [{ A[i, j, k] -> [(j)]; B[i, j] -> [(j)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "{ A[i, j, k] }"
                  child:
                    schedule: "[n] -> [{ A[i, j, k] -> [(k)] }]"
                    permutable: 1
                - filter: "{ B[i, j] }"
          - filter: "{ C[i, k] }"
            child:
              schedule: "[n] -> [{ C[i, k] -> [(k)] }]"
              permutable: 1
          - filter: "{ D[i] }"
    "#]],
    );
}

/// Listing 15 with a symbolic or a fixed size.
pub(crate) fn sum(n: &str) -> ScheduleConstraints {
    let flow = format!(
        "[n] -> {{ S[i, j] -> S[i, j + 1] : 0 <= i < {n} and 0 <= j < {n} - 1; S[i, {n} - 1] -> S[i + 1, 0] : 0 <= i < {n} - 1 }}"
    );
    parse(&format!(
        "domain: [n] -> {{ S[i, j] : 0 <= i, j < {n} }}\nvalidity: {flow}\nproximity: {flow}\ncoincidence: {flow}"
    ))
}

/// Example 10, equations 28 to 35: only the second group can be carried, by `i`.
#[test]
fn example_10_groups() {
    check(
        &ppcg(),
        &sum("n"),
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
        permutable: 1
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

/// Examples 13 and 30, equation 107: `i`, not `10000 i + j`.
#[test]
fn example_30_recovered_from_coalescing() {
    check(
        &ppcg(),
        &sum("10000"),
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
        permutable: 1
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

/// Examples 13 and 30, equations 68 and 69: what coalescing looks like.
#[test]
fn example_13_coalescing() {
    let options = Options {
        treat_coalescing: false,
        ..ppcg()
    };
    check(
        &options,
        &sum("10000"),
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(10000i + j)] }]"
        permutable: 1
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
    "#]],
    );
}

/// Listing 17: seidel-2d.
fn seidel_2d() -> ScheduleConstraints {
    constraints(
        "[T, n] -> { : T >= 0 and n >= 0 }
         S[t, i, j] | 0 <= t < T and 0 < i, j < n - 1 | [t, i, j] | A[i - 1, j - 1]; A[i - 1, j]; A[i - 1, j + 1]; A[i, j - 1]; A[i, j]; A[i, j + 1]; A[i + 1, j - 1]; A[i + 1, j]; A[i + 1, j + 1]; A[i, j]",
    )
}

/// Examples 11 and 17, equations 46, 53 and 57: `4t + 2i + j`, then `t` and `i`, both coincident.
#[test]
fn example_11_linear_independence() {
    check(
        &ppcg(),
        &seidel_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(4t + 2i + j)] }]"
        permutable: 1
        child:
          schedule: "[T, n] -> [{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
    "#]],
    );
}

/// Example 17, equations 75 to 77: the alternative of section 6.7.2 reproduces the original schedule.
#[test]
fn example_17_single_member() {
    let options = Options {
        fallback: Fallback::SingleMember,
        ..ppcg()
    };
    check(
        &options,
        &seidel_2d(),
        expect![[r#"
        schedule: "[T, n] -> [{ S[t, i, j] -> [(t)] }]"
        permutable: 1
        child:
          schedule: "[T, n] -> [{ S[t, i, j] -> [(i)] }]"
          permutable: 1
          child:
            schedule: "[T, n] -> [{ S[t, i, j] -> [(j)] }]"
            permutable: 1
    "#]],
    );
}

/// Example 12: the second direction is significantly better than the first.
#[test]
fn example_12_significantly_better() {
    check(
        &ppcg(),
        &parse(
            "domain: { S[i, j] : 0 <= i, j <= 10 }
proximity: { S[i, j] -> S[1 + i, j] : 0 <= i <= 9 and 0 <= j <= 10 }",
        ),
        expect![[r#"
            schedule: "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
        "#]],
    );
}

/// Listing 18, examples 14: no common bound, and the incremental scheduler's way around it.
#[test]
fn example_14_no_common_bound() {
    let constraints = constraints(
        "[n, m] -> { : }
         A[] | | [0, 0] | a[]
         B[i] | 0 <= i < n | [1, i] | a[]; A[i]
         C[] | | [2, 0] | b[]
         D[i] | 0 <= i < m | [3, i] | b[]; B[i]",
    );
    check(
        &ppcg(),
        &constraints,
        expect![[r#"
        set:
        - filter: "{ A[]; B[i] }"
          child:
            sequence:
            - filter: "{ A[] }"
            - filter: "{ B[i] }"
              child:
                schedule: "[n, m] -> [{ B[i] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
        - filter: "{ C[]; D[i] }"
          child:
            sequence:
            - filter: "{ C[] }"
            - filter: "{ D[i] }"
              child:
                schedule: "[n, m] -> [{ D[i] -> [(i)] }]"
                permutable: 1
                coincident: [ 1 ]
    "#]],
    );
}

/// Example 20: a loop of which only the last iteration is left, as a dimension with a fixed value.
#[test]
fn example_20_domain_compression() {
    let constraints = constraints(
        "[T, n] -> { : T > 0 and n > 0 }
         D[t, j, i, c] | t = T - 1 and 0 <= j < n and j <= i < n and 0 <= c < n | [t, 0, j, i, c, 0] | sum[j, i]; diff[j, i, c]
         S[t, j, i, c] | t = T - 1 and 0 <= j < n and j <= i < n and 0 < c < n | [t, 1, j, i, c, 0] | diff[j, i, c]; s[j, i, c - 1]; s[j, i, c]",
    );
    check(
        &ppcg(),
        &constraints,
        expect![[r#"
        sequence:
        - filter: "{ D[t, j, i, c] }"
          child:
            schedule: "[T, n] -> [{ D[t, j, i, c] -> [(j)] }, { D[t, j, i, c] -> [(i)] }, { D[t, j, i, c] -> [(c)] }]"
            permutable: 1
            coincident: [ 1, 1, 1 ]
        - filter: "{ S[t, j, i, c] }"
          child:
            schedule: "[T, n] -> [{ S[t, j, i, c] -> [(j)] }, { S[t, j, i, c] -> [(i)] }, { S[t, j, i, c] -> [(c)] }]"
            permutable: 1
            coincident: [ 1, 1, 0 ]
    "#]],
    );
}

/// Listing 20: trmm.
fn trmm() -> ScheduleConstraints {
    constraints(
        "[n, m] -> { : n >= 0 and m >= 0 }
         A[i, j, k] | 0 <= i < m and 0 <= j < n and i < k < m | [i, j, 0, k] | A[k, i]; B[k, j]; B[i, j]; B[i, j]
         B[i, j] | 0 <= i < m and 0 <= j < n | [i, j, 1, 0] | B[i, j]; B[i, j]",
    )
}

/// Example 21, listing 21: the whole component, with one coincident member.
#[test]
fn example_21_whole_component() {
    let options = Options {
        fusion: Fusion::Max,
        ..ppcg()
    };
    check(
        &options,
        &trmm(),
        expect![[r#"
        schedule: "[n, m] -> [{ A[i, j, k] -> [(j)]; B[i, j] -> [(j)] }, { A[i, j, k] -> [(k)]; B[i, j] -> [(m)] }, { A[i, j, k] -> [(i)]; B[i, j] -> [(i)] }]"
        permutable: 1
        coincident: [ 1, 0, 0 ]
        child:
          set:
          - filter: "{ A[i, j, k] }"
          - filter: "{ B[i, j] }"
    "#]],
    );
}

/// Example 21, listing 22: each component on its own.
#[test]
fn example_21_incremental() {
    check(
        &ppcg(),
        &trmm(),
        expect![[r#"
        sequence:
        - filter: "{ A[i, j, k] }"
          child:
            schedule: "[n, m] -> [{ A[i, j, k] -> [(j)] }, { A[i, j, k] -> [(k)] }, { A[i, j, k] -> [(i)] }]"
            permutable: 1
            coincident: [ 1, 0, 0 ]
        - filter: "{ B[i, j] }"
          child:
            schedule: "[n, m] -> [{ B[i, j] -> [(i)] }, { B[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
    "#]],
    );
}

/// Listing 29, example 26: small fixed sizes.
#[test]
fn example_26_small_sizes() {
    let constraints = constraints(
        "{ : }
         S[l, m, n, p, i, j, k] | 0 <= l < 50 and 0 <= m < 64 and 0 <= n, p < 8 and 0 <= i < 16 and 0 <= j, k < 5 | [l, m, n, p, i, j, k] | A[l, i, j + n, k + p]; B[l, m, n, p]; C[m, i, j, k]; A[l, i, j + n, k + p]",
    );
    let tree = schedule(&constraints, &ppcg(), &Budget::new(30_000_000)).unwrap();
    expect![[r#"
        domain: "{ S[l, m, n, p, i, j, k] : 0 <= l <= 49 and 0 <= m <= 63 and 0 <= n <= 7 and 0 <= p <= 7 and 0 <= i <= 15 and 0 <= j <= 4 and 0 <= k <= 4 }"
        child:
          schedule: "[{ S[l, m, n, p, i, j, k] -> [(l)] }, { S[l, m, n, p, i, j, k] -> [(n + j)] }, { S[l, m, n, p, i, j, k] -> [(p + k)] }, { S[l, m, n, p, i, j, k] -> [(i)] }, { S[l, m, n, p, i, j, k] -> [(m)] }]"
          permutable: 1
          coincident: [ 1, 1, 1, 1, 0 ]
          child:
            schedule: "[{ S[l, m, n, p, i, j, k] -> [(n)] }]"
            permutable: 1
            child:
              schedule: "[{ S[l, m, n, p, i, j, k] -> [(p)] }]"
              permutable: 1
    "#]].assert_eq(&tree.to_string());
}

/// Listing 32, example 33: the constraints as they are admit the original order.
#[test]
fn example_33_constraints_are_kept() {
    let flow = "{ A[0] -> B[i] : 0 <= i <= 9; B[i] -> A[1 + i] : 0 <= i <= 8 }";
    let constraints = parse(&format!(
        "domain: {{ A[i] : 0 <= i <= 9; B[i] : 0 <= i <= 9 }}\nvalidity: {flow}\nproximity: {flow}\ncoincidence: {flow}"
    ));
    check(
        &ppcg(),
        &constraints,
        expect![[r#"
        schedule: "[{ A[i] -> [(i)]; B[i] -> [(0)] }]"
        permutable: 1
        child:
          sequence:
          - filter: "{ A[i] }"
          - filter: "{ B[i] }"
            child:
              schedule: "[{ B[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]],
    );
}

/// Example 33: without the bounds of the instance sets there is no schedule.
#[test]
fn example_33_too_few_bounds() {
    let constraints = parse("domain: { A[i]; B[i] }\nvalidity: { A[0] -> B[i]; B[i] -> A[1 + i] }");
    let error = schedule(&constraints, &ppcg(), &Budget::new(3_000_000)).unwrap_err();
    expect!["no affine schedule carries any dependence among A[i], B[i]"].assert_eq(&error.to_string());
}

/// Listing 34: durbin.
fn durbin() -> ScheduleConstraints {
    constraints(
        "[n] -> { : n > 0 }
         A[] | | [0, 0, 0, 0] | r[0]; y[0]
         B[] | | [1, 0, 0, 0] | beta[]
         C[] | | [2, 0, 0, 0] | r[0]; alpha[]
         D[k] | 1 <= k < n | [3, k, 0, 0] | alpha[]; beta[]; beta[]
         E[k] | 1 <= k < n | [3, k, 1, 0] | sum[]
         F[k, i] | 1 <= k < n and 0 <= i < k | [3, k, 2, i] | sum[]; r[k - i - 1]; y[i]; sum[]
         G[k] | 1 <= k < n | [3, k, 3, 0] | r[k]; sum[]; beta[]; alpha[]
         H[k, i] | 1 <= k < n and 0 <= i < k | [3, k, 4, i] | y[i]; alpha[]; y[k - i - 1]; z[i]
         I[k, i] | 1 <= k < n and 0 <= i < k | [3, k, 5, i] | z[i]; y[i]
         J[k] | 1 <= k < n | [3, k, 6, 0] | alpha[]; y[k]",
    )
}

/// Example 35, listing 35: a spurious shift of `I` where self-dependences are not carried first.
#[test]
fn example_35_shifted() {
    let options = Options {
        carry_self_first: false,
        ..ppcg()
    };
    check(
        &options,
        &durbin(),
        expect![[r#"
        sequence:
        - filter: "{ A[]; B[]; C[] }"
          child:
            set:
            - filter: "{ A[] }"
            - filter: "{ B[] }"
            - filter: "{ C[] }"
        - filter: "{ D[k]; E[k]; F[k, i]; G[k]; H[k, i]; I[k, i]; J[k] }"
          child:
            schedule: "[n] -> [{ D[k] -> [(k)]; E[k] -> [(k)]; F[k, i] -> [(k)]; G[k] -> [(k)]; H[k, i] -> [(k)]; I[k, i] -> [(1 + k)]; J[k] -> [(k)] }]"
            permutable: 1
            child:
              sequence:
              - filter: "{ D[k]; E[k]; I[k, i] }"
                child:
                  set:
                  - filter: "{ D[k] }"
                  - filter: "{ E[k] }"
                  - filter: "{ I[k, i] }"
                    child:
                      schedule: "[n] -> [{ I[k, i] -> [(i)] }]"
                      permutable: 1
                      coincident: [ 1 ]
              - filter: "{ F[k, i] }"
                child:
                  schedule: "[n] -> [{ F[k, i] -> [(i)] }]"
                  permutable: 1
              - filter: "{ G[k] }"
              - filter: "{ H[k, i]; J[k] }"
                child:
                  set:
                  - filter: "{ H[k, i] }"
                    child:
                      schedule: "[n] -> [{ H[k, i] -> [(i)] }]"
                      permutable: 1
                      coincident: [ 1 ]
                  - filter: "{ J[k] }"
    "#]],
    );
}

/// Example 35, listing 36: no shift.
#[test]
fn example_35_self_dependences_first() {
    check(
        &ppcg(),
        &durbin(),
        expect![[r#"
        sequence:
        - filter: "{ A[]; B[]; C[] }"
          child:
            set:
            - filter: "{ A[] }"
            - filter: "{ B[] }"
            - filter: "{ C[] }"
        - filter: "{ D[k]; E[k]; F[k, i]; G[k]; H[k, i]; I[k, i]; J[k] }"
          child:
            schedule: "[n] -> [{ D[k] -> [(k)]; E[k] -> [(k)]; F[k, i] -> [(k)]; G[k] -> [(k)]; H[k, i] -> [(k)]; I[k, i] -> [(k)]; J[k] -> [(k)] }]"
            permutable: 1
            child:
              sequence:
              - filter: "{ D[k]; E[k] }"
                child:
                  set:
                  - filter: "{ D[k] }"
                  - filter: "{ E[k] }"
              - filter: "{ F[k, i] }"
                child:
                  schedule: "[n] -> [{ F[k, i] -> [(i)] }]"
                  permutable: 1
              - filter: "{ G[k] }"
              - filter: "{ H[k, i] }"
                child:
                  schedule: "[n] -> [{ H[k, i] -> [(i)] }]"
                  permutable: 1
                  coincident: [ 1 ]
              - filter: "{ I[k, i]; J[k] }"
                child:
                  set:
                  - filter: "{ I[k, i] }"
                    child:
                      schedule: "[n] -> [{ I[k, i] -> [(i)] }]"
                      permutable: 1
                      coincident: [ 1 ]
                  - filter: "{ J[k] }"
    "#]],
    );
}
