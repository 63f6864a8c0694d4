//! Rewriting: the order of execution before and after, on random trees.

use crate::execute::{Instance, execute, execute_visiting};
use crate::random::{Nodes, decisions, tree};
use crate::rewrite::{budget, sets};
use farkas_polyhedral::sets::{MultiUnionPwAff, UnionPwMultiAff};
use farkas_polyhedral::tree::{Band, ExtensionTree, Node, Path, RewriteError, TileOptions, Tree, verify};
use proptest::prelude::*;
use std::collections::HashMap;

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
