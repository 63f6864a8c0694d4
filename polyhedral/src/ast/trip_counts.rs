//! Bounds of trip counts: what is known of the number of iterations of each loop of an AST, wherever it is entered.
//!
//! The bounds of a loop are affine functions of outer iterators, whose own bounds say how far apart they are at least and at most:
//!
//! ```text
//! for (c0 = 0; c0 <= 31; c0++)
//!   for (c1 = 4 * c0; c1 <= 4 * c0 + 3; c1++)
//!     for (c2 = c1; c2 <= 4 * c0 + 3; c2++)     4 c0 + 3 - c1 is at least 0 and at most 3: 1 to 4 iterations
//! ```
//!
//! Nothing is known of parameters.

use std::cell::Cell;

use super::iterator_bounds::{Bounds, MOST_ELIMINATIONS, difference, least};
use super::{Ast, Node, Quasi};
use crate::int::Int;

/// What is known of a loop's number of iterations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TripCount {
    /// There is at least one.
    pub is_entered: bool,
    /// The greatest number.
    pub most: Option<i64>,
    /// It is a constant, which LLVM sees for itself.
    pub is_constant: bool,
}

/// So many iterations at the most fill no vector, and their rests would be most of them where they are unrolled by a factor. Loops over
/// what fills no register tile are that short.
const SHORT: i64 = 7;

impl TripCount {
    /// Whether the loop is too short for vectors and unrolling, and LLVM does not see that.
    pub fn is_short(self) -> bool {
        !self.is_constant && self.most.is_some_and(|most| most <= SHORT)
    }
}

/// The trip counts of all loops, by iterator.
pub fn trip_counts(ast: &Ast) -> Vec<TripCount> {
    let mut found = vec![TripCount::default(); ast.iterators.len()];
    visit(&ast.root, &mut Vec::new(), &mut found);
    found
}

/// The trip count of a loop with these bounds and this step, inside of other loops.
fn trip_count(bounds: &Bounds<'_>, step: &Int, outer: &[Bounds<'_>]) -> TripCount {
    let tries = Cell::new(MOST_ELIMINATIONS);
    let least = |from: &Quasi, to: &Quasi| least(&difference(from, to), outer, &tries);
    let pairs = || {
        bounds
            .lower
            .iter()
            .flat_map(|l| bounds.upper.iter().map(move |u| (*l, *u)))
    };
    let is_entered = |(lower, upper)| least(lower, upper).is_some_and(|distance| !distance.is_neg());
    let trips = |(lower, upper)| -> Option<i64> {
        let distance = -&least(upper, lower)?;
        (&distance.max(-&Int::ONE).div_floor(step) + &Int::ONE).to_i64()
    };
    let is_constant = |(lower, upper)| difference(lower, upper).as_constant().is_some();
    TripCount {
        is_entered: bounds.are_all && pairs().all(is_entered),
        most: pairs().filter_map(trips).min(),
        is_constant: bounds.are_all && pairs().count() == 1 && pairs().all(is_constant),
    }
}

fn visit<'n>(node: &'n Node, outer: &mut Vec<Bounds<'n>>, found: &mut Vec<TripCount>) {
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|node| visit(node, outer, found)),
        Node::For(node) => {
            let bounds = Bounds::of(node);
            found[node.iter.0] = trip_count(&bounds, &node.step, outer);
            outer.push(bounds);
            visit(&node.body, outer, found);
            outer.pop();
        }
        Node::If { then, otherwise, .. } => {
            visit(then, outer, found);
            if let Some(otherwise) = otherwise {
                visit(otherwise, outer, found);
            }
        }
        Node::Mark { body, .. } => visit(body, outer, found),
        Node::Call(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast;
    use crate::budget::Budget;
    use expect_test::{Expect, expect};
    use std::fmt::Write as _;

    /// The loops of a schedule tree, each with its trip count.
    fn check(tree: &str, expected: &Expect) {
        let tree = tree.parse().expect("a schedule tree");
        let ast = ast::generate(&tree, &ast::Options::default(), &Budget::new(1_000_000)).expect("loops");
        let mut text = ast.to_string();
        for (iterator, count) in ast.iterators.iter().zip(trip_counts(&ast)) {
            let at_least = u8::from(count.is_entered);
            let most = count.most.map_or("any".to_owned(), |most| most.to_string());
            let constant = if count.is_constant { ", constant" } else { "" };
            writeln!(text, "{iterator}: {at_least} to {most}{constant}").expect("a string");
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn rest_of_a_register_tile() {
        check(
            r#"
domain: "{ S[i, j] : 0 <= i < 128 and 0 <= j <= i }"
child:
  schedule: "[{ S[i, j] -> [(floor(i/4))] }, { S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#,
            &expect![[r#"
                for (int c0 = 0; c0 <= 31; c0 += 1)
                  for (int c1 = 4 * c0; c1 <= 4 * c0 + 3; c1 += 1)
                    for (int c2 = 0; c2 <= c1; c2 += 1)
                      S(c1, c2);
                c0: 1 to 32, constant
                c1: 1 to 4, constant
                c2: 1 to 128
            "#]],
        );
    }

    #[test]
    fn loop_that_may_be_empty() {
        check(
            r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n - 2i }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#,
            &expect![[r#"
                for (int c0 = 0; c0 <= min(n - 1, floord(n - 1, 2)); c0 += 1)
                  for (int c1 = 0; c1 < n - 2 * c0; c1 += 1)
                    S(c0, c1);
                c0: 0 to any
                c1: 0 to any
            "#]],
        );
    }
}
