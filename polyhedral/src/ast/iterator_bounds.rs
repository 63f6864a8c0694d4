//! Bounds of iterators, and what they say of expressions.
//!
//! Where the body of a loop is executed, its iterator is at least each operand of the maximum that it starts from, and at most each
//! operand of the minimum that ends it. These are functions of iterators around. An affine expression is least where each of its
//! iterators has its least or greatest value, by the sign of its coefficient, so that iterators are eliminated from the innermost
//! one outwards:
//!
//! ```text
//! for (c0 = 0; c0 <= n; c0++)
//!   for (c1 = 0; c1 <= c0 - 1; c1++)     4 c0 - 4 c1 - 3 is at least 4 c0 - 4 (c0 - 1) - 3 = 1
//! ```
//!
//! A quotient of an iterator is at most the fraction, and less than one below it: `4 floor(c0 / 4)` is at least `c0 - 3`.
//!
//! Nothing is known of parameters.

use std::cell::Cell;

use super::{Ast, Atom, Expr, For, IterId, Node, Quasi, Upper};
use crate::int::Int;

/// So many eliminations are tried: bounds that are minima of several terms multiply.
pub(super) const MOST_ELIMINATIONS: u32 = 256;

/// The operands of a loop's bounds: it starts at the greatest of `lower` and ends at the least of `upper`.
#[derive(Clone, Debug)]
pub(super) struct Bounds<'n> {
    pub(super) iter: IterId,
    pub(super) lower: Vec<&'n Quasi>,
    pub(super) upper: Vec<&'n Quasi>,
    /// No operand was left out.
    pub(super) are_all: bool,
}

impl<'n> Bounds<'n> {
    pub(super) fn of(node: &'n For) -> Self {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut are_all = operands(&node.lower, &|expr| matches!(expr, Expr::Max(_)), &mut lower);
        are_all &= match &node.upper {
            Upper::AtMost(expr) => operands(expr, &|expr| matches!(expr, Expr::Min(_)), &mut upper),
            Upper::While(_) | Upper::Unbounded => false,
        };
        Bounds {
            iter: node.iter,
            lower,
            upper,
            are_all,
        }
    }
}

/// Collects the affine operands of a minimum or maximum. Returns whether these are all.
fn operands<'n>(expr: &'n Expr, is_nested: &dyn Fn(&Expr) -> bool, found: &mut Vec<&'n Quasi>) -> bool {
    match expr {
        Expr::Quasi(quasi) => {
            found.push(quasi);
            true
        }
        Expr::Min(parts) | Expr::Max(parts) if is_nested(expr) => {
            let mut are_all = true;
            for part in parts {
                are_all &= operands(part, is_nested, found);
            }
            are_all
        }
        _ => false,
    }
}

/// `to - from`.
pub(super) fn difference(from: &Quasi, to: &Quasi) -> Quasi {
    let mut difference = to.clone();
    difference.add_scaled(&-&Int::ONE, from);
    difference
}

/// A lower bound of an expression inside of these loops, outermost first; `None` where none is found.
pub(super) fn least(quasi: &Quasi, loops: &[Bounds<'_>], tries: &Cell<u32>) -> Option<Int> {
    if let Some(constant) = quasi.as_constant() {
        return Some(constant.clone());
    }
    let (innermost, outer) = loops.split_last()?;
    if let Some((multiple, factor)) = without_quotient(quasi, innermost.iter) {
        return Some(least(&multiple, loops, tries)?.div_ceil(&factor));
    }
    let iter = Atom::Iter(innermost.iter);
    let coefficient = quasi.terms().iter().find(|(atom, _)| *atom == iter);
    let Some((_, coefficient)) = coefficient else {
        return match quasi.mentions(innermost.iter) {
            true => None,
            false => least(quasi, outer, tries),
        };
    };
    let mut rest = quasi.clone();
    rest.add_scaled(&-coefficient, &Quasi::atom(iter));
    if rest.mentions(innermost.iter) {
        return None;
    }
    let bounds = match coefficient.is_neg() {
        true => &innermost.upper,
        false => &innermost.lower,
    };
    let eliminated = |bound: &&Quasi| {
        tries.set(tries.get().checked_sub(1)?);
        let mut rest = rest.clone();
        rest.add_scaled(coefficient, bound);
        least(&rest, outer, tries)
    };
    bounds.iter().filter_map(eliminated).max()
}

/// A multiple of an expression, at the least, without one of its quotients that an iterator is in, and the factor; `None` where there is none.
fn without_quotient(quasi: &Quasi, iter: IterId) -> Option<(Quasi, Int)> {
    let (atom, coefficient, numerator, denominator) =
        quasi.terms().iter().find_map(|(atom, coefficient)| match atom {
            Atom::Quotient(numerator, denominator, _) if numerator.mentions(iter) => {
                Some((atom, coefficient, numerator, denominator))
            }
            _ => None,
        })?;
    let mut rest = quasi.clone();
    rest.add_scaled(&-coefficient, &Quasi::atom(atom.clone()));
    let mut multiple = rest.scaled(denominator);
    let slack = match coefficient.is_pos() {
        true => &Int::ONE - denominator,
        false => Int::ZERO,
    };
    multiple.add_scaled(coefficient, &(**numerator).clone().plus(slack));
    Some((multiple, denominator.clone()))
}

/// The bounds of all iterators of an AST.
pub struct IteratorBounds<'n>(Vec<Option<Bounds<'n>>>);

impl<'n> IteratorBounds<'n> {
    /// Those of the loops of an AST.
    pub fn of(ast: &'n Ast) -> Self {
        let mut bounds = IteratorBounds(vec![None; ast.iterators.len()]);
        bounds.add(&ast.root);
        bounds
    }

    fn add(&mut self, node: &'n Node) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.add(node)),
            Node::For(node) => {
                self.0[node.iter.0] = Some(Bounds::of(node));
                self.add(&node.body);
            }
            Node::If { then, otherwise, .. } => {
                self.add(then);
                otherwise.iter().for_each(|node| self.add(node));
            }
            Node::Mark { body, .. } => self.add(body),
            Node::Call(_) => {}
        }
    }

    /// Whether two values differ in the loops over the iterators `around`, outermost first, which have one value each. Nothing is known of
    /// other iterators: they may have several values at a time.
    ///
    /// # Panics
    ///
    /// If an iterator is in no loop of the AST.
    pub fn are_apart(&self, (one, other): (&Quasi, &Quasi), around: &[IterId]) -> bool {
        let has_others = |quasi: &Quasi| {
            let mut iters = (0..self.0.len()).map(IterId);
            iters.any(|iter| !around.contains(&iter) && quasi.mentions(iter))
        };
        if has_others(one) || has_others(other) {
            return false;
        }
        let known = |operands: &[&'n Quasi]| operands.iter().copied().filter(|bound| !has_others(bound)).collect();
        let of = |iter: &IterId| {
            let bounds = self.0[iter.0].as_ref().expect("an iterator of a loop");
            Bounds {
                iter: *iter,
                lower: known(&bounds.lower),
                upper: known(&bounds.upper),
                are_all: false,
            }
        };
        let loops: Vec<Bounds<'_>> = around.iter().map(of).collect();
        let is_below = |one: &Quasi, other: &Quasi| {
            let distance = least(&difference(one, other), &loops, &Cell::new(MOST_ELIMINATIONS));
            distance.is_some_and(|distance| distance.is_pos())
        };
        is_below(one, other) || is_below(other, one)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast;
    use crate::budget::Budget;
    use expect_test::{Expect, expect};

    /// Which arguments of the call in a nest are apart in the loops around the innermost one.
    fn check(domain: &str, loops: &str, expected: &Expect) {
        let tree = format!("domain: \"{domain}\"\nchild:\n  schedule: \"{loops}\"\n");
        let tree = tree.parse().expect("a schedule tree");
        let ast = ast::generate(&tree, &ast::Options::default(), &Budget::new(1_000_000)).expect("loops");
        let bounds = IteratorBounds::of(&ast);
        let mut around = Vec::new();
        let mut node = &ast.root;
        while let Node::For(one) = node {
            around.push(one.iter);
            node = &one.body;
        }
        around.pop().expect("a loop");
        let Node::Call(call) = node else {
            panic!("one statement:\n{ast}")
        };
        let arguments: Vec<&Quasi> = call.arguments.iter().filter_map(Expr::as_quasi).collect();
        let mut text = ast.to_string();
        for (position, one) in arguments.iter().enumerate() {
            for (behind, other) in arguments.iter().enumerate().skip(position) {
                let are_apart = bounds.are_apart((one, other), &around);
                assert_eq!(are_apart, bounds.are_apart((other, one), &around));
                if are_apart {
                    text += &format!("{position} and {behind} are apart\n");
                }
            }
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn rows_of_a_triangle() {
        check(
            "[n] -> { S[i, k, j] : 0 <= i < k and k < n and 0 <= j < n }",
            "[n] -> [{ S[i, k, j] -> [(k)] }, { S[i, k, j] -> [(i)] }, { S[i, k, j] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 1; c0 < n; c0 += 1)
                  for (int c1 = 0; c1 < c0; c1 += 1)
                    for (int c2 = 0; c2 < n; c2 += 1)
                      S(c1, c0, c2);
                0 and 1 are apart
            "#]],
        );
    }

    #[test]
    fn rows_of_a_triangle_in_blocks() {
        check(
            "[n] -> { S[i, k, j] : 0 <= i < 4 * floor(k / 4) and k < n and 0 <= j < n }",
            "[n] -> [{ S[i, k, j] -> [(k)] }, { S[i, k, j] -> [(i)] }, { S[i, k, j] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 4; c0 < n; c0 += 1)
                  for (int c1 = 0; c1 < 4 * (c0 / 4); c1 += 1)
                    for (int c2 = 0; c2 < n; c2 += 1)
                      S(c1, c0, c2);
                0 and 1 are apart
            "#]],
        );
    }

    #[test]
    fn rows_behind_the_block_of_a_row() {
        check(
            "[n] -> { S[i, k, j] : 4 * floor(k / 4) + 4 <= i < n and k >= 0 and 0 <= j < n }",
            "[n] -> [{ S[i, k, j] -> [(k)] }, { S[i, k, j] -> [(i)] }, { S[i, k, j] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 0; c0 < n - 1; c0 += 1)
                  for (int c1 = 4 * (c0 / 4) + 4; c1 < n; c1 += 1)
                    for (int c2 = 0; c2 < n; c2 += 1)
                      S(c1, c0, c2);
                0 and 1 are apart
            "#]],
        );
    }

    #[test]
    fn rows_of_the_block_of_a_row() {
        check(
            "[n] -> { S[i, k, j] : 4 * floor(k / 4) + 3 <= i < n and k >= 0 and 0 <= j < n }",
            "[n] -> [{ S[i, k, j] -> [(k)] }, { S[i, k, j] -> [(i)] }, { S[i, k, j] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 0; c0 < n; c0 += 1)
                  for (int c1 = 4 * (c0 / 4) + 3; c1 < n; c1 += 1)
                    for (int c2 = 0; c2 < n; c2 += 1)
                      S(c1, c0, c2);
            "#]],
        );
    }

    #[test]
    fn what_the_innermost_loop_goes_through_may_be_anything() {
        check(
            "[n] -> { S[k, j] : 0 <= k < n and k < j < n }",
            "[n] -> [{ S[k, j] -> [(k)] }, { S[k, j] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 0; c0 < n - 1; c0 += 1)
                  for (int c1 = c0 + 1; c1 < n; c1 += 1)
                    S(c0, c1);
            "#]],
        );
    }

    #[test]
    fn neighbours_in_one_iteration_meet_in_another() {
        check(
            "[n] -> { S[j, k] : 0 <= j < n and k = j + 1 }",
            "[n] -> [{ S[j, k] -> [(j)] }]",
            &expect![[r#"
                for (int c0 = 0; c0 < n; c0 += 1)
                  S(c0, c0 + 1);
            "#]],
        );
    }
}
