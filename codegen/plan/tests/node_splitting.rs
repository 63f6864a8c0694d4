//! The check of orders with node splitting: pieces are the statement, and what is read in a copy is what the original order reads there.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_plan::target::Target;
use farkas_plan::{Choices, Plan, budget, check_plan, plan};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{NodeSplitting, Program};
use farkas_polyhedral::sets::{Set, Tuple};

/// Shortest paths between all nodes.
const PATHS: &str = "program
  context: [n] -> { : n > 0 }
  assumptions: [n] -> { : }
  array d: memory, 8 bytes, [][n]
  statement S
    domain: [n] -> { S[k, i, j] : 0 <= k < n and 0 <= i < n and 0 <= j < n }
    schedule: { S[k, i, j] -> [k, i, j] }
    read: [n] -> { S[k, i, j] -> d[i, j] }
    read: [n] -> { S[k, i, j] -> d[i, k] }
    read: [n] -> { S[k, i, j] -> d[k, j] }
    write: [n] -> { S[k, i, j] -> d[i, j] }
    operations: 3 load f64, 1 store f64, 1 add f64, 1 minimum f64
    chain: access 0 -> access 3: 1 minimum f64
    chain: access 1 -> access 3: 1 add f64, 1 minimum f64
    chain: access 2 -> access 3: 1 add f64, 1 minimum f64
";

/// The plan of a program.
fn planned(program: &Program) -> Plan {
    let target = Target::preset("x86-64-v3").expect("a preset");
    let choices = Choices::default();
    let b = budget(program, &choices);
    plan(program, &target, &choices, &|_, _| {}, &b).unwrap_or_else(|kept| panic!("{kept}"))
}

/// The verdict on the plan of shortest paths where the node splitting is changed.
fn check(change: impl FnOnce(&mut NodeSplitting), expected: Expect) {
    let program: Program = PATHS.parse().unwrap_or_else(|error| panic!("{error}"));
    let mut plan = planned(&program);
    change(plan.node_splitting.as_mut().expect("a plan with node splitting"));
    let verdict = match check_plan(&program, &plan, &Budget::unlimited()).expect("no end of budget") {
        Ok(()) => "legal".to_owned(),
        Err(refusal) => refusal.to_string().lines().next().unwrap_or_default().to_owned(),
    };
    expected.assert_eq(&verdict);
}

#[test]
fn the_plan() {
    check(|_| {}, expect!["legal"]);
}

#[test]
fn a_copy_at_another_time() {
    // Rows in front of row `k` read what is there before the iteration.
    check(
        |split| split.copies[0].place.order = 7,
        expect!["node splitting of d.copy_0.rows: a read finds another value"],
    );
}

#[test]
fn a_piece_that_is_missing() {
    check(
        |split| {
            split.pieces[0].pop();
        },
        expect!["node splitting of S: an instance is in no piece"],
    );
}

#[test]
fn a_piece_twice() {
    check(
        |split| {
            let mut first = split.pieces[0][0].clone();
            first.tuple = Tuple::new("again", first.tuple.n());
            split.pieces[0].push(first);
        },
        expect!["node splitting of S: an instance is in two pieces"],
    );
}

#[test]
fn an_element_that_is_not_copied() {
    check(
        |split| {
            let copy = &mut split.copies[0];
            let all: Set = "{ [k, i] : i > 3 }".parse().unwrap();
            copy.instances = copy.instances.intersect(&all.with_tuple(copy.copy.clone()));
        },
        expect!["node splitting of d.copy_0.rows: an element is not copied"],
    );
}

#[test]
fn a_copy_without_room() {
    check(
        |split| {
            let extent = &mut split.copies[0].extents[0];
            *extent = extent.add_constant(&Int::from(-8));
        },
        expect!["node splitting of d.copy_0.rows: a copy has not all elements"],
    );
}

#[test]
fn fewer_copies_than_iterations_in_a_strip() {
    check(
        |split| split.copies[0].count = 16,
        expect!["dependence S_3[33, 31, 32] -> d.copy_0[49, 32] is not executed in order, for n = 50"],
    );
}

#[test]
fn a_copy_in_an_array_of_the_program() {
    check(
        |split| split.copies[0].buffer = Tuple::new("d", 2),
        expect!["node splitting of d: something else has its name"],
    );
}
