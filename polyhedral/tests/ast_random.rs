//! AST generation for random schedule trees, against enumeration.
#![forbid(unsafe_code)]

mod common;

use common::check_order;
use farkas_polyhedral::ast::{self, AstError};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::tree::{Isolation, LoopKind, Member, Node, Share, Tree};
use proptest::prelude::*;

/// How many trees are generated; `FARKAS_AST_CASES` overrides it for longer runs.
fn cases() -> u32 {
    std::env::var("FARKAS_AST_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(200)
}

/// A statement's domain as conditions on `i` and `j`: a box, possibly cut, possibly strided.
fn domain() -> impl Strategy<Value = String> {
    let lower = prop_oneof![Just("0"), Just("1"), Just("-2")];
    let upper = prop_oneof![Just("n"), Just("n + 2"), Just("7"), Just("2n")];
    let cut = prop_oneof![
        3 => Just(""),
        1 => Just(" and j <= i"),
        1 => Just(" and i + 2j <= n + 3"),
        1 => Just(" and (i + j) mod 2 = 0"),
        1 => Just(" and i mod 3 = 1"),
        1 => Just(" and m > 2"),
        1 => Just(" and exists (a : i = 2a + j and a >= 1)"),
        1 => Just(" and (j < 2 or j > 4)"),
    ];
    (lower.clone(), upper.clone(), lower, upper, cut).prop_map(|(li, ui, lj, uj, cut)| {
        let at_most_ten = " and i <= 10 and j <= 10";
        format!("{li} <= i < {ui} and {lj} <= j < {uj}{cut}{at_most_ten}")
    })
}

const UNKNOWN: &str = "[n, m] -> { : }";
const POSITIVE: &str = "[n, m] -> { : n > 0 }";
const MACHINE: &str =
    "[n, m] -> { : -2147483648 <= n <= 2147483647 and -9223372036854775808 <= m <= 9223372036854775807 }";

/// What is known of the parameters.
fn context() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just(UNKNOWN), Just(POSITIVE), Just(MACHINE)]
}

/// Two independent functions of `i` and `j` with a shift.
fn functions() -> impl Strategy<Value = [String; 2]> {
    let rows = prop_oneof![
        4 => Just(["i", "j"]),
        2 => Just(["j", "i"]),
        2 => Just(["i", "i + j"]),
        1 => Just(["i + j", "j"]),
        1 => Just(["2i + j", "i"]),
        1 => Just(["-i", "j"]),
        1 => Just(["i", "2j"]),
        1 => Just(["3i + 2j", "i + j"]),
        1 => Just(["i - 2j", "j"]),
    ];
    (rows, -2..=2i64, -2..=2i64).prop_map(|([a, b], p, q)| [format!("{a} + {p}"), format!("{b} + {q}")])
}

fn kind() -> impl Strategy<Value = LoopKind> {
    prop_oneof![
        Just(LoopKind::Default),
        Just(LoopKind::Atomic),
        Just(LoopKind::Separate)
    ]
}

#[derive(Clone, Debug)]
struct Shape {
    tiles: Option<([i64; 2], bool)>,
    kinds: [LoopKind; 2],
    unroll: bool,
    distribute: bool,
}

fn shape() -> impl Strategy<Value = Shape> {
    let tiles = proptest::option::of((
        prop_oneof![Just([2, 2]), Just([3, 1]), Just([4, 2]), Just([1, 3])],
        any::<bool>(),
    ));
    (tiles, kind(), kind(), any::<bool>(), any::<bool>()).prop_map(|(tiles, a, b, unroll, distribute)| Shape {
        tiles,
        kinds: [a, b],
        unroll,
        distribute,
    })
}

/// The tree with its band of two members tiled, unrolled and distributed as the shape says. The new order is another
/// one, which does not matter: the oracle takes it from the same tree.
fn reshaped(tree: &Tree, shape: &Shape) -> Tree {
    let Node::Band(band) = tree.root.clone() else {
        unreachable!("the root is a band")
    };
    let mut points = *band;
    let member = |kind| Member {
        kind,
        ..Member::default()
    };
    points = points.with_members(shape.kinds.map(member).to_vec());
    if shape.distribute {
        let inner = points.split(1);
        let (Node::Band(last), outer) = (inner.child.clone(), inner) else {
            unreachable!("split gives a band")
        };
        let Node::Sequence(children) = &last.child else {
            unreachable!("a sequence of the statements")
        };
        let children = children.iter().map(|filter| {
            let own = last.restricted(|tuple| filter.share(tuple) == Share::Whole);
            filter.with_child(Node::band(own.with_child(filter.child.clone())))
        });
        let child = Node::Sequence(children.collect());
        return tree.with_root(Node::band(outer.with_child(child)));
    }
    let mut root = points.clone();
    if let Some((sizes, isolate)) = shape.tiles {
        root = points.tiled(&sizes);
        if !isolate {
            root.isolation = Isolation::Nothing;
        }
        if shape.unroll {
            points
                .members_mut()
                .iter_mut()
                .for_each(|member| member.kind = LoopKind::Unroll);
            root.child = Node::Band(Box::new(points));
        }
    }
    tree.with_root(Node::Band(Box::new(root)))
}

/// The tree of two statements, and that it is executed in order, if it is generated within a small budget.
fn check(domains: [&str; 2], functions: [[&str; 2]; 2], shape: &Shape, context: &str) -> Outcome<()> {
    let ([s, t], [f, g]) = (domains, functions);
    let text = format!(
        r#"
domain: "[n, m] -> {{ S[i, j] : {s}; T[i, j] : {t} }}"
child:
  context: "{context}"
  child:
    schedule: "[n, m] -> [{{ S[i, j] -> [({})]; T[i, j] -> [({})] }}, {{ S[i, j] -> [({})]; T[i, j] -> [({})] }}]"
    permutable: 1
    child:
      sequence:
      - filter: "{{ S[i, j] }}"
      - filter: "{{ T[i, j] }}"
"#,
        f[0], g[0], f[1], g[1],
    );
    let tree: Tree = text.parse().expect("a schedule tree");
    let tree = reshaped(&tree, shape);
    match ast::generate(&tree, &ast::Options::default(), &Budget::new(2_000_000)) {
        Ok(ast) => check_order(&tree, &ast),
        Err(AstError::OutOfBudget(error)) => return Err(error),
        Err(error) => panic!("no AST: {error}"),
    }
    Ok(())
}

/// Trees that have been found to take much more work than others.
#[test]
fn once_expensive_trees() {
    let shape = |sizes| Shape {
        tiles: Some((sizes, false)),
        kinds: [LoopKind::Default, LoopKind::Separate],
        unroll: false,
        distribute: false,
    };
    let square = "0 <= i < n and 0 <= j < n and i <= 10 and j <= 10";
    let strided = "0 <= i < n and 0 <= j < n and exists (a : i = 2a + j and a >= 1) and i <= 10 and j <= 10";
    check(
        [square, strided],
        [["i", "2j"], ["i", "j - 2"]],
        &shape([2, 2]),
        UNKNOWN,
    )
    .unwrap();
    check(
        [strided, square],
        [["i", "j + 1"], ["i - 2j", "j"]],
        &shape([4, 2]),
        UNKNOWN,
    )
    .unwrap();
    check(
        [strided, square],
        [["i", "j + 1"], ["i - 2j", "j"]],
        &shape([4, 2]),
        MACHINE,
    )
    .unwrap();
}

proptest! {
    // About one of 2,000 trees is known to be out of budget. More than one of 100 is a failure.
    #![proptest_config(ProptestConfig { cases: cases(), max_global_rejects: cases() / 100, ..ProptestConfig::default() })]

    #[test]
    fn random_trees_are_executed_in_order(
        domains in [domain(), domain()],
        functions in [functions(), functions()],
        shape in shape(),
        context in context(),
    ) {
        let functions = functions.each_ref().map(|f| f.each_ref().map(String::as_str));
        let checked = check(domains.each_ref().map(String::as_str), functions, &shape, context);
        prop_assume!(checked.is_ok(), "out of budget");
    }
}
