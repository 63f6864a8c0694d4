//! The legality checker on trees with all kinds of nodes.

use crate::execute::{Instance, execute_visiting, name, paired};
use crate::random::{Nodes, decisions, tree};
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{Rule, Verdict, check_tree};
use farkas_polyhedral::sets::UnionMap;
use farkas_polyhedral::tree::{Node, Path, Tree};
use proptest::prelude::*;

fn verdict(dependences: &str, tree: &str, expected: Expect) {
    let tree: Tree = tree.parse().unwrap_or_else(|e| panic!("{e}"));
    let dependences: UnionMap = dependences.parse().unwrap_or_else(|e| panic!("{e}"));
    let verdict = check_tree(&dependences, &dependences, &tree, &Budget::new(50_000_000)).unwrap();
    expected.assert_eq(&match verdict {
        Verdict::Legal => "legal".to_string(),
        Verdict::Violated(violation) => violation.to_string(),
    });
}

#[test]
fn piecewise_bands() {
    // The first half forwards, the second half backwards.
    let tree = |second: &str| {
        format!(
            r#"{{ domain: "{{ S[i] : 0 <= i < 8 }}", child: {{ schedule: "[{{ S[i] -> [i] : i < 4; S[i] -> [{second}] : i >= 4 }}]" }} }}"#
        )
    };
    let dependences = "{ S[i] -> S[i + 1] : 0 <= i < 3; S[i] -> S[i - 1] : 5 <= i < 8; S[3] -> S[7] }";
    verdict(dependences, &tree("11 - i"), expect!["legal"]);
    verdict(
        dependences,
        &tree("10 - i"),
        expect!["dependence S[3] -> S[7] is not executed in order"],
    );
    verdict(
        dependences,
        &tree("i"),
        expect!["dependence S[5] -> S[4] is not executed in order"],
    );
}

#[test]
fn split_statements() {
    let tree = |first: &str, second: &str| {
        format!(
            r#"
domain: "{{ S[i] : 0 <= i < 8 }}"
child:
  sequence:
  - filter: "{{ S[i] : i mod 2 = {first} }}"
  - filter: "{{ S[i] : i mod 2 = {second} }}"
"#
        )
    };
    verdict(
        "{ S[i] -> S[i + 1] : i mod 2 = 0; S[i] -> S[i - 1] : i mod 2 = 0 }",
        &tree("0", "1"),
        expect!["legal"],
    );
    verdict(
        "{ S[i] -> S[i + 1] : i mod 2 = 0; S[i] -> S[i - 1] : i mod 2 = 0 }",
        &tree("1", "0"),
        expect!["dependence S[0] -> S[1] is not executed in order"],
    );
    verdict(
        "{ S[i] -> S[i + 2] }",
        &tree("0", "1"),
        expect!["dependence S[0] -> S[2] is not executed in order"],
    );
}

const GROUP: &str = r#"
domain: "{ G[i] : 0 <= i < 8 }"
child:
  schedule: "[{ G[i] -> [(i)] }]"
  coincident: [ 1 ]
  child:
    contraction: "{ A[i] -> G[i]; B[i, k] -> G[i] }"
    expansion: "{ G[i] -> A[i]; G[i] -> B[i, k] : 0 <= k <= 3 }"
    child:
      sequence:
      - filter: "{ A[i] }"
      - filter: "{ B[i, k] }"
        child:
          schedule: "[{ B[i, k] -> [(k)] }]"
"#;

#[test]
fn dependences_are_between_expanded_instances() {
    verdict("{ A[i] -> B[i, k]; B[i, k] -> B[i, k + 1] }", GROUP, expect!["legal"]);
    verdict(
        "{ B[i, k] -> A[i] }",
        GROUP,
        expect!["dependence B[0, 0] -> A[0] is not executed in order"],
    );
    verdict(
        "{ B[i, k] -> A[i + 1] }",
        GROUP,
        expect!["dependence B[0, 0] -> A[1] is of distance other than zero in coincident member 0"],
    );
    verdict(
        "{ B[i, k] -> A[i - 1] }",
        GROUP,
        expect!["dependence B[7, 0] -> A[6] is not executed in order"],
    );
}

const COPY: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(floor(i/4))] }]"
  child:
    extension: "[n] -> { [t] -> read[a] : 4t <= a <= 4t + 4; [t] -> write[t] }"
    child:
      sequence:
      - filter: "{ read[a] }"
      - filter: "{ S[i] }"
        child:
          schedule: "[{ S[i] -> [(i)] }]"
      - filter: "{ write[a] }"
"#;

#[test]
fn instances_of_extensions_are_executed_where_they_are_introduced() {
    verdict("{ S[i] -> S[i + 1] }", COPY, expect!["legal"]);
    verdict(
        "{ S[i] -> write[floor(i/4)]; read[a] -> write[a] }",
        COPY,
        expect!["legal"],
    );
    verdict("{ write[t] -> read[a] : a > 4t + 4 }", COPY, expect!["legal"]);
    // Element 4 is read for the tiles 0 and 1.
    verdict(
        "{ write[t] -> read[4t + 4] }",
        COPY,
        expect!["dependence write[0] at [0] -> read[4] at [0] is not executed in order, for n = 1"],
    );
    verdict(
        "{ write[t] -> S[i] : i >= 4t + 3 }",
        COPY,
        expect!["dependence write[0] at [0] -> S[3] is not executed in order, for n = 4"],
    );
    // Nothing is introduced where nothing is executed.
    verdict("{ read[a] -> write[t] : t < 0 or 4t > a }", COPY, expect!["legal"]);
}

#[test]
fn guarded_instances_are_not_executed() {
    let tree = |guard: &str| {
        format!(
            r#"
domain: "{{ S[i] : 0 <= i < 8; T[i] : 0 <= i < 8 }}"
child:
  schedule: "[{{ S[i] -> [i]; T[i] -> [i] }}]"
  child:
    guard: "{{ [c] : {guard} }}"
    child:
      sequence:
      - filter: "{{ S[i] }}"
      - filter: "{{ T[i] }}"
"#
        )
    };
    verdict("{ S[i] -> T[i - 1] : i = 5 }", &tree("c < 5"), expect!["legal"]);
    verdict(
        "{ S[i] -> T[i - 1] : i = 5 }",
        &tree("c <= 5"),
        expect!["dependence S[5] -> T[4] is not executed in order"],
    );
}

/// One time: what decides between two executions, from the root down.
pub(crate) enum Key {
    Band(Vec<i64>, Path),
    Sequence(usize),
    Set(usize),
}

fn keys(tree: &Tree, leaf: &Path, outer: &[i64]) -> Vec<Key> {
    let (mut node, mut path, mut left) = (&tree.root, Path::root(), outer);
    let mut keys = Vec::new();
    for &step in leaf.steps() {
        match node {
            Node::Band(band) => {
                let (own, rest) = left.split_at(band.n());
                keys.push(Key::Band(own.to_vec(), path.clone()));
                left = rest;
            }
            Node::Sequence(_) => keys.push(Key::Sequence(step)),
            Node::Set(_) => keys.push(Key::Set(step)),
            _ => {}
        }
        node = node.children().nth(step).unwrap();
        path = path.child(step);
    }
    keys
}

/// The times as numbers, each with whether it orders.
pub(crate) fn flat(keys: &[Key]) -> Vec<(bool, i64)> {
    let mut out = Vec::new();
    for key in keys {
        match key {
            Key::Band(values, _) => out.extend(values.iter().map(|v| (true, *v))),
            Key::Sequence(position) => out.push((true, *position as i64)),
            Key::Set(position) => out.push((false, *position as i64)),
        }
    }
    out
}

/// What is wrong with an execution at the times `a` before one at `b`.
fn wrong(tree: &Tree, a: &[Key], b: &[Key]) -> bool {
    for (x, y) in a.iter().zip(b) {
        match (x, y) {
            (Key::Band(x, path), Key::Band(y, _)) => {
                let Some(Node::Band(band)) = tree.at(path) else {
                    unreachable!("a band")
                };
                let distances: Vec<i64> = x.iter().zip(y).map(|(x, y)| y - x).collect();
                if band.permutable && distances.iter().any(|d| *d < 0) {
                    return true;
                }
                if let Some(distance) = distances.iter().find(|d| **d != 0) {
                    return *distance < 0;
                }
            }
            (Key::Sequence(x), Key::Sequence(y)) if x != y => return x > y,
            (Key::Set(x), Key::Set(y)) if x != y => return true,
            _ => {}
        }
    }
    true
}

/// Whether a coincident member has a distance other than zero for two executions.
fn apart(tree: &Tree, a: &[Key], b: &[Key]) -> bool {
    for (x, y) in a.iter().zip(b) {
        match (x, y) {
            (Key::Band(x, path), Key::Band(y, _)) => {
                let Some(Node::Band(band)) = tree.at(path) else {
                    unreachable!("a band")
                };
                if band
                    .members()
                    .iter()
                    .zip(x.iter().zip(y))
                    .any(|(m, (x, y))| m.coincident && x != y)
                {
                    return true;
                }
                if x != y {
                    return false;
                }
            }
            (Key::Sequence(x) | Key::Set(x), Key::Sequence(y) | Key::Set(y)) if x != y => return false,
            _ => {}
        }
    }
    false
}

/// All executions for a value of `n`.
pub(crate) fn executions(tree: &Tree, n: i64) -> Vec<(Instance, Vec<Key>)> {
    let mut out = Vec::new();
    execute_visiting(tree, &[("n", n)], &mut |path, outer, instances| {
        if matches!(tree.at(path), Some(Node::Leaf)) {
            out.extend(instances.iter().map(|i| (i.clone(), keys(tree, path, outer))));
        }
    });
    out
}

fn related(map: &UnionMap, a: &Instance, b: &Instance) -> bool {
    map.maps()
        .any(|map| name(map.domain_tuple()) == a.0 && name(map.range_tuple()) == b.0 && paired(map, &[], &a.1, &b.1))
}

/// `tree` with the same members of all bands marked.
pub(crate) fn marked(tree: &Tree, permutable: bool, coincident: bool) -> Tree {
    let mut tree = tree.clone();
    for path in tree.paths() {
        if let Some(Node::Band(band)) = tree.at_mut(&path) {
            band.permutable = permutable;
            band.members_mut().iter_mut().for_each(|m| m.coincident = coincident);
        }
    }
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Random dependences between the statements of random trees: what is legal holds for all executions for small parameters,
    /// and what is reported is violated by an execution.
    #[test]
    fn verdicts_agree_with_execution(
        decisions in decisions(),
        picks in prop::array::uniform4(any::<u8>()),
        permutable in any::<bool>(),
        coincident in any::<bool>(),
    ) {
        let tree = marked(&tree(&decisions, Nodes::All), permutable, coincident);
        let mut statements: Vec<(String, usize)> = executions(&tree, 3).iter().map(|(i, _)| (i.0.clone(), i.1.len())).collect();
        statements.sort();
        statements.dedup();
        if statements.is_empty() {
            return Ok(());
        }
        let pick = |k: usize| &statements[usize::from(picks[k]) % statements.len()];
        let (a, b) = (pick(0), pick(1));
        let dims = |prefix: &str, n: usize| (0..n).map(|k| format!("{prefix}{k}")).collect::<Vec<_>>();
        let (x, y) = (dims("x", a.1), dims("y", b.1));
        let last = |dims: &[String]| dims.last().cloned().unwrap_or_else(|| "0".to_string());
        let condition = match picks[2] % 4 {
            0 => format!("{} < {}", x[0], y[0]),
            1 => format!("{} = {} and {} < {}", x[0], y[0], last(&x), last(&y)),
            2 => format!("{} + 1 = {}", last(&x), last(&y)),
            _ => format!("{} = 1 and {} = 2", x[0], last(&y)),
        };
        let text = format!("{{ {}[{}] -> {}[{}] : {condition} }}", a.0, x.join(", "), b.0, y.join(", "));
        let pairs: UnionMap = text.parse().unwrap();
        let none: UnionMap = "{ }".parse().unwrap();
        let budget = Budget::new(50_000_000);
        let (validity, coincidence) = if picks[3] % 3 == 0 { (&none, &pairs) } else { (&pairs, &none) };
        let holds = |n: i64| {
            let executions = executions(&tree, n);
            for (a, at) in &executions {
                for (b, bt) in &executions {
                    if related(validity, a, b) && wrong(&tree, at, bt) || related(coincidence, a, b) && apart(&tree, at, bt) {
                        return Some((a.clone(), b.clone()));
                    }
                }
            }
            None
        };
        match check_tree(validity, coincidence, &tree, &budget).unwrap() {
            Verdict::Legal => {
                for n in [-1, 0, 1, 2, 3, 4, 7] {
                    prop_assert_eq!(holds(n), None, "for n = {} and {} in\n{}", n, text, tree);
                }
            }
            Verdict::Violated(violation) => {
                prop_assert_ne!(violation.rule, Rule::Scheduled, "{} and {} in\n{}", violation, text, tree);
                let names = violation.dependence.params().names();
                let n = names.iter().zip(&violation.params).find(|(name, _)| name.to_string() == "n");
                let n = n.map_or(0, |(_, value)| value.to_i64().unwrap());
                prop_assert!(holds(n).is_some(), "{} for {} in\n{}", violation, text, tree);
            }
        }
    }
}
