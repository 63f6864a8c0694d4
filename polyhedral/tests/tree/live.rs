//! The check of conditional validity: live ranges are reordered, but not torn.

use crate::check::{executions, marked};
use crate::execute::{Instance, name, paired};
use crate::random::{Nodes, decisions, tree};
use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{Verdict, check_conditional};
use farkas_polyhedral::sets::UnionMap;
use farkas_polyhedral::tree::Tree;
use proptest::prelude::*;

fn verdict(condition: &str, conditioned: &str, tree: &str, expected: Expect) {
    let tree: Tree = tree.parse().unwrap_or_else(|e| panic!("{e}"));
    let [condition, conditioned] = [condition, conditioned].map(|text| text.parse::<UnionMap>().unwrap());
    let verdict = check_conditional(&condition, &conditioned, &tree, &Budget::new(50_000_000)).unwrap();
    expected.assert_eq(&match verdict {
        Verdict::Legal => "legal".to_string(),
        Verdict::Violated(violation) => violation.to_string(),
    });
}

/// `for (i) { S: t = f(i); T: g(t); }` with the given schedules of `S` and `T`, and what is below them.
fn scalar(schedule: &str, marks: &str, first: &str, second: &str) -> String {
    format!(
        r#"
domain: "{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}"
child:
  schedule: "{schedule}"
  {marks}
  child:
    sequence:
    - filter: "{{ {first}[i] }}"
    - filter: "{{ {second}[i] }}"
"#
    )
}

const RANGES: &str = "{ S[i] -> T[i] }";
const ORDER: &str = "{ T[i] -> S[j] : i < j }";

#[test]
fn whole_live_ranges_are_reordered() {
    let forwards = scalar("[{ S[i] -> [i]; T[i] -> [i] }]", "permutable: 1", "S", "T");
    verdict(RANGES, ORDER, &forwards, expect!["legal"]);
    let backwards = scalar("[{ S[i] -> [-i]; T[i] -> [-i] }]", "permutable: 1", "S", "T");
    verdict(RANGES, ORDER, &backwards, expect!["legal"]);
    // The value of `i` is read after that of `i - 1` is written.
    let overlapping = scalar("[{ S[i] -> [-i]; T[i] -> [-i + 1] }]", "permutable: 0", "T", "S");
    verdict(
        RANGES,
        ORDER,
        &overlapping,
        expect!["dependence T[0] -> S[1] is not executed in order"],
    );
    let shifted = scalar("[{ S[i] -> [-i]; T[i] -> [-i + 1] }]", "permutable: 1", "T", "S");
    verdict(
        RANGES,
        ORDER,
        &shifted,
        expect!["dependence T[0] -> S[1] is of negative distance in member 0 of a permutable band"],
    );
    let apart = r#"{ domain: "{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }", child: { sequence: [ { filter: "{ S[i] }" }, { filter: "{ T[i] }" } ] } }"#;
    verdict(
        RANGES,
        ORDER,
        apart,
        expect!["dependence T[0] -> S[1] is not executed in order"],
    );
}

#[test]
fn tags_tell_what_is_adjacent() {
    let ranges = "{ [S[i] -> w[]] -> [T[i] -> r[]]; [S[i] -> v[]] -> [T[i + 1] -> q[]] }";
    let backwards = scalar("[{ S[i] -> [-i]; T[i] -> [-i] }]", "permutable: 1", "S", "T");
    verdict(
        ranges,
        "{ [T[i] -> r[]] -> [S[j] -> w[]] : i < j }",
        &backwards,
        expect!["legal"],
    );
    verdict(
        ranges,
        "{ [T[i] -> q[]] -> [S[j] -> v[]] : i <= j }",
        &backwards,
        expect!["dependence T[1] by q[] -> S[2] by v[] is of negative distance in member 0 of a permutable band"],
    );
}

/// In a permutable band, a live range along one member is torn by reversing another one.
#[test]
fn permutable_bands() {
    let tree = |marks: &str| {
        format!(
            r#"{{ domain: "{{ S[k, j] : 0 <= k, j < 9 }}", child: {{ schedule: "[{{ S[k, j] -> [-k] }}, {{ S[k, j] -> [j] }}]"{marks} }} }}"#
        )
    };
    let (ranges, order) = ("{ S[k, j] -> S[k, j + 1] }", "{ S[k, j] -> S[k + 1, j] }");
    verdict(ranges, order, &tree(""), expect!["legal"]);
    verdict(
        ranges,
        order,
        &tree(", permutable: 1"),
        expect!["dependence S[0, 8] -> S[1, 8] is of negative distance in member 0 of a permutable band"],
    );
}

/// Where two executions part: the position of the first value that differs, and whether the first comes before.
fn parting(a: &[(bool, i64)], b: &[(bool, i64)]) -> (usize, bool) {
    match a.iter().zip(b).position(|(x, y)| x != y) {
        Some(at) => (at, a[at].0 && a[at].1 < b[at].1),
        None => (usize::MAX, false),
    }
}

fn related(map: &UnionMap, a: &Instance, b: &Instance) -> bool {
    map.maps()
        .any(|map| name(map.domain_tuple()) == a.0 && name(map.range_tuple()) == b.0 && paired(map, &[], &a.1, &b.1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// For sequential bands: a conditioned pair that is not in order parts where no adjacent live range has parted.
    #[test]
    fn verdicts_agree_with_execution(decisions in decisions(), picks in prop::array::uniform4(any::<u8>())) {
        let tree = marked(&tree(&decisions, Nodes::Plain), false, false);
        let pairs = |a: u8, c: u8| {
            let (from, to) = [("S[x, y]", "T[z]"), ("T[z]", "S[x, y]"), ("S[x, w]", "S[z, y]"), ("T[x]", "T[z]")][usize::from(a % 4)];
            let condition = ["x = z", "x < z", "x + 1 = z", "x = 1", "z = 2 and x < 2"][usize::from(c % 5)];
            format!("{{ {from} -> {to} : {condition} }}")
        };
        let (condition, conditioned) = (pairs(picks[0], picks[1]), pairs(picks[2], picks[3]));
        let [ranges, order] = [&condition, &conditioned].map(|text| text.parse::<UnionMap>().unwrap());
        let holds = |n: i64| {
            let executions = executions(&tree, n);
            let times: Vec<(Instance, Vec<(bool, i64)>)> =
                executions.iter().map(|(i, keys)| (i.clone(), crate::check::flat(keys))).collect();
            let mut live = Vec::new();
            for (a, at) in &times {
                for (b, bt) in &times {
                    if related(&ranges, a, b) {
                        live.push((a, b, parting(at, bt).0));
                    }
                }
            }
            for (x, xt) in &times {
                for (y, yt) in &times {
                    let (at, before) = parting(xt, yt);
                    if related(&order, x, y)
                        && !before
                        && live.iter().any(|(b, c, parted)| (*c == x || *b == y) && (at == usize::MAX || *parted <= at))
                    {
                        return false;
                    }
                }
            }
            true
        };
        let verdict = check_conditional(&ranges, &order, &tree, &Budget::new(50_000_000)).unwrap();
        match verdict {
            Verdict::Legal => {
                for n in [-1, 0, 1, 2, 3, 5] {
                    prop_assert!(holds(n), "for n = {n}, {condition} and {conditioned} in\n{tree}");
                }
            }
            Verdict::Violated(violation) => {
                let names = violation.dependence.params().names();
                let n = names.iter().zip(&violation.params).find(|(name, _)| name.to_string() == "n");
                let n = n.map_or(0, |(_, value)| value.to_i64().unwrap());
                prop_assert!(!holds(n), "{violation} for {condition} and {conditioned} in\n{tree}");
            }
        }
    }
}
