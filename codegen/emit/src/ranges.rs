//! Proves that the arithmetic of an AST fits in 64 bits, by intervals.
//!
//! An interval bounds a value wherever the value matters: an expression that would not be evaluated, behind a
//! condition or in the branch of a choice that is not taken, may have any value, and may overflow or break its
//! promises, since what it gives is dropped.

use farkas_polyhedral::ast::{Ast, Atom, Condition, Division, Expr, For, IterId, Node, Quasi, Upper};
use farkas_polyhedral::int::Int;

use crate::accessed_elements::AccessedElements;
use crate::checks::{ArrayRange, Guards, InnerRange};

/// The values from `low` to `high`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least value.
    pub low: Int,
    /// The greatest value.
    pub high: Int,
}

impl Interval {
    const ZERO: Interval = Interval {
        low: Int::ZERO,
        high: Int::ZERO,
    };

    /// The interval around both.
    fn hull(self, other: Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Magnitudes up to this leave room for a loop's increment and for a bound's successor.
const LIMIT: i64 = i64::MAX / 4;

/// Whether the bytes of an array's rows fit in what the guard computes them in, for parameters in the given intervals, so that it
/// need not check their size.
pub fn rows_fit(range: &ArrayRange, params: &[Interval]) -> bool {
    // Of values that do not fit in 64 bits, `arithmetic_fits` complains.
    let mut check = Check {
        params,
        iters: Vec::new(),
        fits: true,
    };
    let rows = [check.expr(&range.first), check.expr(&range.last)];
    let mut sizes = range.sizes.iter().map(|size| check.quasi(size)).collect::<Vec<_>>();
    match &range.inner {
        InnerRange::Whole => {}
        InnerRange::UpTo(inner) => {
            for (size, inner) in sizes.iter_mut().zip(inner) {
                *size = size.clone().hull(check.quasi(inner));
            }
        }
        // The guard checks each product by itself.
        InnerRange::Between(_) => return false,
    }
    let magnitude = |interval: &Interval| &interval.low.abs().max(interval.high.abs()) + &Int::ONE;
    let rows = rows.iter().map(magnitude).max().expect("two bounds");
    let product = sizes.iter().map(magnitude).fold(rows, |product, size| &product * &size);
    // They are multiplied in 128 bits; what room the element size takes is left.
    product <= &Int::from(i64::MAX) * &Int::from(1i64 << 55)
}

/// Whether every value that the AST and its guards compute fits in 64 bits, with all intermediate results, for
/// parameters in the given intervals.
pub fn arithmetic_fits(ast: &Ast, guards: &Guards, params: &[Interval]) -> bool {
    let mut check = Check {
        params,
        iters: vec![Interval::ZERO; ast.iterators.len()],
        fits: true,
    };
    for range in &guards.array_ranges {
        check.range(range);
    }
    for inspection in &guards.indirect.inspections {
        check.elements(&inspection.elements.elements);
    }
    for rows in &guards.rows.rows {
        check.elements(&rows.elements.elements);
        check.range(&rows.range);
    }
    for (low, high) in guards.indirect.ranges.iter().flat_map(|range| range.offset.affine()) {
        check.expr(low);
        check.expr(high);
    }
    check.condition(&guards.assumptions);
    for condition in &guards.conditions {
        check
            .iters
            .resize(condition.iterators.len().max(check.iters.len()), Interval::ZERO);
        check.node(&condition.root);
    }
    for load in guards.loads.iter().flatten() {
        check.condition(&load.condition);
    }
    check.node(&ast.root);
    check.fits
}

struct Check<'a> {
    params: &'a [Interval],
    iters: Vec<Interval>,
    fits: bool,
}

impl Check<'_> {
    /// Where any is accessed, its position fits as well.
    fn elements(&mut self, elements: &AccessedElements) {
        self.condition(&elements.accessed);
        let subscripts = elements.first.iter().chain(&elements.last);
        subscripts.chain(&elements.sizes).for_each(|quasi| {
            self.quasi(quasi);
        });
    }

    fn range(&mut self, range: &ArrayRange) {
        self.expr(&range.first);
        self.expr(&range.last);
        range.sizes.iter().for_each(|size| {
            self.quasi(size);
        });
        match &range.inner {
            InnerRange::Whole => {}
            InnerRange::UpTo(inner) => inner.iter().for_each(|subscript| {
                self.quasi(subscript);
            }),
            InnerRange::Between(inner) => inner.iter().for_each(|(low, high)| {
                self.expr(low);
                self.expr(high);
            }),
        }
        self.fits &= range.checked || rows_fit(range, self.params);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::For(node) => self.for_loop(node),
            Node::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                self.node(then);
                if let Some(otherwise) = otherwise {
                    self.node(otherwise);
                }
            }
            Node::Call(call) => call.arguments.iter().for_each(|argument| {
                self.expr(argument);
            }),
            Node::Mark { body, .. } => self.node(body),
        }
    }

    fn for_loop(&mut self, node: &For) {
        let lower = self.expr(&node.lower);
        let upper = match &node.upper {
            Upper::AtMost(upper) => self.expr(upper).high,
            Upper::While(conditions) => {
                let bounds = conditions
                    .iter()
                    .filter_map(|condition| self.largest(node.iter, condition));
                let Some(bound) = bounds.min() else {
                    self.fits = false;
                    return;
                };
                // Conditions are evaluated for the value beyond the last one, too.
                let beyond = &bound.clone().max(lower.high.clone()) + &node.step;
                self.iters[node.iter.0] = Interval {
                    low: lower.low.clone(),
                    high: beyond,
                };
                conditions.iter().for_each(|condition| self.condition(condition));
                bound
            }
            Upper::Unbounded => {
                self.fits = false;
                return;
            }
        };
        self.fits &= node.step <= LIMIT;
        // A loop that never runs may have its bounds the wrong way round.
        self.iters[node.iter.0] = Interval {
            high: upper.max(lower.low.clone()),
            low: lower.low,
        };
        self.node(&node.body);
    }

    /// The largest value of the iterator for which the condition may hold, if it says so by itself.
    fn largest(&self, iter: IterId, condition: &Condition) -> Option<Int> {
        let Condition::NonNegative(quasi) = condition else {
            return None;
        };
        let of_iter = |(atom, _): &&(Atom, Int)| *atom == Atom::Iter(iter);
        let (_, coefficient) = quasi.terms().iter().find(of_iter)?;
        let mut rest = quasi.clone();
        rest.add_scaled(&-coefficient, &Quasi::iter(iter));
        if !coefficient.is_neg() || rest.mentions(iter) {
            return None;
        }
        let mut check = Check {
            params: self.params,
            iters: self.iters.clone(),
            fits: true,
        };
        Some(check.quasi(&rest).high.div_floor(&coefficient.abs()))
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::NonNegative(quasi) | Condition::Zero(quasi) => {
                self.quasi(quasi);
            }
            Condition::Multiple(quasi, modulus) => {
                self.quasi(quasi);
                self.fits &= *modulus <= LIMIT;
            }
            Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| self.condition(part)),
        }
    }

    fn expr(&mut self, expr: &Expr) -> Interval {
        match expr {
            Expr::Quasi(quasi) => self.quasi(quasi),
            Expr::Min(operands) => self.combined(operands, |a, b| a.min(b)),
            Expr::Max(operands) => self.combined(operands, |a, b| a.max(b)),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                self.expr(then).hull(self.expr(otherwise))
            }
        }
    }

    fn combined(&mut self, operands: &[Expr], pick: fn(Int, Int) -> Int) -> Interval {
        let intervals = operands.iter().map(|operand| self.expr(operand)).collect::<Vec<_>>();
        let both = |a: Interval, b: Interval| Interval {
            low: pick(a.low, b.low),
            high: pick(a.high, b.high),
        };
        intervals
            .into_iter()
            .reduce(both)
            .expect("a minimum or maximum of something")
    }

    fn quasi(&mut self, quasi: &Quasi) -> Interval {
        let mut low = quasi.constant_term().clone();
        let mut high = low.clone();
        // Partial sums come in any order, so that their magnitude is bounded by the sum of magnitudes.
        let mut magnitude = low.abs();
        for (atom, coefficient) in quasi.terms() {
            let value = match atom {
                Atom::Param(id) => self.params[id.0].clone(),
                Atom::Iter(id) => self.iters[id.0].clone(),
                Atom::Quotient(numerator, denominator, division) => self.quotient(numerator, denominator, *division),
                Atom::Remainder(numerator, denominator) => self.remainder(numerator, denominator),
            };
            let (one, other) = (coefficient * &value.low, coefficient * &value.high);
            magnitude += &one.abs().max(other.abs());
            let (least, most) = if coefficient.is_neg() {
                (other, one)
            } else {
                (one, other)
            };
            low += &least;
            high += &most;
        }
        self.fits &= magnitude <= LIMIT;
        Interval { low, high }
    }

    fn quotient(&mut self, numerator: &Quasi, denominator: &Int, division: Division) -> Interval {
        self.fits &= *denominator <= LIMIT;
        let mut numerator = self.quasi(numerator);
        if division == Division::NonNegative {
            numerator.low = numerator.low.max(Int::ZERO);
            numerator.high = numerator.high.max(Int::ZERO);
        }
        Interval {
            low: numerator.low.div_floor(denominator),
            high: numerator.high.div_floor(denominator),
        }
    }

    fn remainder(&mut self, numerator: &Quasi, modulus: &Int) -> Interval {
        self.fits &= *modulus <= LIMIT;
        let largest = self.quasi(numerator).high.max(Int::ZERO);
        Interval {
            low: Int::ZERO,
            high: largest.min(modulus - &Int::ONE),
        }
    }
}
