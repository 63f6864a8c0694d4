//! Rewriting: text in, text out; and the order of execution before and after.

use crate::execute::{Instance, execute, execute_visiting};
use crate::random::{Nodes, decisions, tree};
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{MultiUnionPwAff, UnionPwMultiAff, UnionSet};
use farkas_polyhedral::tree::{Band, ExtensionTree, Node, Path, RewriteError, TileOptions, Tree, verify};
use proptest::prelude::*;
use std::collections::HashMap;

fn budget() -> Budget {
    Budget::new(50_000_000)
}

const GEMM: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j, k] : 0 <= i, j, k < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
  permutable: 1
  coincident: [ 1, 1 ]
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
      child:
        schedule: "[{ T[i, j, k] -> [(k)] }]"
"#;

fn sets(text: &str) -> UnionSet {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn rewritten(rewrite: impl FnOnce(&Tree) -> Result<Tree, RewriteError>, expected: Expect) {
    let tree: Tree = GEMM.parse().expect("a tree");
    let text = match rewrite(&tree) {
        Ok(tree) => {
            verify(&tree, &budget()).expect("a well-formed tree");
            tree.to_string()
        }
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&text);
}

fn inner() -> Path {
    Path::from([0, 1])
}

#[test]
fn wavefront() {
    // P0, example 8, figure 12, on the band of equation 6.
    let band = r#"
domain: "[T, n] -> { S[t, i, j] : 0 <= t < T and 0 < i, j < n; T[t, i, j] : 0 <= t < T and 0 < i, j < n }"
child:
  schedule: "[{ S[t, i, j] -> [(t)]; T[t, i, j] -> [(t)] }, { S[t, i, j] -> [(2t + i)]; T[t, i, j] -> [(2t + i + 1)] }, { S[t, i, j] -> [(2t + i + j)]; T[t, i, j] -> [(2t + i + j + 1)] }]"
  permutable: 1
"#;
    let tree: Tree = band.parse().expect("a tree");
    let front = tree.with_band(&Path::root(), |band| band.wavefront(&budget()).expect("enough budget"));
    expect![[r#"
        domain: "[T, n] -> { S[t, i, j] : 0 <= t < T and 0 < i < n and 0 < j < n; T[t, i, j] : 0 <= t < T and 0 < i < n and 0 < j < n }"
        child:
          schedule: "[{ S[t, i, j] -> [(5t + 2i + j)]; T[t, i, j] -> [(2 + 5t + 2i + j)] }]"
          permutable: 1
          child:
            schedule: "[{ S[t, i, j] -> [(2t + i)]; T[t, i, j] -> [(1 + 2t + i)] }, { S[t, i, j] -> [(2t + i + j)]; T[t, i, j] -> [(1 + 2t + i + j)] }]"
            permutable: 1
            coincident: [ 1, 1 ]
    "#]].assert_eq(&front.expect("a band").to_string());
}

#[test]
fn bands() {
    let root = Path::root();
    rewritten(
        |tree| tree.with_band(&root, |band| band.tiled(&[32, 8])),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(floor((i)/32))]; T[i, j, k] -> [(floor((i)/32))] }, { S[i, j] -> [(floor((j)/8))]; T[i, j, k] -> [(floor((j)/8))] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
                child:
                  sequence:
                  - filter: "{ S[i, j] }"
                  - filter: "{ T[i, j, k] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    let options = TileOptions {
        scale_tiles: true,
        shift_points: true,
    };
    rewritten(
        |tree| tree.with_band(&root, |band| band.tiled_with(&[32, 8], options)),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(32*floor((i)/32))]; T[i, j, k] -> [(32*floor((i)/32))] }, { S[i, j] -> [(8*floor((j)/8))]; T[i, j, k] -> [(8*floor((j)/8))] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                schedule: "[n] -> [{ S[i, j] -> [(((i) mod 32))]; T[i, j, k] -> [(((i) mod 32))] }, { S[i, j] -> [(((j) mod 8))]; T[i, j, k] -> [(((j) mod 8))] }]"
                permutable: 1
                coincident: [ 1, 1 ]
                child:
                  sequence:
                  - filter: "{ S[i, j] }"
                  - filter: "{ T[i, j, k] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.with_band(&root, |band| band.split(1)),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
          child:
            schedule: "[n] -> [{ S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
            permutable: 1
            coincident: [ 1 ]
            child:
              sequence:
              - filter: "{ S[i, j] }"
              - filter: "{ T[i, j, k] }"
                child:
                  schedule: "[{ T[i, j, k] -> [(k)] }]"
    "#]],
    );
    rewritten(
        |tree| tree.with_band(&root, |band| band.permuted(&[1, 0])),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.with_band(&root, |band| band.scaled(&[3, 1])),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(3i)]; T[i, j, k] -> [(3i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.with_band(&root, |band| band.scaled_down(&[3, 1])),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(floor((i)/3))]; T[i, j, k] -> [(floor((i)/3))] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.with_band(&root, |band| band.modulo(&[3, 2])),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(((i) mod 3))]; T[i, j, k] -> [(((i) mod 3))] }, { S[i, j] -> [(((j) mod 2))]; T[i, j, k] -> [(((j) mod 2))] }]"
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    let shift: MultiUnionPwAff = "[n] -> [{ T[i, j, k] -> [(-1)] }]".parse().unwrap();
    rewritten(
        |tree| tree.with_band(&inner(), |band| band.shifted(&shift, &budget()).unwrap()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[n] -> [{ T[i, j, k] -> [(-1 + k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.with_band(&Path::from([0]), |band| band),
        expect!["the node at /0 is a sequence, expected a band"],
    );
    rewritten(
        |tree| tree.with_band(&Path::from([7]), |band| band),
        expect!["there is no node at /7"],
    );
    rewritten(
        |tree| tree.sink(&root, &budget()),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          sequence:
          - filter: "{ S[i, j] }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
          - filter: "{ T[i, j, k] }"
            child:
              schedule: "[{ T[i, j, k] -> [(k)] }]"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn inserted_and_deleted() {
    let schedule: MultiUnionPwAff = "[{ T[i, j, k] -> [(floor((k)/4))] }]".parse().unwrap();
    rewritten(
        |tree| tree.insert_band(&inner(), Band::new(schedule, Node::Leaf)),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(floor((k)/4))] }]"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.insert_mark(&Path::root(), "kernel".into()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              mark: "kernel"
              child:
                schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
                permutable: 1
                coincident: [ 1, 1 ]
                child:
                  sequence:
                  - filter: "{ S[i, j] }"
                  - filter: "{ T[i, j, k] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.insert_filter(&inner(), sets("{ T[i, j, k] : k < 9 }")),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    filter: "{ T[i, j, k] : k <= 8 }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.insert_context(&inner(), "[n, b] -> { [i, j] : i = b }".parse().unwrap()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    context: "[n, b] -> { [i = b, j] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.insert_guard(&inner(), "[n] -> { [i, j] : i < j }".parse().unwrap()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "{ T[i, j, k] }"
                  child:
                    guard: "[n] -> { [i, j] : j > i }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    let parts = ["{ T[i, j, k] : k < 9 }", "{ T[i, j, k] : k >= 9 }"].map(sets);
    rewritten(
        |tree| tree.insert_sequence(&inner(), parts.clone()),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
              child:
                sequence:
                - filter: "{ T[i, j, k] : k <= 8 }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
                - filter: "{ T[i, j, k] : k >= 9 }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
    "#]],
    );
    rewritten(
        |tree| tree.insert_set(&inner(), parts),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
              child:
                set:
                - filter: "{ T[i, j, k] : k <= 8 }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
                - filter: "{ T[i, j, k] : k >= 9 }"
                  child:
                    schedule: "[{ T[i, j, k] -> [(k)] }]"
    "#]],
    );
    rewritten(
        |tree| tree.delete(&inner()),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
    "#]],
    );
    rewritten(
        |tree| tree.delete(&Path::from([0])),
        expect!["the node at /0 is a sequence, expected a node without which its one child can be"],
    );
    rewritten(
        |tree| tree.cut(&Path::from([0])),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn children() {
    let at = Path::from([0]);
    rewritten(
        |tree| tree.reorder_children(&at, &[1, 0]),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ T[i, j, k] }"
              child:
                schedule: "[{ T[i, j, k] -> [(k)] }]"
            - filter: "{ S[i, j] }"
    "#]],
    );
    rewritten(
        |tree| tree.order_before(&at, &sets("{ T[i, j, 0] }"), &budget()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "[n] -> { T[i, j, k = 0] }"
                  child:
                    sequence:
                    - filter: "{ S[i, j] }"
                    - filter: "{ T[i, j, k] }"
                      child:
                        schedule: "[{ T[i, j, k] -> [(k)] }]"
                - filter: "[n] -> { S[i, j]; T[i, j, k] : k > 0 }"
                  child:
                    sequence:
                    - filter: "{ S[i, j] }"
                    - filter: "{ T[i, j, k] }"
                      child:
                        schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| {
            tree.order_after(&Path::root(), &sets("{ T[i, j, k] }"), &budget())?
                .simplified(&budget())
        },
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              sequence:
              - filter: "[n] -> { S[i, j] }"
                child:
                  schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
              - filter: "[n] -> { T[i, j, k] }"
                child:
                  schedule: "[n] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }]"
                  permutable: 1
                  coincident: [ 1, 1 ]
                  child:
                    schedule: "[n] -> [{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    let tree: Tree = r#"
domain: "{ A[i] : 0 <= i < 9; B[]; C[] }"
child:
  sequence:
  - filter: "{ A[i] : i < 5; B[] }"
    child:
      sequence:
      - filter: "{ B[] }"
      - filter: "{ A[i] }"
  - filter: "{ A[i] : i >= 5; C[] }"
"#
    .parse()
    .unwrap();
    expect![[r#"
        domain: "{ A[i] : 0 <= i <= 8; B[]; C[] }"
        child:
          sequence:
          - filter: "{ B[] }"
          - filter: "{ A[i] : i <= 4 }"
          - filter: "{ A[i] : i >= 5; C[] }"
    "#]]
    .assert_eq(&tree.splice_children(&Path::root()).unwrap().to_string());
}

#[test]
fn grouped() {
    rewritten(
        |tree| tree.group(&Path::from([0]), "G".into(), &budget()),
        expect![[r#"
            domain: "[n] -> { G[i0, i1] : 0 <= i0 < n and 0 <= i1 < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)]; G[i0, i1] -> [(i0)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)]; G[i0, i1] -> [(i1)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                contraction: "[n] -> { S[i, j] -> G[(i), (j)] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> G[(i), (j)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
                expansion: "[n] -> { G[i0, i1] -> S[i = i0, j = i1] : 0 <= i0 < n and 0 <= i1 < n; G[i0, i1] -> T[i = i0, j = i1, k] : 0 <= i0 < n and 0 <= i1 < n and 0 <= k < n }"
                child:
                  sequence:
                  - filter: "{ S[i, j] }"
                  - filter: "{ T[i, j, k] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.group(&Path::from([0, 1, 0]), "G".into(), &budget()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; G[i0, i1, i2] : 0 <= i0 < n and 0 <= i1 < n and 0 <= i2 < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)]; G[i0, i1, i2] -> [(i0)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)]; G[i0, i1, i2] -> [(i1)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                sequence:
                - filter: "{ S[i, j] }"
                - filter: "[n] -> { T[i, j, k]; G[i0, i1, i2] }"
                  child:
                    schedule: "[n] -> [{ T[i, j, k] -> [(k)]; G[i0, i1, i2] -> [(i2)] }]"
                    child:
                      contraction: "[n] -> { T[i, j, k] -> G[(i), (j), (k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
                      expansion: "[n] -> { G[i0, i1, i2] -> T[i = i0, j = i1, k = i2] : 0 <= i0 < n and 0 <= i1 < n and 0 <= i2 < n }"
        "#]],
    );
    rewritten(
        |tree| {
            tree.group(&Path::from([0]), "G".into(), &budget())?
                .group(&Path::from([0, 0, 1]), "H".into(), &budget())
        },
        expect!["/0/0/1 cannot be rewritten for this on the way to it or below it: expansion"],
    );
}

#[test]
fn grafted() {
    let graft: ExtensionTree = r#"{ extension: "[n] -> { [i, j] -> read[i, a] : 0 <= a < n }", child: { schedule: "[{ read[i, a] -> [(a)] }]" } }"#
        .parse()
        .unwrap();
    rewritten(
        |tree| tree.graft_before(&inner(), &graft, &budget()),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
              child:
                extension: "[n] -> { [i, j] -> read[(i), a] : 0 <= a < n }"
                child:
                  sequence:
                  - filter: "[n] -> { read[i0, a] }"
                    child:
                      schedule: "[{ read[i, a] -> [(a)] }]"
                  - filter: "[n] -> { T[i, j, k] }"
                    child:
                      schedule: "[{ T[i, j, k] -> [(k)] }]"
    "#]],
    );
    rewritten(
        |tree| tree.graft_after(&Path::from([0]), &graft, &budget()),
        expect![[r#"
            domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
            child:
              schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
              permutable: 1
              coincident: [ 1, 1 ]
              child:
                extension: "[n] -> { [i, j] -> read[(i), a] : 0 <= a < n }"
                child:
                  sequence:
                  - filter: "[n] -> { S[i, j]; T[i, j, k] }"
                    child:
                      sequence:
                      - filter: "{ S[i, j] }"
                      - filter: "{ T[i, j, k] }"
                        child:
                          schedule: "[{ T[i, j, k] -> [(k)] }]"
                  - filter: "[n] -> { read[i0, a] }"
                    child:
                      schedule: "[{ read[i, a] -> [(a)] }]"
        "#]],
    );
    rewritten(
        |tree| tree.graft_before(&inner(), &graft, &budget())?.delete(&Path::root()),
        expect!["below /, a node refers to the values of outer members"],
    );
}

#[test]
fn pulled_back() {
    let f: UnionPwMultiAff = "{ S[i, j] -> S[(j), (i)]; T[k, i, j] -> T[(i), (j), (k)] }"
        .parse()
        .unwrap();
    rewritten(
        |tree| tree.pullback(&f, &budget()),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= j < n and 0 <= i < n; T[k, i, j] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)]; T[k, i, j] -> [(i)] }, { S[i, j] -> [(i)]; T[k, i, j] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[k, i, j] }"
              child:
                schedule: "[{ T[k, i, j] -> [(k)] }]"
    "#]],
    );
}

const PARAMS: [&[(&str, i64)]; 2] = [&[("n", 1)], &[("n", 3)]];

/// The ways to the bands of a tree.
fn bands_of(tree: &Tree) -> Vec<Path> {
    let is_band = |path: &Path| matches!(tree.at(path), Some(Node::Band(_)));
    tree.paths().into_iter().filter(is_band).collect()
}

fn same_order(before: &Tree, after: &Tree) {
    verify(after, &budget()).unwrap_or_else(|e| panic!("{e} in\n{after}"));
    for params in PARAMS {
        assert_eq!(
            execute(before, params),
            execute(after, params),
            "{params:?} in\n{before}and\n{after}"
        );
    }
}

/// A tree of which the root is a band, and no instance is added or expanded.
fn with_band_on_top(decisions: &[u8]) -> Tree {
    let plain = tree(decisions, Nodes::Plain);
    if matches!(plain.root, Node::Band(_)) {
        return plain;
    }
    let schedule: MultiUnionPwAff =
        "[n] -> [{ S[i, j] -> [(i + j)]; T[i] -> [(i)] }, { S[i, j] -> [(n - j)]; T[i] -> [(2)] }]"
            .parse()
            .unwrap();
    plain
        .insert_band(&Path::root(), Band::new(schedule, Node::Leaf).with_permutable(true))
        .unwrap()
}

/// The instances sorted by `key` of the values of the outermost band's members, and among equals by what is below the band.
fn sorted_by<K: Ord>(tree: &Tree, params: &[(&str, i64)], key: impl Fn(&[i64]) -> K) -> Vec<Instance> {
    let mut values: HashMap<Instance, Vec<i64>> = HashMap::new();
    execute_visiting(tree, params, &mut |path, outer, instances| {
        if *path == Path::from([0]) {
            values.extend(instances.iter().map(|i| (i.clone(), outer.to_vec())));
        }
    });
    let below = execute(&tree.delete(&Path::root()).unwrap(), params);
    let mut keyed: Vec<_> = below
        .iter()
        .enumerate()
        .map(|(rank, i)| (key(&values[i]), rank, i.clone()))
        .collect();
    keyed.sort();
    keyed.into_iter().map(|(_, _, instance)| instance).collect()
}

fn ordered_by<K: Ord>(tree: &Tree, rewrite: impl Fn(Band) -> Band, key: impl Fn(&[i64]) -> K) {
    let after = tree.with_band(&Path::root(), rewrite).unwrap();
    verify(&after, &budget()).unwrap_or_else(|e| panic!("{e} in\n{after}"));
    for params in PARAMS {
        assert_eq!(
            execute(&after, params),
            sorted_by(tree, params, &key),
            "{params:?} in\n{tree}and\n{after}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_changes_no_order(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::All);
        for path in bands_of(&tree) {
            let half = |band: Band| {
                let position = band.n() / 2;
                band.split(position)
            };
            let scaled = |band: Band| {
                let factors = vec![3; band.n()];
                band.scaled(&factors)
            };
            for after in [tree.with_band(&path, half), tree.with_band(&path, scaled)] {
                match after {
                    Ok(after) => same_order(&tree, &after),
                    Err(error) => prop_assert!(matches!(error, RewriteError::Anchored(_)), "{error}"),
                }
            }
        }
        for path in tree.paths() {
            if matches!(tree.at(&path), Some(Node::Sequence(_) | Node::Set(_))) {
                same_order(&tree, &tree.splice_children(&path).unwrap());
            }
            same_order(&tree, &tree.insert_mark(&path, "mark".into()).unwrap());
        }
        same_order(&tree, &tree.simplified(&budget()).unwrap());
    }

    #[test]
    fn groups_keep_the_order(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::Expanding);
        let shallow = |path: &Path| tree.reach(path, &budget()).unwrap().depth() <= 2;
        for path in tree.paths().into_iter().filter(shallow) {
            match tree.group(&path, "G".into(), &budget()) {
                Ok(after) => same_order(&tree, &after),
                Err(error) => prop_assert!(matches!(error, RewriteError::Blocked { .. }), "{error}"),
            }
        }
    }

    #[test]
    fn bands_order_as_documented(decisions in decisions(), sizes in prop::array::uniform2(1..4i64)) {
        let tree = with_band_on_top(&decisions);
        let of = |band: &Band| sizes[..band.n()].to_vec();
        let floor = |v: &[i64]| v.iter().zip(sizes).map(|(v, s)| v.div_euclid(s)).collect::<Vec<_>>();
        for scale_tiles in [false, true] {
            for shift_points in [false, true] {
                let options = TileOptions { scale_tiles, shift_points };
                ordered_by(&tree, |band| band.tiled_with(&of(&band), options), |v| (floor(v), v.to_vec()));
            }
        }
        ordered_by(&tree, |band| band.scaled_down(&of(&band)), floor);
        ordered_by(
            &tree,
            |band| band.modulo(&of(&band)),
            |v| v.iter().zip(sizes).map(|(v, s)| v.rem_euclid(s)).collect::<Vec<_>>(),
        );
        let reversed = |band: Band| band.permuted(&(0..band.n()).rev().collect::<Vec<_>>());
        ordered_by(&tree, reversed, |v| v.iter().rev().copied().collect::<Vec<_>>());
        ordered_by(&tree, |band| band.select(&[0]), |v| v[0]);
    }

    /// After sinking, instances are ordered by what was below the band, and then by the band.
    #[test]
    fn sinking(decisions in decisions()) {
        let tree = with_band_on_top(&decisions);
        let after = tree.sink(&Path::root(), &budget()).unwrap();
        verify(&after, &budget()).unwrap();
        let below = tree.delete(&Path::root()).unwrap();
        for params in PARAMS {
            let mut leaves: HashMap<Instance, usize> = HashMap::new();
            let mut count = 0;
            execute_visiting(&below, params, &mut |path, _, instances| {
                if matches!(below.at(path), Some(Node::Leaf)) {
                    leaves.extend(instances.iter().map(|i| (i.clone(), count)));
                    count += 1;
                }
            });
            let mut values: HashMap<Instance, Vec<i64>> = HashMap::new();
            execute_visiting(&tree, params, &mut |path, outer, instances| {
                if *path == Path::from([0]) {
                    values.extend(instances.iter().map(|i| (i.clone(), outer.to_vec())));
                }
            });
            let mut expected = execute(&below, params);
            expected.sort_by_key(|i| (leaves[i], values[i].clone(), i.clone()));
            prop_assert_eq!(execute(&after, params), expected, "{}and\n{}", tree, after);
        }
    }

    #[test]
    fn parts_first_and_last(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::Plain);
        let part = sets("{ S[i, j] : i > j; T[i] : i = 2 }");
        let inside = |(statement, point): &Instance| match statement.as_str() {
            "S" => point[0] > point[1],
            _ => point[0] == 2,
        };
        let first = tree.order_before(&Path::root(), &part, &budget()).unwrap();
        let last = tree.order_after(&Path::root(), &part, &budget()).unwrap();
        for params in PARAMS {
            let (a, b): (Vec<_>, Vec<_>) = execute(&tree, params).into_iter().partition(inside);
            prop_assert_eq!(execute(&first, params), [a.clone(), b.clone()].concat(), "{}", first);
            prop_assert_eq!(execute(&last, params), [b, a].concat(), "{}", last);
        }
    }

    /// A graft adds its instances for each value of the outer members, and changes nothing else.
    #[test]
    fn grafts(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::All);
        for path in tree.paths() {
            let reach = tree.reach(&path, &budget()).unwrap();
            let outer: Vec<String> = (0..reach.depth()).map(|k| format!("c{k}")).collect();
            let graft = format!("{{ extension: \"{{ [{}] -> X[p] : 0 <= p <= 1 }}\" }}", outer.join(", "));
            let graft: ExtensionTree = graft.parse().unwrap();
            let before = tree.graft_before(&path, &graft, &budget()).unwrap();
            let after = tree.graft_after(&path, &graft, &budget()).unwrap();
            verify(&before, &budget()).unwrap();
            for params in PARAMS {
                // Where an execution of the tree is when it comes to the node, each time.
                let mut visits: Vec<Vec<Instance>> = Vec::new();
                let plain = execute_visiting(&tree, params, &mut |at, _, instances| {
                    if *at == path {
                        visits.push(instances.to_vec());
                    }
                });
                let grafted = execute(&before, params);
                let is_new = |i: &Instance| i.0 == "X";
                let old: Vec<_> = grafted.iter().filter(|i| !is_new(i)).cloned().collect();
                prop_assert_eq!(&old, &plain, "{}", before);
                prop_assert_eq!(grafted.iter().filter(|i| is_new(i)).count(), 2 * visits.len(), "{}", before);
                let grafted_after = execute(&after, params);
                let old: Vec<_> = grafted_after.iter().filter(|i| !is_new(i)).cloned().collect();
                prop_assert_eq!(&old, &plain, "{}", after);
                if path == Path::root() && !plain.is_empty() {
                    prop_assert!(is_new(&grafted[0]) && is_new(&grafted[1]), "{}", before);
                    prop_assert!(grafted_after[plain.len()..].iter().all(is_new), "{}", after);
                }
            }
        }
    }

    /// Over renamed instances with their dimensions interchanged, the order is the same.
    #[test]
    fn pulled_back_order(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::Plain);
        let f: UnionPwMultiAff = "{ S[j, i] -> S[(i), (j)]; T[i] -> T[(i)] }".parse().unwrap();
        let after = tree.pullback(&f, &budget()).unwrap();
        verify(&after, &budget()).unwrap();
        let visited = |tree: &Tree, params, swap: bool| {
            let mut leaves: Vec<Vec<Instance>> = Vec::new();
            execute_visiting(tree, params, &mut |path, _, instances| {
                if matches!(tree.at(path), Some(Node::Leaf)) {
                    let mut own = instances.to_vec();
                    if swap {
                        own.iter_mut().for_each(|(_, point)| point.reverse());
                    }
                    own.sort();
                    leaves.push(own);
                }
            });
            leaves
        };
        for params in PARAMS {
            prop_assert_eq!(visited(&tree, params, false), visited(&after, params, true), "{}and\n{}", tree, after);
        }
    }
}
