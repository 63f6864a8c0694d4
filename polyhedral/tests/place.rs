//! Expressions in context: isl's notation in, C text out; and evaluation at all points of what is known.
#![forbid(unsafe_code)]

use expect_test::{Expect, expect};
use farkas_polyhedral::ast::{Condition, Expr, Forms, IterId, Logic, Names, Place, Point};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Name, PwAff, Set};

/// A place where `known` is known, a set of values of iterators that are called as its dimensions.
struct Context {
    place: Place,
    iterators: Vec<Name>,
}

impl Context {
    fn new(known: &str) -> Context {
        let known: Set = known.parse().expect("a set");
        let iterators = known.tuple().dims().iter().map(|name| name.clone().expect("a name"));
        let mut place = Place::root(
            Set::universe(farkas_polyhedral::sets::SetSpace::params_only(known.params().clone())),
            known.params().clone(),
        );
        for dim in 0..known.n_dims() {
            let outer = known
                .project_out(dim + 1, known.n_dims() - dim - 1, &Budget::unlimited())
                .unwrap();
            place = place.inside_loop(IterId(dim), outer);
        }
        if known.n_dims() == 0 {
            place = place.with_known(known.clone());
        }
        Context {
            iterators: iterators.collect(),
            place,
        }
    }

    fn names(&self, logic: Logic) -> Names<'_> {
        Names {
            params: self.place.params(),
            iterators: &self.iterators,
            logic,
        }
    }

    fn expr(&self, function: &str, forms: &Forms) -> Expr {
        let function: PwAff = function.parse().expect("a piecewise function");
        self.place.expr(&function, forms, &Budget::unlimited()).unwrap()
    }

    fn condition(&self, set: &str, forms: &Forms) -> Condition {
        let set: Set = set.parse().expect("a set");
        self.place.condition(&set, forms, &Budget::unlimited()).unwrap()
    }
}

fn expr(known: &str, function: &str, expected: Expect) {
    let context = Context::new(known);
    let expr = context.expr(function, &Forms::default());
    expected.assert_eq(&expr.display(context.names(Logic::ShortCircuit)).to_string());
}

fn condition(known: &str, set: &str, expected: Expect) {
    let context = Context::new(known);
    let condition = context.condition(set, &Forms::default());
    expected.assert_eq(&condition.display(context.names(Logic::ShortCircuit)).to_string());
}

#[test]
fn example_5_21_and_5_22() {
    condition(
        "[n] -> { : }",
        "[n] -> { : n >= 2 and n - 4 * floor(n/4) >= 2 }",
        expect!["n >= 2 && n % 4 >= 2"],
    );
    condition(
        "[n] -> { : n >= 2 }",
        "[n] -> { : n - 4 * floor(n/4) >= 2 }",
        expect!["n % 4 >= 2"],
    );
    condition(
        "[n] -> { : }",
        "[n] -> { : n - 4 * floor(n/4) >= 2 }",
        expect!["n >= 4 * floord(n, 4) + 2"],
    );
}

#[test]
fn example_5_7() {
    expr(
        "[n] -> { : n mod 2 = 0 }",
        "[n] -> { [(n/2 + 2*floor((-n-1)/4) + 2)] }",
        expect!["(n - 4 * floord(n, 4)) / 2"],
    );
    condition("[n] -> { : }", "[n] -> { : n mod 2 = 0 }", expect!["n % 2 == 0"]);
}

#[test]
fn example_5_10() {
    expr(
        "[c1] -> { : c1 >= 0 }",
        "[c1] -> { [(floor((c1 - 8)/3) + 1)] }",
        expect!["((c1 + 1) / 3) - 2"],
    );
}

#[test]
fn figure_9() {
    expr("[n] -> { : n >= 0 }", "[n] -> { [(n mod 128)] }", expect!["n % 128"]);
    expr(
        "[t1] -> { : 0 <= t1 < 128 }",
        "[t1] -> { [(7 + (t1 - 7) mod 128)] }",
        expect!["((t1 + 121) % 128) + 7"],
    );
    condition(
        "[t1] -> { : 0 <= t1 < 128 }",
        "[t1] -> { : exists i: 7 <= i <= 130 and i mod 128 = t1 }",
        expect!["(t1 + 121) % 128 <= 123"],
    );
    expr(
        "[t1] -> { : 0 <= t1 < 128 and (t1 - 7) mod 128 <= 123 }",
        "[t1] -> { [(7 + (t1 - 7) mod 128)] }",
        expect!["((t1 + 121) % 128) + 7"],
    );
}

#[test]
fn figure_10() {
    condition(
        "{ [c0] : 0 <= c0 <= 7 }",
        "{ [i] : exists (a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8) }",
        expect!["c0 >= 2 * ((c0 + 2) / 3)"],
    );
    condition(
        "[t1, t2] -> { [c0, c1] : 0 <= c0 <= 1 and c1 < t1 - 255 and c1 >= t1 - 384 and c1 >= t2 - 514 and 0 <= t1 < 128 }",
        "[t1, t2] -> { [i, j] : exists (a, b : 0 <= i <= 1 and t1 = j + 128a and 0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5) }",
        expect![
            "t2 >= 253 && (t1 - c1) % 128 == 0 && 2 * floord(c1, 2) + 514 >= t2 && t2 + 2 * floord(c1, 2) >= -5 && (t2 % 2) + 2 * t2 <= 514 && 2 * (t2 / 2) >= c1 + 383 && (t2 % 2) + t2 + c1 <= 127"
        ],
    );
}
