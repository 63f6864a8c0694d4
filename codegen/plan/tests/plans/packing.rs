//! Packed tiles of arrays.

use super::check;
use expect_test::expect;
use farkas_plan::check_plan;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::PackedTile;

/// `C[i][j] += A[i][k] * B[j][k]` with so many rows.
fn transposed_product(size: &str) -> String {
    format!(
        "program
  context: [n] -> {{ : n > 0 }}
  assumptions: [n] -> {{ : }}
  array C: memory, 8 bytes, [][{size}]
  array A: memory, 8 bytes, [][{size}]
  array B: memory, 8 bytes, [][{size}]
  statement T
    domain: [n] -> {{ T[i, j, k] : 0 <= i < {size} and 0 <= j < {size} and 0 <= k < {size} }}
    schedule: {{ T[i, j, k] -> [i, j, k] }}
    read: [n] -> {{ T[i, j, k] -> C[i, j] }}
    read: [n] -> {{ T[i, j, k] -> A[i, k] }}
    read: [n] -> {{ T[i, j, k] -> B[j, k] }}
    write: [n] -> {{ T[i, j, k] -> C[i, j] }}
    operations: 3 load f64, 1 store f64, 1 add f64, 1 multiply f64
    contracted: 1
    chain: access 0 -> access 3: 1 add f64
    chain: access 1 -> access 3: 1 add f64, 1 multiply f64
    chain: access 2 -> access 3: 1 add f64, 1 multiply f64
"
    )
}

#[test]
fn a_transposed_matrix() {
    check(
        &transposed_product("512"),
        expect![[r#"
        interchanged loops, tiled 256 x 32 x 128, packed B, unrolled and jammed 4 x 4, expected to take 0.04 of the time
        // parallel
        for (int c0 = 0; c0 <= 1; c0 += 1)
          for (int c1 = 0; c1 <= 15; c1 += 1) {
            // parallel
            for (int c2 = 0; c2 <= 3; c2 += 1) {
              // pack(B, B.T)
              // parallel
              for (int c3 = 128 * c2; c3 <= 128 * c2 + 127; c3 += 1) {
                // parallel
                for (int c4 = 32 * c1; c4 <= 32 * c1 + 31; c4 += 1)
                  B.T.in(c0, c1, c2, c3, c4);
              }
              // parallel
              for (int c3 = 64 * c0; c3 <= 64 * c0 + 63; c3 += 1)
                for (int c4 = 8 * c1; c4 <= 8 * c1 + 7; c4 += 1) {
                  // parallel
                  for (int c5 = 128 * c2; c5 <= 128 * c2 + 127; c5 += 1) {
                    T(4 * c3, c5, 4 * c4);
                    T(4 * c3, c5, 4 * c4 + 1);
                    T(4 * c3, c5, 4 * c4 + 2);
                    T(4 * c3, c5, 4 * c4 + 3);
                    T(4 * c3 + 1, c5, 4 * c4);
                    T(4 * c3 + 1, c5, 4 * c4 + 1);
                    T(4 * c3 + 1, c5, 4 * c4 + 2);
                    T(4 * c3 + 1, c5, 4 * c4 + 3);
                    T(4 * c3 + 2, c5, 4 * c4);
                    T(4 * c3 + 2, c5, 4 * c4 + 1);
                    T(4 * c3 + 2, c5, 4 * c4 + 2);
                    T(4 * c3 + 2, c5, 4 * c4 + 3);
                    T(4 * c3 + 3, c5, 4 * c4);
                    T(4 * c3 + 3, c5, 4 * c4 + 1);
                    T(4 * c3 + 3, c5, 4 * c4 + 2);
                    T(4 * c3 + 3, c5, 4 * c4 + 3);
                  }
                }
            }
          }
    "#]],
    );
}

/// Copies of few rows gain nothing.
#[test]
fn small_or_unknown_sizes() {
    for size in ["64", "n"] {
        let program = transposed_product(size).parse().expect("a program");
        assert!(super::planned(&program).expect("a plan").packed.is_empty(), "{size}");
    }
}

/// `C[i][j] += alpha * A[i][k] * B[k][j]`: the rows of a register tile have `alpha * A[i][k]`.
fn scaled_product(size: &str) -> String {
    transposed_product(size)
        .replace("T[i, j, k] -> B[j, k]", "T[i, j, k] -> B[k, j]")
        .replace(
            "1 add f64, 1 multiply f64\n    contracted",
            "1 add f64, 2 multiply f64\n    contracted",
        )
        .replace(
            "access 1 -> access 3: 1 add f64, 1 multiply",
            "access 1 -> access 3: 1 add f64, 2 multiply",
        )
}

/// The loops around lanes.
#[test]
fn a_scaled_factor() {
    let program = scaled_product("768").parse().expect("a program");
    let plan = super::planned(&program).expect("a plan");
    let loops = plan.ast.to_string();
    let around = loops.split("// vector").next().expect("loops");
    expect![[r#"
        tiled 768 x 256 x 128, packed A, unrolled and jammed 6, 4 vector lanes
        // parallel
        for (int c1 = 0; c1 <= 2; c1 += 1)
          for (int c2 = 0; c2 <= 5; c2 += 1) {
            // parallel
            for (int c3 = 0; c3 <= 127; c3 += 1) {
              // pack(A, A.T)
              // parallel
              for (int c4 = 6 * c3; c4 <= 6 * c3 + 5; c4 += 1) {
                // parallel
                for (int c5 = 128 * c2; c5 <= 128 * c2 + 127; c5 += 1)
                  A.T.in(0, c1, c2, c3, c4, c5);
              }
              // parallel
              for (int c4 = 32 * c1; c4 <= 32 * c1 + 31; c4 += 1) {
                // keep(C)
                for (int c5 = 128 * c2; c5 <= 128 * c2 + 127; c5 += 1) {
                  // keep(C)
    "#]]
    .assert_eq(&format!("{}\n{}\n", plan.summary(), around.trim_end()));
}

/// What the checker says of the plan of a transposed product with other tiles.
fn verdict_on(change: impl Fn(&mut PackedTile)) -> String {
    verdict_on_plan(&transposed_product("512"), change)
}

/// The same of any program.
fn verdict_on_plan(program: &str, change: impl Fn(&mut PackedTile)) -> String {
    let program = program.parse().expect("a program");
    let mut plan = super::planned(&program).expect("a plan");
    plan.packed.iter_mut().for_each(change);
    match check_plan(&program, &plan, &Budget::unlimited()).expect("no end of budget") {
        Ok(()) => "legal".to_owned(),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn tiles_that_are_wrong_are_refused() {
    expect!["legal"].assert_eq(&verdict_on(|_| {}));
    // Statements read the element beside it.
    expect![[r#"
        packed array B: a statement reads another element, or writes
    "#]]
    .assert_eq(&verdict_on(|tile| tile.dims[0].offset = 1));
    // They go along the other dimension.
    expect![[r#"
        packed array B: a statement reads another element, or writes
    "#]]
    .assert_eq(&verdict_on(|tile| {
        tile.along.values_mut().for_each(|along| along.reverse())
    }));
    // The buffer is smaller than a tile.
    expect![[r#"
        packed array B: two elements have the same place in the buffer
    "#]]
    .assert_eq(&verdict_on(|tile| tile.dims[1].size = 64));
    // Nothing is said of the buffer that is named.
    expect![[r#"
        packed array B: nothing is said of its buffer
    "#]]
    .assert_eq(&verdict_on(|tile| tile.buffer = "other".into()));
}

#[test]
fn rows_that_are_wrong_are_refused() {
    let verdict_on = |change: fn(&mut PackedTile)| verdict_on_plan(&scaled_product("n"), change);
    expect!["legal"].assert_eq(&verdict_on(|_| {}));
    // Two of the six rows are in one place.
    expect![[r#"
        packed array A: two elements have the same place in the buffer
    "#]]
    .assert_eq(&verdict_on(|tile| tile.dims[0].size = 5));
    // Rows of two register tiles are read at once.
    expect![[r#"
        packed array A: elements of several tiles are accessed at once
    "#]]
    .assert_eq(&verdict_on(|tile| tile.dims[0].size = 8));
}
