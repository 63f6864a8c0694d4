//! The legality checker: what it accepts, and what it says of what it refuses.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::check::{Verdict, check_schedule, check_tree};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{MultiAff, Tuple, UnionMap};
use farkas_polyhedral::tree::Tree;
use indexmap::IndexMap;
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::new(10_000_000)
}

fn pairs(text: &str) -> UnionMap {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn show(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Legal => "legal".into(),
        Verdict::Violated(violation) => violation.to_string(),
    }
}

fn tree_verdict(dependences: &str, tree: &str, expected: Expect) {
    let tree: Tree = tree.parse().unwrap_or_else(|e| panic!("{e}"));
    let dependences = pairs(dependences);
    let verdict = check_tree(&dependences, &dependences, &tree, &budget()).unwrap();
    expected.assert_eq(&show(&verdict));
}

const STENCIL: &str = "[n] -> { S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 and 0 <= t < n - 1 and 0 <= i, j < n }";

#[test]
fn a_skewed_stencil_is_permutable() {
    tree_verdict(
        STENCIL,
        r#"
domain: "[n] -> { S[t, i] : 0 <= t, i < n }"
child:
  schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]"
  permutable: 1
"#,
        expect!["legal"],
    );
}

#[test]
fn a_stencil_is_not_permutable_without_skewing() {
    tree_verdict(
        STENCIL,
        r#"
domain: "[n] -> { S[t, i] : 0 <= t, i < n }"
child:
  schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
  permutable: 1
"#,
        expect!["dependence S[0, 1] -> S[1, 0] is of negative distance in member 1 of a permutable band, for n = 2"],
    );
}

#[test]
fn the_space_loop_of_a_stencil_is_parallel_inside_the_time_loop() {
    let tree = |coincident: &str| {
        format!(
            r#"
domain: "[n] -> {{ S[t, i] : 0 <= t, i < n }}"
child:
  schedule: "[n] -> [{{ S[t, i] -> [(t)] }}]"
  coincident: [ {coincident} ]
  child:
    schedule: "[n] -> [{{ S[t, i] -> [(i)] }}]"
    coincident: [ 1 ]
"#
        )
    };
    tree_verdict(STENCIL, &tree("0"), expect!["legal"]);
    tree_verdict(
        STENCIL,
        &tree("1"),
        expect!["dependence S[0, 0] -> S[1, 0] is of distance other than zero in coincident member 0, for n = 2"],
    );
}

#[test]
fn an_instance_is_in_order_with_itself() {
    tree_verdict(
        "{ S[i] -> S[i] }",
        "{ domain: \"{ S[i] : 0 <= i < 9 }\", child: { schedule: \"[{ S[i] -> [(i)] }]\" } }",
        expect!["legal"],
    );
    tree_verdict(
        "{ S[i] -> S[i']  : i <= i' <= i + 1 }",
        "{ domain: \"{ S[i] : 0 <= i < 9 }\", child: { schedule: \"[{ S[i] -> [(0)] }]\" } }",
        expect!["dependence S[0] -> S[1] is not executed in order"],
    );
}

#[test]
fn sequences_order_and_sets_do_not() {
    let tree = |kind: &str, first: &str, second: &str| {
        format!(
            r#"
domain: "{{ S[i] : 0 <= i < 9; T[i] : 0 <= i < 9 }}"
child:
  {kind}:
  - filter: "{{ {first}[i] }}"
    child:
      schedule: "[{{ {first}[i] -> [(i)] }}]"
  - filter: "{{ {second}[i] }}"
    child:
      schedule: "[{{ {second}[i] -> [(i)] }}]"
"#
        )
    };
    let dependences = "{ S[i] -> T[8 - i] : 2 <= i < 9 }";
    tree_verdict(dependences, &tree("sequence", "S", "T"), expect!["legal"]);
    tree_verdict(
        dependences,
        &tree("sequence", "T", "S"),
        expect!["dependence S[2] -> T[6] is not executed in order"],
    );
    tree_verdict(
        dependences,
        &tree("set", "S", "T"),
        expect!["dependence S[2] -> T[6] is not executed in order"],
    );
}

#[test]
fn instances_that_depend_on_each_other_are_not_executed_together() {
    tree_verdict(
        "{ S[i] -> S[i + 1] : 0 <= i < 8 }",
        r#"
domain: "{ S[i] : 0 <= i < 9 }"
child:
  schedule: "[{ S[i] -> [(floor(i/2))] }]"
"#,
        expect!["dependence S[0] -> S[1] is not executed in order"],
    );
}

#[test]
fn dependences_outside_the_domain_do_not_count() {
    tree_verdict(
        "{ S[i] -> T[i] : 0 <= i < 8; S[i] -> S[i + 1] : 8 <= i }",
        r#"
domain: "{ S[i] : 0 <= i < 9 }"
"#,
        expect!["legal"],
    );
}

#[test]
fn a_schedule_has_to_have_all_statements() {
    let schedule = IndexMap::from([(Tuple::new("S", 1), "{ S[i] -> [(i)] }".parse::<MultiAff>().unwrap())]);
    let verdict = check_schedule(&pairs("[n] -> { S[i] -> T[i] : i > n }"), &schedule, &budget()).unwrap();
    expect!["dependence S[0] -> T[0] is without a schedule, for n = -1"].assert_eq(&show(&verdict));
}

proptest! {
    /// `S[i, j]` before `S[i + a, j + b]` under a random schedule, in a box.
    #[test]
    fn verdicts_agree_with_enumeration(
        a in 0..3i64,
        b in -2..3i64,
        rows in prop::collection::vec((-2..3i64, -2..3i64, 1..3i64), 1..=3),
    ) {
        let dependence = pairs(&format!(
            "{{ S[i, j] -> S[i + {a}, j + {b}] : 0 <= i, j <= 3 and i + {a} <= 3 and 0 <= j + {b} <= 3 }}"
        ));
        let row = |(x, y, d): &(i64, i64, i64)| format!("floor(({x}i + {y}j)/{d})");
        let list: Vec<String> = rows.iter().map(row).collect();
        let function: MultiAff = format!("{{ S[i, j] -> [{}] }}", list.join(", ")).parse().unwrap();
        let schedule = IndexMap::from([(Tuple::new("S", 2), function)]);
        let time = |i: i64, j: i64| -> Vec<i64> {
            rows.iter().map(|(x, y, d)| (x * i + y * j).div_euclid(*d)).collect()
        };
        let mut legal = true;
        for i in 0..=3 - a {
            for j in (0..=3).filter(|j| (0..=3).contains(&(j + b))) {
                legal &= time(i, j) < time(i + a, j + b);
            }
        }
        let verdict = check_schedule(&dependence, &schedule, &budget()).unwrap();
        prop_assert_eq!(verdict.is_legal(), legal);
        if let Verdict::Violated(violation) = verdict {
            let value = |x: &Int| x.to_i64().unwrap();
            let (s, t) = (&violation.source, &violation.sink);
            prop_assert!(time(value(&s[0]), value(&s[1])) >= time(value(&t[0]), value(&t[1])));
        }
    }
}
