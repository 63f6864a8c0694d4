//! The check of orders with expanded scalars: each read finds the value that it found in the slot, and elements are not used again before
//! the last read of a value.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_plan::{PlannedOrder, check_order};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::{Copies, Expansion, LastValues, Program};
use farkas_polyhedral::sets::{Aff, MultiAff, Tuple};
use farkas_polyhedral::tree::Tree;

/// Gaussian elimination, with the multiplier in a slot.
const ELIMINATION: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array a: memory, 8 bytes, [][n]
  array f: scalar slot, 8 bytes
  statement S
    domain: [n] -> { S[k, i] : 0 <= k < i < n }
    schedule: { S[k, i] -> [0, k, i, 0, 0] }
    read: [n] -> { S[k, i] -> a[i, k] }
    read: [n] -> { S[k, i] -> a[k, k] }
    write: [n] -> { S[k, i] -> f[] }
  statement T
    domain: [n] -> { T[k, i, j] : 0 <= k < i < n and k <= j < n }
    schedule: { T[k, i, j] -> [0, k, i, 1, j] }
    read: [n] -> { T[k, i, j] -> f[] }
    read: [n] -> { T[k, i, j] -> a[k, j] }
    read: [n] -> { T[k, i, j] -> a[i, j] }
    write: [n] -> { T[k, i, j] -> a[i, j] }
  kill: [n] -> { f.end[] -> f[] }
    schedule: { f.end[] -> [1, 0, 0, 0, 0] }
";

/// Tiles of four iterations in each loop.
const TILES: &str = "domain: \"[n] -> { S[k, i] : 0 <= k < i < n; T[k, i, j] : 0 <= k < i < n and k <= j < n }\"
child:
  schedule: \"[{ S[k, i] -> [floor(k/4)]; T[k, i, j] -> [floor(k/4)] }, { S[k, i] -> [floor(i/4)]; T[k, i, j] -> [floor(i/4)] }, { S[k, i] -> [floor(k/4)]; T[k, i, j] -> [floor(j/4)] }]\"
  child:
    schedule: \"[{ S[k, i] -> [k]; T[k, i, j] -> [k] }, { S[k, i] -> [i]; T[k, i, j] -> [i] }, { S[k, i] -> [k]; T[k, i, j] -> [j] }]\"
    child:
      sequence:
      - filter: \"{ S[k, i] }\"
      - filter: \"{ T[k, i, j] }\"
";

/// A value that only some iterations write (`S` overwrites, or leaves what is there), and each reads; `R` sets it before the loop.
const LAST_POSITIVE: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array x: memory, 8 bytes, []
  array f: scalar slot, 8 bytes
  statement R
    domain: [n] -> { R[] }
    schedule: { R[] -> [0, 0, 0] }
    write: [n] -> { R[] -> f[] }
  statement S
    domain: [n] -> { S[i] : 0 <= i < n }
    schedule: { S[i] -> [1, i, 0] }
    read: [n] -> { S[i] -> x[i] }
    may write: [n] -> { S[i] -> f[] }
  statement T
    domain: [n] -> { T[i] : 0 <= i < n }
    schedule: { T[i] -> [1, i, 1] }
    read: [n] -> { T[i] -> f[] }
    write: [n] -> { T[i] -> x[i] }
  kill: [n] -> { f.end[] -> f[] }
    schedule: { f.end[] -> [2, 0, 0] }
";

/// `S` for two iterations, then `T` for them.
const STRIPS: &str = "domain: \"[n] -> { R[]; S[i] : 0 <= i < n; T[i] : 0 <= i < n }\"
child:
  sequence:
  - filter: \"{ R[] }\"
  - filter: \"{ S[i]; T[i] }\"
    child:
      schedule: \"[{ S[i] -> [floor(i/2)]; T[i] -> [floor(i/2)] }]\"
      child:
        sequence:
        - filter: \"{ S[i] }\"
          child:
            schedule: \"[{ S[i] -> [i] }]\"
        - filter: \"{ T[i] }\"
          child:
            schedule: \"[{ T[i] -> [i] }]\"
";

/// Whether an order of a program is legal with these elements for the slot.
fn check_of((program, tree): (&str, &str), sizes: &[u32], subscripts: &[&str], expected: Expect) {
    let program: Program = program.parse().unwrap();
    let function = |text: &&str| -> (Tuple, MultiAff) {
        let function: MultiAff = text.parse().unwrap();
        (function.space().domain.clone(), function)
    };
    let expansion = Expansion {
        of: Tuple::new("f", 0),
        copies: None,
        sizes: sizes.to_vec(),
        subscripts: subscripts.iter().map(function).collect(),
    };
    let tree: Tree = tree.parse().unwrap();
    let planned = PlannedOrder {
        assumptions: &program.assumptions,
        tree: &tree,
        expansions: &[expansion],
        packings: Vec::new(),
        node_splitting: None,
    };
    let text = match check_order(&program, &planned, &Budget::unlimited()).unwrap() {
        Ok(()) => "legal".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    expected.assert_eq(&text);
}

/// Whether tiles of the elimination are.
fn check(sizes: &[u32], subscripts: [&str; 2], expected: Expect) {
    check_of((ELIMINATION, TILES), sizes, &subscripts, expected);
}

#[test]
fn an_element_for_each_value_in_a_tile() {
    check(
        &[4, 4],
        ["{ S[k, i] -> [k, i] }", "{ T[k, i, j] -> [k, i] }"],
        expect!["legal"],
    );
}

#[test]
fn more_elements() {
    check(
        &[8, 4],
        ["{ S[k, i] -> [k, i + 1] }", "{ T[k, i, j] -> [k, i + 1] }"],
        expect!["legal"],
    );
}

#[test]
fn too_few_elements() {
    check(
        &[4, 2],
        ["{ S[k, i] -> [k, i] }", "{ T[k, i, j] -> [k, i] }"],
        expect!["dependence T[0, 1, 4] by T_0[] -> S[0, 3] by S_0[] is not executed in order, for n = 5"],
    );
}

#[test]
fn one_element() {
    check(
        &[],
        ["{ S[k, i] -> [] }", "{ T[k, i, j] -> [] }"],
        expect!["dependence T[1, 2, 4] by T_0[] -> S[1, 3] by S_0[] is not executed in order, for n = 5"],
    );
}

#[test]
fn an_element_that_another_instance_writes() {
    check(
        &[8, 4],
        ["{ S[k, i] -> [k, i] }", "{ T[k, i, j] -> [k, i + 1] }"],
        expect![[r#"
            expansion of f: a read finds another value
        "#]],
    );
}

#[test]
fn a_value_that_a_later_iteration_reads() {
    check_of(
        (LAST_POSITIVE, STRIPS),
        &[2],
        &["{ R[] -> [0] }", "{ S[i] -> [i] }", "{ T[i] -> [i] }"],
        expect![[r#"
            expansion of f: a read finds another value
        "#]],
    );
}

#[test]
fn a_value_from_before_the_program() {
    let without_first = LAST_POSITIVE.replace("write: [n] -> { R[] -> f[] }", "write: [n] -> { R[] -> x[0] }");
    check_of(
        (&without_first, STRIPS),
        &[2],
        &["{ S[i] -> [i] }", "{ T[i] -> [i] }"],
        expect![[r#"
            expansion of f: a value comes from before the program
        "#]],
    );
}

#[test]
fn a_value_that_is_used_after_the_program() {
    let without_kill = &ELIMINATION[..ELIMINATION.find("  kill").unwrap()];
    check_of(
        (without_kill, TILES),
        &[4, 4],
        &["{ S[k, i] -> [k, i] }", "{ T[k, i, j] -> [k, i] }"],
        expect![[r#"
            expansion of f: a value may be used after the program
        "#]],
    );
}

/// A row that each iteration fills, and reads again; `U` reads what the last one has left.
const ROWS: &str = "program
  context: [n, m] -> { : n > 0 and m > 1 }
  assumptions: [n, m] -> { : }
  array a: memory, 8 bytes, [][m]
  array t: memory, 8 bytes, []
  statement S
    domain: [n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }
    schedule: { S[i, j] -> [i, 0, j] }
    read: [n, m] -> { S[i, j] -> a[i, j] }
    write: [n, m] -> { S[i, j] -> t[j] }
  statement T
    domain: [n, m] -> { T[i, j] : 0 <= i < n and 0 <= j < m }
    schedule: { T[i, j] -> [i, 1, j] }
    read: [n, m] -> { T[i, j] -> t[j] }
    write: [n, m] -> { T[i, j] -> a[i, j] }
";

/// `S` for four rows, then `T` for them.
const STRIPS_OF_ROWS: &str =
    "domain: \"[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m; T[i, j] : 0 <= i < n and 0 <= j < m }\"
child:
  schedule: \"[{ S[i, j] -> [floor(i/4)]; T[i, j] -> [floor(i/4)] }]\"
  child:
    sequence:
    - filter: \"{ S[i, j] }\"
      child:
        schedule: \"[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]\"
    - filter: \"{ T[i, j] }\"
      child:
        schedule: \"[{ T[i, j] -> [i] }, { T[i, j] -> [j] }]\"
";

/// Whether strips of rows are legal with so many copies of the row, which have so many elements, where the last values are in a copy, from one
/// element to before another one.
fn check_copies(size: u32, extent: &str, [copy, first, end]: [&str; 3], expected: Expect) {
    let program: Program = ROWS.parse().unwrap();
    let aff = |text: &str| -> Aff { format!("[n, m] -> {{ [({text})] }}").parse().unwrap() };
    let subscripts = ["{ S[i, j] -> [i] }", "{ T[i, j] -> [i] }"].map(|text| {
        let function: MultiAff = text.parse().unwrap();
        (function.space().domain.clone(), function)
    });
    let expansion = Expansion {
        of: Tuple::new("t", 1),
        sizes: vec![size],
        subscripts: subscripts.into_iter().collect(),
        copies: Some(Copies {
            extent: aff(extent),
            last: Some(LastValues {
                copy: vec![aff(copy)],
                first: aff(first),
                end: aff(end),
            }),
        }),
    };
    let tree: Tree = STRIPS_OF_ROWS.parse().unwrap();
    let planned = PlannedOrder {
        assumptions: &program.assumptions,
        tree: &tree,
        expansions: &[expansion],
        packings: Vec::new(),
        node_splitting: None,
    };
    let text = match check_order(&program, &planned, &Budget::unlimited()).unwrap() {
        Ok(()) => "legal\n".to_owned(),
        Err(refusal) => refusal.to_string(),
    };
    expected.assert_eq(&text);
}

#[test]
fn a_copy_for_each_row() {
    check_copies(
        4,
        "m",
        ["n - 1", "0", "m"],
        expect![[r#"
        legal
    "#]],
    );
}

#[test]
fn copies_that_are_larger_and_more() {
    check_copies(
        8,
        "m + 3",
        ["n - 1", "0", "m"],
        expect![[r#"
        legal
    "#]],
    );
}

#[test]
fn too_few_copies() {
    check_copies(
        2,
        "m",
        ["n - 1", "0", "m"],
        expect!["dependence T[0, 1] by T_0[] -> S[2, 1] by S_0[] is not executed in order, for n = 3, m = 2"],
    );
}

#[test]
fn copies_that_are_too_small() {
    check_copies(
        4,
        "m - 1",
        ["n - 1", "0", "m"],
        expect![[r#"
        expansion of t: a copy has not all elements
    "#]],
    );
}

#[test]
fn the_last_values_are_in_another_copy() {
    check_copies(
        4,
        "m",
        ["n - 2", "0", "m"],
        expect![[r#"
            expansion of t: it is left with other values than those of a copy
        "#]],
    );
}

#[test]
fn there_are_more_last_values() {
    check_copies(
        4,
        "m",
        ["n - 1", "1", "m"],
        expect![[r#"
            expansion of t: it is left with other values than those of a copy
        "#]],
    );
}

#[test]
fn there_are_fewer_last_values() {
    check_copies(
        4,
        "m + 1",
        ["n - 1", "0", "m + 1"],
        expect![[r#"
            expansion of t: it is left with other values than those of a copy
        "#]],
    );
}
