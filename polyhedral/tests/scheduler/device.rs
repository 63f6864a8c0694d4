//! P0, section 5: what mapping to a device asks of a schedule. The mapping itself (blocks, threads, registers, shared
//! memory, copies) is not this crate's. Each test says which example it is, and what the paper has.

use crate::ppcg::ppcg;
use crate::program::constraints;
use expect_test::expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::check_tree;
use farkas_polyhedral::schedule::{Fusion, Options, ScheduleConstraints, schedule};
use farkas_polyhedral::tree::{Node, Path, TileOptions, Tree};

/// The tree of PPCG's options, with what can share bands in one.
fn scheduled(constraints: &ScheduleConstraints) -> Tree {
    let options = Options {
        fusion: Fusion::Max,
        ..ppcg()
    };
    schedule(constraints, &options, &Budget::new(1_000_000)).unwrap()
}

/// Listing 6: matrix multiplication.
fn matrix_multiplication() -> ScheduleConstraints {
    constraints(
        "[M, N, K] -> { : M > 0 and N > 0 and K > 0 }
         S1[i, j] | 0 <= i < M and 0 <= j < N | [i, j, 0, 0] | C[i, j]
         S2[i, j, k] | 0 <= i < M and 0 <= j < N and 0 <= k < K | [i, j, 1, k] | C[i, j]; A[i, k]; B[k, j]; C[i, j]",
    )
}

/// Example 4, listings 6 and 7: a band of three members, of which the first two are coincident, and its tiles, counted by
/// their first points as the paper's loops are, around the points of a tile, counted from its first one.
#[test]
fn example_4_tiled_band() {
    let constraints = matrix_multiplication();
    let options = TileOptions {
        scale_tiles: true,
        shift_points: true,
    };
    let tree = scheduled(&constraints)
        .with_band(&Path::root(), |band| band.tiled_with(&[32, 32, 32], options))
        .unwrap();
    let b = Budget::new(1_000_000);
    let verdict = check_tree(&constraints.validity, &constraints.coincidence, &tree, &b).unwrap();
    assert!(verdict.is_legal());
    expect![[r#"
        domain: "[M, N, K] -> { S1[i, j] : 0 <= i < M and 0 <= j < N; S2[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }"
        child:
          context: "[M, N, K] -> { [] : M > 0 and N > 0 and K > 0 }"
          child:
            schedule: "[M, N, K] -> [{ S1[i, j] -> [(32*floor((i)/32))]; S2[i, j, k] -> [(32*floor((i)/32))] }, { S1[i, j] -> [(32*floor((j)/32))]; S2[i, j, k] -> [(32*floor((j)/32))] }, { S1[i, j] -> [(0)]; S2[i, j, k] -> [(32*floor((k)/32))] }]"
            permutable: 1
            coincident: [ 1, 1, 0 ]
            child:
              schedule: "[M, N, K] -> [{ S1[i, j] -> [(((i) mod 32))]; S2[i, j, k] -> [(((i) mod 32))] }, { S1[i, j] -> [(((j) mod 32))]; S2[i, j, k] -> [(((j) mod 32))] }, { S1[i, j] -> [(0)]; S2[i, j, k] -> [(((k) mod 32))] }]"
              permutable: 1
              coincident: [ 1, 1, 0 ]
              child:
                sequence:
                - filter: "{ S1[i, j] }"
                - filter: "{ S2[i, j, k] }"
    "#]].assert_eq(&tree.to_string());
}

/// Example 5, listing 8: syrk. The paper maps the first of the two references to `A` to shared memory, for `i` and `k`
/// (and not `j`) vary in it; `C[i, j]` can be in a register, for it depends on coincident members only. The schedule has
/// both coincident members first, and `k` last.
#[test]
fn example_5_syrk() {
    let tree = scheduled(&constraints(
        "[N, M] -> { : N > 0 and M > 0 }
         S[i, j] | 0 <= i < N and 0 <= j <= i | [i, 0, j, 0] | C[i, j]; C[i, j]
         T[i, j, k] | 0 <= i < N and 0 <= j <= i and 0 <= k < M | [i, 1, k, j] | C[i, j]; A[i, k]; A[j, k]; C[i, j]",
    ));
    expect![[r#"
        domain: "[N, M] -> { S[i, j] : 0 <= i < N and 0 <= j <= i; T[i, j, k] : 0 <= i < N and 0 <= j <= i and 0 <= k < M }"
        child:
          context: "[N, M] -> { [] : N > 0 and M > 0 }"
          child:
            schedule: "[N, M] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
            permutable: 1
            coincident: [ 1, 1, 0 ]
            child:
              sequence:
              - filter: "{ S[i, j] }"
              - filter: "{ T[i, j, k] }"
    "#]].assert_eq(&tree.to_string());
}

/// Example 6, listing 9: what is copied to shared memory is copied within each tile of `k`, what stays in a register outside
/// the loop over them. The schedule has to have the tiles of `k` innermost among those of its band, and the band has to
/// be one of which the register's `C[i, j]` depends on the coincident members only.
#[test]
fn example_6_innermost_tile_loop() {
    let tree = scheduled(&matrix_multiplication());
    let Node::Band(band) = &tree.root else {
        panic!("a band at the root of\n{tree}")
    };
    let coincident: Vec<bool> = band.members().iter().map(|member| member.coincident).collect();
    assert_eq!(coincident, [true, true, false]);
    let update = tree.domain.tuples().find(|tuple| tuple.n() == 3).unwrap();
    expect!["[M, N, K] -> { S2[i, j, k] -> [(i), (j), (k)] }"]
        .assert_eq(&band.function_of(update).unwrap().to_string());
}
