//! Proves that the arithmetic of an AST fits in 64 bits, by intervals.

use farkas_polyhedral::ast::{Ast, Atom, Condition, Expr, Node, Quasi};
use farkas_polyhedral::int::Int;

use crate::emit::{Extent, Guards};

/// The values from `low` to `high`, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least value.
    pub low: Int,
    /// The greatest value.
    pub high: Int,
}

/// Magnitudes up to this leave room for a loop's increment and for a bound's successor.
const LIMIT: i64 = i64::MAX / 4;

/// Whether every value that the AST and its guards compute fits in 64 bits, with all intermediate results, for
/// parameters in the given intervals.
pub fn arithmetic_fits(ast: &Ast, guards: &Guards, params: &[Interval]) -> bool {
    let zero = Interval {
        low: Int::ZERO,
        high: Int::ZERO,
    };
    let mut check = Check {
        params,
        iters: vec![zero; ast.n_iters],
        fits: true,
    };
    for extent in &guards.extents {
        check.extent(extent);
    }
    guards
        .assumptions
        .iter()
        .flatten()
        .for_each(|condition| check.condition(condition));
    check.node(&ast.root);
    check.fits
}

struct Check<'a> {
    params: &'a [Interval],
    iters: Vec<Interval>,
    fits: bool,
}

impl Check<'_> {
    /// The rows and their size are multiplied in 128 bits; what room the element size takes is left.
    fn extent(&mut self, extent: &Extent) {
        let rows = [self.expr(&extent.first), self.expr(&extent.last)];
        let sizes = extent.sizes.iter().map(|size| self.quasi(size)).collect::<Vec<_>>();
        let magnitude = |interval: &Interval| &interval.low.abs().max(interval.high.abs()) + &Int::ONE;
        let rows = rows.iter().map(magnitude).max().expect("two bounds");
        let product = sizes.iter().map(magnitude).fold(rows, |product, size| &product * &size);
        self.fits &= product <= &Int::from(i64::MAX) * &Int::from(1i64 << 55);
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Block(nodes) => nodes.iter().for_each(|node| self.node(node)),
            Node::For(node) => {
                let lower = self.expr(&node.lower);
                let upper = self.expr(&node.upper);
                // A loop that never runs may have its bounds the wrong way round.
                let high = if upper.high < lower.low {
                    lower.low.clone()
                } else {
                    upper.high
                };
                self.iters[node.iter.0] = Interval { low: lower.low, high };
                self.node(&node.body);
            }
            Node::If { conditions, body } => {
                conditions.iter().for_each(|condition| self.condition(condition));
                self.node(body);
            }
            Node::Call(call) => call.arguments.iter().for_each(|argument| {
                self.quasi(argument);
            }),
            Node::Mark { body, .. } => self.node(body),
        }
    }

    fn condition(&mut self, condition: &Condition) {
        self.quasi(condition.quasi());
    }

    fn expr(&mut self, expr: &Expr) -> Interval {
        match expr {
            Expr::Quasi(quasi) => self.quasi(quasi),
            Expr::Min(operands) => self.combined(operands, |a, b| a.min(b)),
            Expr::Max(operands) => self.combined(operands, |a, b| a.max(b)),
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
                Atom::Floor(numerator, denominator) => {
                    let numerator = self.quasi(numerator);
                    self.fits &= denominator <= &Int::from(LIMIT);
                    Interval {
                        low: numerator.low.div_floor(denominator),
                        high: numerator.high.div_floor(denominator),
                    }
                }
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
}
