//! What reaches nodes, the schedule above and below them, and what makes a tree well-formed.

use crate::execute::{Instance, execute, execute_visiting, inside, ints, name, paired, points};
use crate::random::{Nodes, decisions, tree};
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Set, UnionMap, UnionPwMultiAff};
use farkas_polyhedral::tree::{Path, Tree, verify};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn budget() -> Budget {
    Budget::new(50_000_000)
}

const GEMM: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i, j, k] : 0 <= i, j, k < n }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
      child:
        schedule: "[{ T[i, j, k] -> [(k)] }]"
"#;

/// A group of two statements, as in P0 section 7.4, and copies of what it reads.
const GROUPED: &str = r#"
domain: "[n] -> { G[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ G[i] -> [(floor(i/4))] }, { G[i] -> [(i)] }]"
  child:
    extension: "[n] -> { [t, i] -> copy[a] : i <= a <= i + 1 }"
    child:
      sequence:
      - filter: "{ copy[a] }"
      - filter: "{ G[i] }"
        child:
          contraction: "{ A[i] -> G[i]; B[i, k] -> G[i] }"
          expansion: "{ G[i] -> A[i]; G[i] -> B[i, k] : 0 <= k <= 1 }"
          child:
            set:
            - filter: "{ A[i] }"
            - filter: "{ B[i, k] }"
              child:
                schedule: "[{ B[i, k] -> [(-k)] }]"
"#;

fn reaches(text: &str, path: Path, expected: Expect) {
    let tree: Tree = text.parse().unwrap();
    let b = budget();
    let reach = tree.reach(&path, &b).unwrap();
    let function = match reach.schedule(&b).unwrap() {
        Some(function) => function.gist(&reach.instances, &b).unwrap().to_string(),
        None => "no function".to_string(),
    };
    let relation = reach.schedule_relation(&b).unwrap();
    expected.assert_eq(&format!(
        "instances {}\nprefix    {function}\nrelation  {relation}\nsubtree   {}\n",
        reach.instances,
        tree.subtree_schedule_map(&path, &b).unwrap()
    ));
}

#[test]
fn above_and_below() {
    reaches(
        GEMM,
        Path::root(),
        expect![[r#"
        instances [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        prefix    [n] -> ([] : { S[i, j]; T[i, j, k] })
        relation  [n] -> { S[i, j] -> [] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> [] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        subtree   [n] -> { S[i, j] -> [(i), (j), (0), (0)] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> [(i), (j), (1), (k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    "#]],
    );
    reaches(
        GEMM,
        Path::from([0]),
        expect![[r#"
        instances [n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        prefix    [n] -> [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]
        relation  [n] -> { S[i, j] -> [(i), (j)] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> [(i), (j)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        subtree   [n] -> { S[i, j] -> [(0), (0)] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> [(1), (k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    "#]],
    );
    reaches(
        GEMM,
        Path::from([0, 1]),
        expect![[r#"
        instances [n] -> { T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        prefix    [n] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }]
        relation  [n] -> { T[i, j, k] -> [(i), (j)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        subtree   [n] -> { T[i, j, k] -> [(k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    "#]],
    );
    reaches(
        GEMM,
        Path::from([0, 1, 0]),
        expect![[r#"
        instances [n] -> { T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        prefix    [n] -> [{ T[i, j, k] -> [(i)] }, { T[i, j, k] -> [(j)] }, { T[i, j, k] -> [(k)] }]
        relation  [n] -> { T[i, j, k] -> [(i), (j), (k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
        subtree   [n] -> { T[i, j, k] -> [] : 0 <= i < n and 0 <= j < n and 0 <= k < n }
    "#]],
    );
    reaches(
        GROUPED,
        Path::from([0, 0]),
        expect![[r#"
        instances [n] -> { G[i] : 0 <= i < n; copy[a] : exists (e0, e1: -1 + a <= e1 <= a and 4e0 <= e1 <= 3 + 4e0 and 0 <= e1 < n) }
        prefix    no function
        relation  [n] -> { G[i] -> [(floor((i)/4)), (i)] : 0 <= i < n; copy[a] -> [t, i] : -1 + a <= i <= a and 4t <= i <= 3 + 4t and 0 <= i < n }
        subtree   [n] -> { copy[a] -> [(0), (0), (0)] : exists (e0, e1: -1 + a <= e1 <= a and 4e0 <= e1 <= 3 + 4e0 and 0 <= e1 < n); A[i0] -> [(1), (0), (0)] : 0 <= i0 < n; B[i0, k] -> [(1), (1), (-k)] : 0 <= k <= 1 and 0 <= i0 < n }
    "#]],
    );
    reaches(
        GROUPED,
        Path::from([0, 0, 1, 0]),
        expect![[r#"
        instances [n] -> { A[i0] : 0 <= i0 < n; B[i0, k] : 0 <= k <= 1 and 0 <= i0 < n }
        prefix    [n] -> [{ A[i0] -> [(floor((i0)/4))]; B[i0, k] -> [(floor((i0)/4))] }, { A[i0] -> [(i0)]; B[i0, k] -> [(i0)] }]
        relation  [n] -> { A[i0] -> [(floor((i0)/4)), (i0)] : 0 <= i0 < n; B[i0, k] -> [(floor((i0)/4)), (i0)] : 0 <= k <= 1 and 0 <= i0 < n }
        subtree   [n] -> { A[i0] -> [(0), (0)] : 0 <= i0 < n; B[i0, k] -> [(1), (-k)] : 0 <= k <= 1 and 0 <= i0 < n }
    "#]],
    );
    reaches(
        GROUPED,
        Path::from([0, 0, 1, 0, 1, 0]),
        expect![[r#"
        instances [n] -> { B[i0, k] : 0 <= k <= 1 and 0 <= i0 < n }
        prefix    [n] -> [{ B[i0, k] -> [(floor((i0)/4))] }, { B[i0, k] -> [(i0)] }, { B[i0, k] -> [(-k)] }]
        relation  [n] -> { B[i0, k] -> [(floor((i0)/4)), (i0), (-k)] : 0 <= k <= 1 and 0 <= i0 < n }
        subtree   [n] -> { B[i0, k] -> [] : 0 <= k <= 1 and 0 <= i0 < n }
    "#]],
    );
}

fn flat(text: &str, expected: Expect) {
    let tree: Tree = text.parse().unwrap();
    expected.assert_eq(&tree.schedule_map(&budget()).unwrap().to_string());
}

#[test]
fn whole_order() {
    flat(
        GEMM,
        expect![
            "[n] -> { S[i, j] -> [(i), (j), (0), (0)] : 0 <= i < n and 0 <= j < n; T[i, j, k] -> [(i), (j), (1), (k)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        ],
    );
    flat(
        GROUPED,
        expect![
            "[n] -> { copy[a] -> [o0, o1, (0), (0), (0)] : -1 + a <= o1 <= a and 0 <= o1 < n and 4o0 <= o1 <= 3 + 4o0; A[i0] -> [(floor((i0)/4)), (i0), (1), (0), (0)] : 0 <= i0 < n; B[i0, k] -> [(floor((i0)/4)), (i0), (1), (1), (-k)] : 0 <= k <= 1 and 0 <= i0 < n }"
        ],
    );
}

fn from_map(schedule: &str, expected: Expect) {
    let schedule: UnionMap = schedule.parse().unwrap();
    let context: Set = "{ : }".parse().unwrap();
    let tree = Tree::from_schedule_map(&schedule, &context, &budget()).unwrap();
    expected.assert_eq(&tree.map_or_else(|| "none\n".to_string(), |tree| tree.to_string()));
}

#[test]
fn trees_from_relations() {
    from_map(
        "[n] -> { S[i] -> [i, 0] : 0 <= i < n; T[i] -> [i, 1] : 0 <= i < n }",
        expect![[r#"
            domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }, { S[i] -> [(0)]; T[i] -> [(1)] }]"
        "#]],
    );
    from_map(
        "{ S[i] -> [j] : 0 <= j <= i <= 5 }",
        expect![[r#"
        none
    "#]],
    );
    from_map(
        "{ S[i] -> [i]; T[] -> [0, 0] }",
        expect![[r#"
        none
    "#]],
    );
}

fn verdict(text: &str, expected: Expect) {
    let tree: Tree = text.parse().unwrap();
    let verdict = match verify(&tree, &budget()) {
        Ok(()) => "well-formed".to_string(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&verdict);
}

fn over(node: &str, expected: Expect) {
    verdict(
        &format!("{{ domain: \"{{ A[i] : 0 <= i <= 9; B[] }}\", child: {node} }}"),
        expected,
    );
}

#[test]
fn well_formed() {
    verdict(GEMM, expect!["well-formed"]);
    verdict(GROUPED, expect!["well-formed"]);
}

#[test]
fn not_well_formed() {
    over(
        r#"{ schedule: "[{ A[i] -> [i] : i < 5; B[] -> [0] }]" }"#,
        expect!["the band at / has no value for { A[i] : 5 <= i <= 9 }"],
    );
    over(
        r#"{ schedule: "[{ A[i] -> [i/2]; B[] -> [0] }]" }"#,
        expect!["the band at / has no value for { A[i] : ((i) mod 2) = 1 and 0 <= i <= 9 }"],
    );
    over(
        r#"{ schedule: "[{ A[i] -> [i]; B[] -> [0] }]", options: "{ isolate[[a] -> [x]] : x > 2 }" }"#,
        expect!["the band at / is over [a] where the 0 outer members are expected"],
    );
    over(
        r#"{ mark: "m", child: { sequence: [ { filter: "{ A[i] : i < 5 }" }, { filter: "{ A[i] : i > 3; B[] }" } ] } }"#,
        expect!["the sequence at /0 has children 0 and 1 that have { A[i = 4] } in common"],
    );
    over(
        r#"{ set: [ { filter: "{ A[i] : i < 5 }" }, { filter: "{ A[i] : i > 5; B[] }" } ] }"#,
        expect!["the set at / has no child for { A[i = 5] }"],
    );
    over(
        r#"{ guard: "{ [c] : c > 0 }" }"#,
        expect!["the guard at / is over [c] where the 0 outer members are expected"],
    );
    over(
        r#"{ extension: "{ [] -> B[]; [] -> C[] }" }"#,
        expect!["the extension at / introduces B[], which reaches it"],
    );
    over(
        r#"{ extension: "{ [c] -> C[] }" }"#,
        expect!["the extension at / is over [c] where the 0 outer members are expected"],
    );
    over(
        r#"{ contraction: "{ X[i] -> A[i]; B[] -> B[] }", expansion: "{ A[i] -> X[i] : i > 0; B[] -> B[] }" }"#,
        expect!["the expansion at / makes nothing of { A[i = 0] }"],
    );
    over(
        r#"{ contraction: "{ X[i] -> A[i + 1]; B[] -> B[] }", expansion: "{ A[i] -> X[i]; B[] -> B[] }" }"#,
        expect!["the expansion at / has pairs that are not in its contraction, { A[i] -> X[(i)] : 0 <= i <= 9 }"],
    );
    over(
        r#"{ contraction: "{ X[i] -> A[i]; B[] -> B[] }", expansion: "{ A[i] -> X[i] : i > 0; A[0] -> X[12]; B[] -> B[] }" }"#,
        expect!["the expansion at / has pairs that are not in its contraction, { A[i = 0] -> X[(12)] }"],
    );
}

/// Expansions of the reference data are well-formed, and so is everything else there.
#[test]
fn reference_data_is_well_formed() {
    for path in crate::text::reference_files("st") {
        let tree: Tree = std::fs::read_to_string(&path).expect("a text").parse().expect("a tree");
        if let Err(error) = verify(&tree, &budget()) {
            panic!("{}: {error}", path.display());
        }
    }
}

/// What an extension introduces in several conjunctions was once combined with each of them again in all bands below, which
/// took hundreds of conjunctions for each of the other statement's two.
#[test]
fn bands_below_extensions_are_combined_once() {
    let tree: Tree = r#"
domain: "[n] -> { S[i, j] : ((i + j) mod 2) = 0 and 0 <= i <= 3 and 0 <= j <= 2 }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(j)] : i <= 1; S[i, j] -> [(3 + i)] : i >= 2 }, { S[i, j] -> [(2i + j)] }]"
  child:
    schedule: "[n] -> [{ S[i, j] -> [(floor((i)/2))] }, { S[i, j] -> [(1)] }]"
    child:
      extension: "{ [c0, c1, c2, c3] -> C1[p = c3, q] : 0 <= c3 <= 3 and 0 <= q <= 1 }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(i)]; C1[p, q] -> [(-n + p + q)] }, { S[i, j] -> [(i)]; C1[p, q] -> [(2p + q)] }]"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(2i + j)]; C1[p, q] -> [(2p + q)] }, { S[i, j] -> [(1 + j)]; C1[p, q] -> [(q)] : p <= 1; C1[p, q] -> [(3 + p)] : p >= 2 }]"
"#
    .parse()
    .unwrap();
    verify(&tree, &Budget::new(50_000)).unwrap();
}

/// The times of what an extension introduces were once combined with all of them again in the band below, which took more
/// memory than there was.
#[test]
fn times_below_extensions_are_combined_once() {
    let tree: Tree = r#"
domain: "[n] -> { S[i, j] : 0 <= i <= 3 and 0 <= j <= 2 and i < n; T[i] : 0 <= i <= 3 }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(-n + i + j)]; T[i] -> [(floor((i)/2))] }, { S[i, j] -> [(1)]; T[i] -> [(1)] }]"
  child:
    guard: "[n] -> { [c0, c1] : c1 <= 2 }"
    child:
      schedule: "[n] -> [{ S[i, j] -> [(-n + i + j)]; T[i] -> [(floor((i)/2))] }, { S[i, j] -> [(-j)]; T[i] -> [(-i)] }]"
      child:
        extension: "{ [c0, c1, c2, c3] -> C1[p = c3, q] : 0 <= c3 <= 3 and 0 <= q <= 1 }"
        child:
          schedule: "[n] -> [{ S[i, j] -> [(1 + j)]; T[i] -> [(i)] : i <= 1; T[i] -> [(3 + i)] : i >= 2; C1[p, q] -> [(floor((p)/2))] }]"
"#
    .parse()
    .unwrap();
    tree.schedule_map(&Budget::new(50_000)).unwrap();
}

const PARAMS: [&[(&str, i64)]; 2] = [&[("n", 1)], &[("n", 3)]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_trees_are_well_formed(decisions in decisions()) {
        verify(&tree(&decisions, Nodes::All), &budget()).unwrap();
    }

    /// The instances that reach each node, with the values of the outer members, are those of an execution.
    #[test]
    fn what_reaches_is_what_is_executed(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::All);
        for params in PARAMS {
            let mut visits: BTreeSet<(Vec<usize>, Instance, Vec<i64>)> = BTreeSet::new();
            execute_visiting(&tree, params, &mut |path, outer, instances| {
                let visit = |i: &Instance| (path.steps().to_vec(), i.clone(), outer.to_vec());
                visits.extend(instances.iter().map(visit));
            });
            let n = ints(&[params[0].1]);
            for path in tree.paths() {
                let reach = tree.reach(&path, &budget()).unwrap();
                let relation = reach.schedule_relation(&budget()).unwrap();
                let mut reached = BTreeSet::new();
                for set in reach.instances.sets() {
                    let own: Vec<_> = set.params().names().iter().map(|_| n[0].clone()).collect();
                    let within = points(set.tuple()).into_iter().filter(|p| inside(set, &own, p));
                    reached.extend(within.map(|p| (name(set.tuple()), p)));
                }
                let here: Vec<_> = visits.iter().filter(|(p, _, _)| p == path.steps()).collect();
                let visited: BTreeSet<Instance> = here.iter().map(|(_, i, _)| i.clone()).collect();
                prop_assert_eq!(&reached, &visited, "at {} in\n{}", path, tree);
                for (_, (statement, point), outer) in here {
                    let holds = relation.maps().any(|map| {
                        let own: Vec<_> = map.params().names().iter().map(|_| n[0].clone()).collect();
                        name(map.domain_tuple()) == *statement && paired(map, &own, point, outer)
                    });
                    prop_assert!(holds, "{statement}{point:?} with {outer:?} at {path} in\n{tree}");
                }
            }
        }
    }

    /// The instances that reach leaves are those of an execution.
    #[test]
    fn what_is_executed_is_what_reaches_leaves(decisions in decisions(), expands in any::<bool>()) {
        let tree = tree(&decisions, if expands { Nodes::Expanding } else { Nodes::All });
        let Ok(executed) = tree.executed(&Budget::new(2_000_000)) else { return Ok(()) };
        for params in PARAMS {
            let n = ints(&[params[0].1]);
            let mut reached = BTreeSet::new();
            for set in executed.sets() {
                let own: Vec<_> = set.params().names().iter().map(|_| n[0].clone()).collect();
                let within = points(set.tuple()).into_iter().filter(|p| inside(set, &own, p));
                reached.extend(within.map(|p| (name(set.tuple()), p)));
            }
            let visited: BTreeSet<Instance> = execute(&tree, params).into_iter().collect();
            prop_assert_eq!(reached, visited, "{}", tree);
        }
    }

    /// Instances sorted by the flat schedule come as they are executed, where it is a function.
    #[test]
    fn the_flat_schedule_is_the_order(decisions in decisions()) {
        let tree = tree(&decisions, Nodes::All);
        // Extensions below extensions are introduced by so many ways that this may take long.
        let b = Budget::new(2_000_000);
        let Ok(map) = tree.schedule_map(&b) else { return Ok(()) };
        let Ok(Some(function)) = UnionPwMultiAff::from_union_map(&map, &b) else {
            return Ok(());
        };
        for params in PARAMS {
            let executed = execute(&tree, params);
            let time = |(statement, point): &Instance| {
                let part = function.pw_multi_affs().find(|f| name(&f.space().domain) == *statement).unwrap();
                let own: Vec<_> = part.params().names().iter().map(|_| ints(&[params[0].1])[0].clone()).collect();
                part.eval(&own, &ints(point), &budget()).unwrap().unwrap()
            };
            let mut sorted: Vec<_> = executed.iter().map(|i| (time(i), i.clone())).collect();
            sorted.sort();
            let sorted: Vec<Instance> = sorted.into_iter().map(|(_, i)| i).collect();
            prop_assert_eq!(sorted, executed, "{}", tree);
        }
    }
}
