//! What is left as it is, or is not done to a program, since it would cost more than it gains.

use super::corpus::programs;
use super::{check, target};
use expect_test::expect;
use farkas_plan::target::Target;
use farkas_plan::{Choices, Stage, budget, plan};
use farkas_polyhedral::program::Program;
use std::cell::Cell;
use std::path::Path;

#[test]
fn a_copy_that_llvm_vectorizes_stays() {
    check(
        "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 8 bytes, [][n]
  array B: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> A[i, j] }
    write: [n] -> { S[i, j] -> B[i, j] }
",
        expect![[r#"
            left as it is: no gain expected: 5.27e6 cycles in the best order found, by bytes into L3, against 5.27e6 in the original
        "#]],
    );
}

/// An accumulator at a fixed element is a chain, however the loop is split.
#[test]
fn a_sum_in_a_fixed_element_stays() {
    check(
        "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, []
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [i] }
    read: [n] -> { S[i] -> a[0] }
    read: [n] -> { S[i] -> a[i] }
    write: [n] -> { S[i] -> a[0] }
    operations: 2 load f64, 1 store f64, 1 add f64
    chain: access 0 -> access 2: 1 add f64
    chain: access 1 -> access 2: 1 add f64
",
        expect![[r#"
            left as it is: no gain expected: each loop has a single statement, so that there is no other order
        "#]],
    );
}

#[test]
fn rows_of_many_arrays_are_not_jammed() {
    check(
        "program
  context: [n, m] -> { : }
  assumptions: [n, m] -> { : m >= 2 }
  array h: memory, 4 bytes, [][m]
  array u: memory, 4 bytes, [][m]
  array v: memory, 4 bytes, [][m]
  array p: memory, 4 bytes, [][m]
  statement S
    domain: [n, m] -> { S[i, j] : 0 < i < n - 1 and 0 < j < m - 1 }
    schedule: { S[i, j] -> [i, j] }
    read: [n, m] -> { S[i, j] -> h[i, j] }
    read: [n, m] -> { S[i, j] -> u[i, j - 1] }
    read: [n, m] -> { S[i, j] -> u[i, j + 1] }
    read: [n, m] -> { S[i, j] -> v[i - 1, j] }
    read: [n, m] -> { S[i, j] -> v[i + 1, j] }
    write: [n, m] -> { S[i, j] -> p[i, j] }
    operations: 5 load f32, 1 store f32, 4 add f32, 1 multiply f32
    contracted: 1
",
        expect![[r#"
            left as it is: no gain expected: 4.50e6 cycles in the best order found, by bytes into L3, against 4.50e6 in the original
        "#]],
    );
}

#[test]
fn a_star_has_fewer_rows_than_its_box() {
    // 9 of 25 rows: they stay in the first cache along the loop over `j`, so that jammed rows gain less.
    check(
        "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array u: memory, 8 bytes, [][n][n]
  array v: memory, 8 bytes, [][n][n]
  statement S
    domain: [n] -> { S[i, j, k] : 1 < i < n - 2 and 1 < j < n - 2 and 1 < k < n - 2 }
    schedule: { S[i, j, k] -> [i, j, k] }
    read: [n] -> { S[i, j, k] -> u[i, j, k] }
    read: [n] -> { S[i, j, k] -> u[i - 1, j, k] }
    read: [n] -> { S[i, j, k] -> u[i + 1, j, k] }
    read: [n] -> { S[i, j, k] -> u[i, j - 1, k] }
    read: [n] -> { S[i, j, k] -> u[i, j + 1, k] }
    read: [n] -> { S[i, j, k] -> u[i, j, k - 1] }
    read: [n] -> { S[i, j, k] -> u[i, j, k + 1] }
    read: [n] -> { S[i, j, k] -> u[i - 2, j, k] }
    read: [n] -> { S[i, j, k] -> u[i + 2, j, k] }
    read: [n] -> { S[i, j, k] -> u[i, j - 2, k] }
    read: [n] -> { S[i, j, k] -> u[i, j + 2, k] }
    read: [n] -> { S[i, j, k] -> u[i, j, k - 2] }
    read: [n] -> { S[i, j, k] -> u[i, j, k + 2] }
    write: [n] -> { S[i, j, k] -> v[i, j, k] }
    operations: 13 load f64, 1 store f64, 12 add f64, 3 multiply f64
    contracted: 3
",
        expect![[r#"
            left as it is: no gain expected: another order would gain for larger sizes than arrays have, if at all
        "#]],
    );
}

/// Jammed windows of parametric sizes have loops that cost too much. Then a simpler order is taken.
#[test]
fn where_jammed_loops_cost_too_much_there_are_none() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/plans/windows.scop");
    let programs = programs(&path);
    let (_, program) = &programs[0];
    let target = Target::preset("x86-64-v3").expect("a preset");
    let jammed = Cell::new(0);
    let show = |stage: Stage, text: &dyn std::fmt::Display| {
        let chosen = |line: &&str| line.starts_with('*') && line.contains("jammed");
        if stage == Stage::Candidates {
            jammed.set(jammed.get() + text.to_string().lines().filter(chosen).count());
        }
    };
    let choices = Choices::default();
    let plan = plan(program, &target, &choices, &show, &budget(program, &choices)).expect("a plan");
    assert!(jammed.get() > 0, "a jammed order is chosen first");
    expect!["interchanged loops, unrolled and jammed 4 x 4, where cols >= 48"].assert_eq(&plan.summary().to_string());
}

#[test]
fn no_loop_is_much_longer_than_its_statements_for_small_sizes() {
    let program: Program = "program
  context: [n] -> { : n <= 1000 }
  assumptions: [n] -> { : }
  array A: memory, 16 bytes, []
  array B: memory, 16 bytes, []
  array z: scalar slot, 4 bytes
  array s: scalar slot, 10 bytes
  statement S
    domain: [n] -> { S[i] : 0 <= i <= 1 }
    schedule: { S[i] -> [(0), (i), (0), (0), (0), (0), (0)] }
    write: [n] -> { S[i] -> s[] : 0 <= i <= 1 }
  statement P
    domain: [n] -> { P[i, j] : 0 <= i <= 1 and 0 <= j < n }
    schedule: { P[i, j] -> [(0), (i), (2), (j), (1), (0), (0)] }
    write: [n] -> { P[i, j] -> z[] : 0 <= i <= 1 and 0 <= j < n }
  statement R
    domain: [n] -> { R[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    schedule: { R[i, j, k] -> [(0), (i), (2), (j), (2), (k), (1)] }
    read: [n] -> { R[i, j, k] -> A[(1 + k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    read: [n] -> { R[i, j, k] -> B[(-2 + k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    read: [n] -> { R[i, j, k] -> B[(k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    write: [n] -> { R[i, j, k] -> B[(k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    read: [n] -> { R[i, j, k] -> B[(2 + 2k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    write: [n] -> { R[i, j, k] -> B[(2 + 2k)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
  statement T
    domain: [n] -> { T[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    schedule: { T[i, j, k] -> [(0), (i), (2), (j), (2), (k), (2)] }
    read: [n] -> { T[i, j, k] -> s[] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    read: [n] -> { T[i, j, k] -> A[(1 + i)] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    write: [n] -> { T[i, j, k] -> s[] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
  statement Q
    domain: [n] -> { Q[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
    schedule: { Q[i, j, k] -> [(0), (i), (2), (j), (2), (k), (3)] }
    write: [n] -> { Q[i, j, k] -> z[] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n }
  statement U
    domain: [n] -> { U[i] : 0 <= i <= 1 }
    schedule: { U[i] -> [(0), (i), (3), (0), (0), (0), (0)] }
    read: [n] -> { U[i] -> s[] : 0 <= i <= 1 }
    read: [n] -> { U[i] -> B[(2 + i)] : 0 <= i <= 1 }
    write: [n] -> { U[i] -> B[(2 + i)] : 0 <= i <= 1 }
  kill: [n] -> { s.end[] -> s[] }
    schedule: { s.end[] -> [(1), (0), (0), (0), (0), (0), (0)] }
"
    .parse()
    .expect("a program");
    let choices = Choices {
        unprofitable: true,
        ..Choices::default()
    };
    let b = budget(&program, &choices);
    let plan = plan(&program, &target(), &choices, &|_, _| {}, &b).expect("a plan");
    // It is known that `n` is 1000 at the most, by which a row `998 j + k` could carry what waits for all of `T`.
    expect![[r#"
        domain: "[n] -> { S[i] : 0 <= i <= 1; P[i, j] : 0 <= i <= 1 and 0 <= j < n; R[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n; T[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n; Q[i, j, k] : 0 <= i <= 1 and 0 <= j < n and 0 <= k <= -3 + n; U[i] : 0 <= i <= 1 }"
        child:
          set:
          - filter: "{ S[i]; R[i, j, k]; T[i, j, k]; U[i] }"
            child:
              schedule: "[n] -> [{ S[i] -> [(0)]; R[i, j, k] -> [(i)]; T[i, j, k] -> [(i)]; U[i] -> [(i)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "{ R[i, j, k] }"
                  child:
                    schedule: "[n] -> [{ R[i, j, k] -> [(j)] }]"
                    permutable: 1
                    child:
                      schedule: "[n] -> [{ R[i, j, k] -> [(k)] }]"
                      permutable: 1
                      options: "{ separate[(0)] }"
                - filter: "{ S[i]; T[i, j, k]; U[i] }"
                  child:
                    schedule: "[n] -> [{ S[i] -> [(999i)]; T[i, j, k] -> [(j)]; U[i] -> [(999)] }]"
                    permutable: 1
                    child:
                      schedule: "[n] -> [{ S[i] -> [(0)]; T[i, j, k] -> [(1 - j + k)]; U[i] -> [(0)] }]"
                      permutable: 1
                      options: "{ separate[(0)] }"
                      child:
                        set:
                        - filter: "{ S[i]; U[i] }"
                          child:
                            sequence:
                            - filter: "{ U[i] }"
                            - filter: "{ S[i] }"
                        - filter: "{ T[i, j, k] }"
          - filter: "{ P[i, j]; Q[i, j, k] }"
            child:
              schedule: "[n] -> [{ P[i, j] -> [(i)]; Q[i, j, k] -> [(i)] }]"
              permutable: 1
              child:
                schedule: "[n] -> [{ P[i, j] -> [(j)]; Q[i, j, k] -> [(j)] }]"
                permutable: 1
                child:
                  sequence:
                  - filter: "{ P[i, j] }"
                  - filter: "{ Q[i, j, k] }"
                    child:
                      schedule: "[n] -> [{ Q[i, j, k] -> [(k)] }]"
                      permutable: 1
                      options: "{ separate[(0)] }"
    "#]].assert_eq(&plan.tree.to_string());
}

/// Lanes next to each other have different iterations of `j`: those that not all lanes have are at the ends of loops around the hole.
#[test]
fn sums_over_all_elements_but_one_have_lanes_around_them() {
    check(
        "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array A: memory, 4 bytes, [][n]
  array x: memory, 4 bytes, []
  array s: memory, 4 bytes, []
  statement S
    domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < i; S[i, j] : 0 <= i and i < j < n }
    schedule: { S[i, j] -> [i, j] }
    read: [n] -> { S[i, j] -> s[i] }
    read: [n] -> { S[i, j] -> A[i, j] }
    read: [n] -> { S[i, j] -> x[j] }
    write: [n] -> { S[i, j] -> s[i] }
    operations: 3 load f32, 1 store f32, 1 add f32, 1 multiply f32
    contracted: 1
    chain: access 0 -> access 3: 1 add f32
    chain: access 1 -> access 3: 1 add f32, 1 multiply f32
    chain: access 2 -> access 3: 1 add f32, 1 multiply f32
",
        expect![[r#"
            8 vector lanes, transposed 8 iterations at a time, where n >= 32, expected to take 0.15 of the time
            // parallel
            for (int c0 = 0; c0 <= (n - 1) / 8; c0 += 1) {
              // vector(8, masked)
              // parallel
              // lanes
              for (int c1 = 8 * c0; c1 <= min(n - 1, 8 * c0 + 7); c1 += 1) {
                // block(8, A)
                // keep(s)
                for (int c2 = 0; c2 < c1; c2 += 1) {
                  // block(8, A)
                  // keep(s)
                  S(c1, c2);
                }
                // block(8, A)
                // keep(s)
                for (int c2 = c1 + 1; c2 < n; c2 += 1) {
                  // block(8, A)
                  // keep(s)
                  S(c1, c2);
                }
              }
            }
        "#]],
    );
}

/// LLVM unrolls the loops over the window, so that they cost the original nothing. The new order pays for images beyond caches only.
#[test]
fn a_constant_window_pays_for_large_images_only() {
    check(
        "program
  context: [h, w, c] -> { : h > 0 and w > 0 and c > 0 }
  assumptions: [h, w, c] -> { : }
  array I: memory, 4 bytes, [][w + 2][c]
  array F: memory, 4 bytes, [][3][c]
  array O: memory, 4 bytes, [][w][c]
  statement S
    domain: [h, w, c] -> { S[y, x, z, i, j] : 0 <= y < h and 0 <= x < w and 0 <= z < c and 0 <= i < 3 and 0 <= j < 3 }
    schedule: { S[y, x, z, i, j] -> [y, x, z, i, j] }
    read: { S[y, x, z, i, j] -> O[y, x, z] }
    read: { S[y, x, z, i, j] -> I[y + i, x + j, z] }
    read: { S[y, x, z, i, j] -> F[i, j, z] }
    write: { S[y, x, z, i, j] -> O[y, x, z] }
    operations: 3 load f32, 1 store f32, 1 add f32, 1 multiply f32
    contracted: 1
    chain: access 0 -> access 3: 1 add f32
    chain: access 1 -> access 3: 1 add f32, 1 multiply f32
    chain: access 2 -> access 3: 1 add f32, 1 multiply f32
",
        expect![[r#"
            interchanged loops, sank parallel loops, tiled 32 x 32 x all x 512, where h >= 2 and w >= 1000 and c >= 512, expected to take 0.73 of the time
            // parallel
            for (int c0 = 0; c0 <= (h - 1) / 32; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 <= (w - 1) / 32; c1 += 1) {
                // parallel
                for (int c2 = 0; c2 <= (c - 1) / 512; c2 += 1)
                  for (int c3 = 0; c3 <= 2; c3 += 1) {
                    // parallel
                    for (int c4 = 32 * c0; c4 <= min(h - 1, 32 * c0 + 31); c4 += 1) {
                      // parallel
                      for (int c5 = 32 * c1; c5 <= min(w - 1, 32 * c1 + 31); c5 += 1)
                        for (int c6 = 0; c6 <= 2; c6 += 1) {
                          // parallel
                          for (int c7 = 512 * c2; c7 <= min(c - 1, 512 * c2 + 511); c7 += 1)
                            S(c4, c5, c7, c3, c6);
                        }
                    }
                  }
              }
            }
        "#]],
    );
}
