//! Rewriting: text in, text out.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{MultiUnionPwAff, UnionPwMultiAff, UnionSet};
use farkas_polyhedral::tree::{Band, ExtensionTree, Node, Path, RewriteError, TileOptions, Tree, verify};

pub(crate) fn budget() -> Budget {
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

pub(crate) fn sets(text: &str) -> UnionSet {
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
              options: "{ full_tiles[(32), (8)] }"
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
