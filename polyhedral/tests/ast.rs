//! AST generation: schedule tree in, C-like text out; and an interpreter that executes every AST for small parameters.
#![forbid(unsafe_code)]

mod common;

use common::check_order;
use expect_test::{Expect, expect};
use farkas_polyhedral::ast;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Params;
use farkas_polyhedral::tree::{Band, Isolation, LoopKind, Node, Tree};

fn generate(tree: &Tree) -> ast::Ast {
    ast::generate(tree, &ast::Options::default(), &Budget::new(50_000_000)).expect("an AST")
}

fn check(tree: &str, expected: Expect) {
    let tree: Tree = tree.parse().expect("a schedule tree");
    let ast = generate(&tree);
    expected.assert_eq(&ast.to_string());
    check_order(&tree, &ast);
}

/// The same with the outermost band rewritten.
fn check_rewritten(tree: &str, rewrite: impl Fn(Band) -> Band, expected: Expect) {
    let tree: Tree = tree.parse().expect("a schedule tree");
    let Node::Band(band) = tree.root.clone() else {
        panic!("a band at the root")
    };
    let tree = tree.with_root(Node::Band(Box::new(rewrite(*band))));
    let ast = generate(&tree);
    expected.assert_eq(&ast.to_string());
    check_order(&tree, &ast);
}

/// Register tiles in cache tiles of a matrix product, with a size of which only its machine type is known: whether
/// versions of tiles exclude each other is a question on strides and large numbers.
#[test]
fn tiles_of_machine_integers() {
    let tree: Tree = r#"
domain: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
child:
  context: "[n] -> { : -2147483648 <= n <= 2147483647 }"
  child:
    schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(j)] }, { S[i, j, k] -> [(k)] }]"
    permutable: 1
"#
    .parse()
    .expect("a schedule tree");
    let Node::Band(mut points) = tree.root.clone() else {
        panic!("a band at the root")
    };
    points.members_mut()[0].kind = LoopKind::Unroll;
    points.members_mut()[1].kind = LoopKind::Unroll;
    let tree = tree.with_root(Node::Band(Box::new(points.tiled(&[4, 4, 1]).tiled(&[8, 8, 512]))));
    let ast = ast::generate(&tree, &ast::Options::default(), &Budget::new(200_000)).expect("an AST");
    check_order(&tree, &ast);
}

/// Rows that are left are those of cache tiles with full register tiles and of the last one without, in one loop.
#[test]
fn rests_of_register_tiles_in_cache_tiles() {
    let rectangle = r#"
domain: "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < m }"
child:
  context: "[n, m] -> { : n >= 4 and m >= 4 }"
  child:
    schedule: "[n, m] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
    permutable: 1
"#;
    let tiles = |band: Band| {
        let mut tiles = band.tiled(&[8, 8]).with_isolation(Isolation::Nothing);
        let Node::Band(mut points) = tiles.child else {
            panic!("a band of points")
        };
        points.members_mut()[0].kind = LoopKind::Unroll;
        points.members_mut()[1].kind = LoopKind::Unroll;
        tiles.child = Node::Band(Box::new(points.tiled(&[2, 2])));
        tiles
    };
    check_rewritten(
        rectangle,
        tiles,
        expect![[r#"
            for (int c0 = 0; c0 <= (n - 1) / 8; c0 += 1)
              for (int c1 = 0; c1 <= (m - 1) / 8; c1 += 1) {
                for (int c2 = 4 * c0; c2 <= min(4 * c0 + 3, (n / 2) - 1); c2 += 1) {
                  for (int c3 = 4 * c1; c3 <= min(4 * c1 + 3, (m / 2) - 1); c3 += 1) {
                    S(2 * c2, 2 * c3);
                    S(2 * c2, 2 * c3 + 1);
                    S(2 * c2 + 1, 2 * c3);
                    S(2 * c2 + 1, 2 * c3 + 1);
                  }
                  if (8 * c1 + 7 >= m && (m + 1) % 2 == 0)
                    for (int c4 = 2 * c2; c4 <= 2 * c2 + 1; c4 += 1)
                      S(c4, m - 1);
                }
                if (8 * c0 + 7 >= n && (n + 1) % 2 == 0)
                  for (int c3 = 4 * c1; c3 <= min((m - 1) / 2, 4 * c1 + 3); c3 += 1)
                    for (int c5 = 2 * c3; c5 <= min(m - 1, 2 * c3 + 1); c5 += 1)
                      S(n - 1, c5);
              }
        "#]],
    );
}

const TRIANGLE: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
  permutable: 1
  coincident: [ 1, 1 ]
"#;

#[test]
fn triangle() {
    check(
        TRIANGLE,
        expect![[r#"
            // parallel
            for (int c0 = 0; c0 < n; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 <= c0; c1 += 1)
                S(c0, c1);
            }
        "#]],
    );
}

#[test]
fn interchanged_triangle() {
    check_rewritten(
        TRIANGLE,
        |band| band.permuted(&[1, 0]),
        expect![[r#"
            // parallel
            for (int c0 = 0; c0 < n; c0 += 1) {
              // parallel
              for (int c1 = c0; c1 < n; c1 += 1)
                S(c1, c0);
            }
        "#]],
    );
}

#[test]
fn tiled_triangle() {
    check_rewritten(
        TRIANGLE,
        |band| band.tiled(&[4, 4]).with_isolation(Isolation::Nothing),
        expect![[r#"
            // parallel
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1) {
              // parallel
              for (int c1 = 0; c1 <= c0; c1 += 1) {
                // parallel
                for (int c2 = 4 * c0; c2 <= min(n - 1, 4 * c0 + 3); c2 += 1) {
                  // parallel
                  for (int c3 = 4 * c1; c3 <= min(c2, 4 * c1 + 3); c3 += 1)
                    S(c2, c3);
                }
              }
            }
        "#]],
    );
}

/// The first row of tiles has no full tile, but its diagonal is that of the others: one loop over rows serves all.
#[test]
fn full_tiles_of_a_triangle() {
    let triangle = r#"
domain: "{ S[i, j] : 0 <= i < 12 and 0 <= j <= i }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
  permutable: 1
  coincident: [ 1, 1 ]
"#;
    check_rewritten(
        triangle,
        |band| band.tiled(&[4, 4]),
        expect![[r#"
            // parallel
            for (int c0 = 0; c0 <= 2; c0 += 1) {
              // parallel
              for (int c1 = 0; c1 < c0; c1 += 1) {
                // parallel
                for (int c2 = 4 * c0; c2 <= 4 * c0 + 3; c2 += 1) {
                  // parallel
                  for (int c3 = 4 * c1; c3 <= 4 * c1 + 3; c3 += 1)
                    S(c2, c3);
                }
              }
              // parallel
              for (int c2 = 4 * c0; c2 <= 4 * c0 + 3; c2 += 1) {
                // parallel
                for (int c3 = 4 * c0; c3 <= c2; c3 += 1)
                  S(c2, c3);
              }
            }
        "#]],
    );
}

const PRODUCT: &str = r#"
domain: "[n] -> { S[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
child:
  schedule: "[n] -> [{ S[i, j, k] -> [(i)] }, { S[i, j, k] -> [(k)] }, { S[i, j, k] -> [(j)] }]"
  permutable: 1
  coincident: [ 1, 0, 1 ]
"#;

/// `[i/2, j] { [i] unrolled }`.
fn unrolled(band: Band) -> Band {
    let mut outer = band.tiled(&[2, 1, 1]);
    let mut inner = band.select(&[0]);
    inner.members_mut()[0].kind = LoopKind::Unroll;
    outer.child = Node::Band(Box::new(inner));
    outer
}

#[test]
fn unrolled_with_full_tiles_isolated() {
    check_rewritten(
        PRODUCT,
        unrolled,
        expect![[r#"
            // parallel
            for (int c0 = 0; c0 < floord(n, 2); c0 += 1)
              for (int c1 = 0; c1 < n; c1 += 1) {
                // parallel
                for (int c2 = 0; c2 < n; c2 += 1) {
                  S(2 * c0, c2, c1);
                  S(2 * c0 + 1, c2, c1);
                }
              }
            if ((n + 1) % 2 == 0)
              for (int c1 = 0; c1 < n; c1 += 1) {
                // parallel
                for (int c2 = 0; c2 < n; c2 += 1)
                  S(n - 1, c2, c1);
              }
        "#]],
    );
}

/// `B` begins each row. It is in no strip behind the one in which the last row begins, where all rows of `S` are there.
#[test]
fn strips_behind_what_begins_their_rows() {
    let rows = r#"
domain: "[n] -> { B[i] : 0 <= i < 8; S[i, j] : 0 <= i < 8 and 0 <= j < n }"
child:
  schedule: "[n] -> [{ B[i] -> [(i)]; S[i, j] -> [(i)] }, { B[i] -> [(i)]; S[i, j] -> [(i + j)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ B[i] }"
    - filter: "{ S[i, j] }"
"#;
    let strips = |band: Band| {
        let mut strips = band.tiled(&[4, 1]);
        let mut rows = band.select(&[0]).with_child(band.child.clone());
        rows.members_mut()[0].kind = LoopKind::Unroll;
        strips.child = Node::Band(Box::new(rows));
        strips
    };
    check_rewritten(
        rows,
        strips,
        expect![[r#"
        if (n >= 5) {
          for (int c0 = 0; c0 <= 1; c0 += 1) {
            for (int c1 = 4 * c0; c1 <= 4 * c0 + 3; c1 += 1)
              for (int c2 = 4 * c0; c2 <= c1; c2 += 1) {
                if (c2 == c1)
                  B(c1);
                S(c2, c1 - c2);
              }
            for (int c1 = 4 * c0 + 4; c1 < n + 4 * c0; c1 += 1) {
              S(4 * c0, c1 - 4 * c0);
              S(4 * c0 + 1, c1 - 4 * c0 - 1);
              S(4 * c0 + 2, c1 - 4 * c0 - 2);
              S(4 * c0 + 3, c1 - 4 * c0 - 3);
            }
            for (int c1 = n + 4 * c0; c1 <= n + 4 * c0 + 2; c1 += 1)
              for (int c2 = c1 - n + 1; c2 <= 4 * c0 + 3; c2 += 1)
                S(c2, c1 - c2);
          }
        } else {
          for (int c0 = 0; c0 <= 1; c0 += 1) {
            for (int c1 = 4 * c0; c1 <= 4 * c0 + 3; c1 += 1) {
              for (int c2 = max(c1 - n + 1, 4 * c0); c2 < c1; c2 += 1)
                S(c2, c1 - c2);
              B(c1);
              if (n >= 1)
                S(c1, 0);
            }
            for (int c1 = 4 * c0 + 4; c1 <= n + 4 * c0 + 2; c1 += 1)
              for (int c2 = c1 - n + 1; c2 <= 4 * c0 + 3; c2 += 1)
                S(c2, c1 - c2);
          }
        }
    "#]],
    );
}

#[test]
fn two_statements_shifted() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i + 1)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
        expect![[r#"
            for (int c0 = 0; c0 <= n; c0 += 1) {
              if (n >= c0 + 1)
                S(c0);
              if (c0 >= 1)
                T(c0 - 1);
            }
        "#]],
    );
}

#[test]
fn two_statements_shifted_and_separated() {
    let separate = |mut band: Band| {
        band.members_mut()[0].kind = LoopKind::Separate;
        band
    };
    check_rewritten(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i + 1)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
        separate,
        expect![[r#"
            if (n >= 1) {
              S(0);
              for (int c0 = 1; c0 < n; c0 += 1) {
                S(c0);
                T(c0 - 1);
              }
              T(n - 1);
            }
        "#]],
    );
}

const STENCIL: &str = r#"
domain: "[n, t] -> { S[k, i] : 0 <= k < t and 1 <= i < n - 1; T[k, i] : 0 <= k < t and 1 <= i < n - 1 }"
child:
  schedule: "[n, t] -> [{ S[k, i] -> [(k)]; T[k, i] -> [(k)] }, { S[k, i] -> [(2k + i)]; T[k, i] -> [(2k + i + 1)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[k, i] }"
    - filter: "{ T[k, i] }"
"#;

#[test]
fn skewed_stencil() {
    check(
        STENCIL,
        expect![[r#"
            for (int c0 = 0; c0 < t; c0 += 1)
              for (int c1 = 2 * c0 + 1; c1 < n + 2 * c0; c1 += 1) {
                if (n + 2 * c0 >= c1 + 2)
                  S(c0, c1 - 2 * c0);
                if (c1 >= 2 * c0 + 2)
                  T(c0, c1 - 2 * c0 - 1);
              }
        "#]],
    );
}

#[test]
fn tiled_skewed_stencil() {
    let tile = |mut band: Band| {
        band.members_mut()[1].kind = LoopKind::Separate;
        band.tiled(&[2, 3]).with_isolation(Isolation::Nothing)
    };
    check_rewritten(
        STENCIL,
        tile,
        expect![[r#"
            if (n >= 3)
              for (int c0 = 0; c0 <= floord(t - 1, 2); c0 += 1)
                for (int c1 = c0 + (c0 + 1) / 3; c1 <= min(((n + 2 * t) / 3) - 1, c0 + (n + c0 + 1) / 3); c1 += 1)
                  for (int c2 = max(2 * c0, 2 * c1 - (n + c1 - 1) / 2); c2 <= min(min(t - 1, 2 * c0 + 1), c1 + (c1 + 1) / 2); c2 += 1) {
                    if (2 * c2 + 1 >= 3 * c1)
                      S(c2, 1);
                    for (int c3 = max(3 * c1, 2 * c2 + 2); c3 <= min(n + 2 * c2 - 2, 3 * c1 + 2); c3 += 1) {
                      S(c2, c3 - 2 * c2);
                      T(c2, c3 - 2 * c2 - 1);
                    }
                    if (3 * c1 + 3 >= n + 2 * c2)
                      T(c2, n - 2);
                  }
        "#]],
    );
}

#[test]
fn sequence_of_nests() {
    check(
        r#"
domain: "[n] -> { A[]; S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and i < j < n }"
child:
  sequence:
  - filter: "{ A[] }"
  - filter: "{ S[i] }"
    child:
      schedule: "[n] -> [{ S[i] -> [(-i)] }]"
  - filter: "{ T[i, j] }"
    child:
      schedule: "[n] -> [{ T[i, j] -> [(i)] }]"
      child:
        schedule: "[n] -> [{ T[i, j] -> [(i + j)] }]"
"#,
        expect![[r#"
            A();
            for (int c0 = 1 - n; c0 <= 0; c0 += 1)
              S(-c0);
            for (int c0 = 0; c0 < n - 1; c0 += 1)
              for (int c1 = 2 * c0 + 1; c1 < n + c0; c1 += 1)
                T(c0, c1 - c0);
        "#]],
    );
}

#[test]
fn strided_and_conditional_domains() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n and i mod 3 = 1; T[i] : 0 <= i < n and 2i > n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
        expect![[r#"
            for (int c0 = 1; c0 < n; c0 += 1) {
              if (c0 % 3 == 1)
                S(c0);
              if (2 * c0 >= n + 1)
                T(c0);
            }
        "#]],
    );
}

/// P1 section 5.3.3: what has a first iteration need not have a last one.
#[test]
fn a_loop_that_never_ends() {
    let tree: Tree = r#"
domain: "{ S[i] : 0 <= i }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#
    .parse()
    .expect("a schedule tree");
    expect![[r#"
        for (int c0 = 0; 1; c0 += 1)
          S(c0);
    "#]]
    .assert_eq(&generate(&tree).to_string());
}

/// The error's text.
fn check_error(tree: &str, expected: Expect) {
    let tree: Tree = tree.parse().expect("a schedule tree");
    let error = ast::generate(&tree, &ast::Options::default(), &Budget::unlimited()).expect_err("no AST");
    expected.assert_eq(&error.to_string());
}

#[test]
fn a_loop_that_never_starts_is_an_error() {
    check_error(
        r#"
domain: "{ S[i] : i <= 0; T[] }"
child:
  sequence:
  - filter: "{ T[] }"
  - filter: "{ S[i] }"
    child:
      schedule: "[{ S[i] -> [(i)] }]"
"#,
        expect!["node /1/0: schedule dimension 0 has no lower bound for S[i]"],
    );
}

#[test]
fn an_unbounded_dimension_cannot_be_unrolled() {
    check_error(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  options: "{ unroll[0] }"
"#,
        expect!["node /0: schedule dimension 0 cannot be unrolled, it has no bounded number of values for S[i]"],
    );
}

#[test]
fn trees_print_as_they_are_read() {
    for text in [TRIANGLE, PRODUCT, STENCIL] {
        let tree: Tree = text.parse().expect("a schedule tree");
        let printed = tree.to_string();
        let again: Tree = printed.parse().expect("what was printed is a schedule tree");
        assert_eq!(again.to_string(), printed);
    }
}

/// No instance is left for what is known of the parameters, though the domain alone has an endless part (random function 110739).
#[test]
fn nothing_is_executed_where_nothing_bounds() {
    check(
        r#"{ domain: "[n] -> { S[i] : 0 <= i <= 1 + n; T[i, j] : 0 <= i <= 1 + n and 0 <= j < 2n; T[i = 0, j] : n = -1 and j >= 0 }",
             child: { context: "[n] -> { [] : n <= -2; [] : n = 0 }",
                      child: { set: [ { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [i] }]" } },
                                      { filter: "{ T[i, j] }" } ] } } }"#,
        expect![[r#"
            for (int c0 = 0; c0 <= n + 1; c0 += 1)
              S(c0);
        "#]],
    );
}

/// Other positions of the parameters do not change what is executed, nor, in the same order, the text.
#[test]
fn aligned_parameters() {
    let tree: Tree = r#"
domain: "[n, m] -> { S[i, j] : 0 <= i, j < n and j <= m and (i + m) mod 3 = 0; T[i] : (n <= i < 2m or m <= i < n) and m < 5 }"
child:
  schedule: "[n, m] -> [{ S[i, j] -> [(floor((i + m)/4))]; T[i] -> [(i)] }]"
  options: "{ separate[x] : x < 2 }"
"#
    .parse()
    .expect("a schedule tree");
    let ast = generate(&tree);
    assert_eq!(
        ast.align_params(&Params::new(["k", "n", "l", "m"])).to_string(),
        ast.to_string()
    );
    let aligned = ast.align_params(&Params::new(["k", "m", "n", "l"]));
    for n in -1..6 {
        for m in -1..6 {
            let run = |ast: &ast::Ast, params: &[i64]| {
                let params: Vec<Int> = params.iter().copied().map(Int::from).collect();
                ast::interpret(ast, &params, 10_000)
                    .expect("promises that hold")
                    .instances
            };
            assert_eq!(run(&aligned, &[7, m, n, 8]), run(&ast, &[n, m]), "n = {n}, m = {m}");
        }
    }
}

/// Keeps the loops of one schedule dimension.
struct Keep(usize);

impl ast::Hooks for Keep {
    fn keeps_loop(&self, dim: usize) -> bool {
        dim == self.0
    }
}

#[test]
fn loops_of_one_iteration_are_kept_where_that_is_asked_for() {
    let tree: Tree = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 3; T[i] : 1 <= i < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(floor((j)/4))]; T[i] -> [(2 + i)] }]"
"#
    .parse()
    .expect("a schedule tree");
    let b = Budget::new(50_000_000);
    let ast = ast::generate_with(&tree, &ast::Options::default(), &mut Keep(1), &b).expect("an AST");
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          for (int c1 = 0; c1 <= 0; c1 += 1)
            for (int c3 = 0; c3 <= 2; c3 += 1)
              S(c0, c3);
          if (c0 >= 1)
            for (int c1 = c0 + 2; c1 <= c0 + 2; c1 += 1)
              T(c0);
        }
    "#]]
    .assert_eq(&ast.to_string());
    check_order(&tree, &ast);
}

/// Keeps what is executed for a value of one schedule dimension together.
struct Together(Option<usize>);

impl ast::Hooks for Together {
    fn keeps_together(&self, dim: usize, _inside: Option<&farkas_polyhedral::tree::Node>) -> bool {
        self.0 == Some(dim)
    }
}

#[test]
fn iterations_are_in_one_place_where_that_is_asked_for() {
    let tree: Tree = r#"
domain: "{ S[i] : 0 <= i <= 5; T[i] : 5 <= i <= 9 }"
child:
  schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#
    .parse()
    .expect("a schedule tree");
    let check = |dim: Option<usize>, expected: expect_test::Expect| {
        let b = Budget::new(50_000_000);
        let ast = ast::generate_with(&tree, &ast::Options::default(), &mut Together(dim), &b).expect("an AST");
        expected.assert_eq(&ast.to_string());
        check_order(&tree, &ast);
    };
    // S(5) and T(5) are one iteration.
    check(
        None,
        expect![[r#"
        for (int c0 = 0; c0 <= 5; c0 += 1)
          S(c0);
        for (int c0 = 5; c0 <= 9; c0 += 1)
          T(c0);
    "#]],
    );
    check(
        Some(0),
        expect![[r#"
        for (int c0 = 0; c0 <= 9; c0 += 1) {
          if (c0 <= 5)
            S(c0);
          if (c0 >= 5)
            T(c0);
        }
    "#]],
    );
}
