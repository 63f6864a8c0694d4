//! Values of expressions, with a look at what they promise and a count of what they take.

use std::cell::Cell;

use crate::ast::expr::{Condition, Expr};
use crate::ast::node::Logic;
use crate::ast::quasi::{Atom, Division, Quasi};
use crate::ast::write::Names;
use crate::int::Int;

/// What an execution of the C text would evaluate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Comparisons, those of loops with their upper bounds among them.
    pub conditions: u64,
    /// Operators: arithmetic, comparisons, logic, minima and maxima, choices and loops' increments.
    pub operators: u64,
}

/// An expression that promises something of its operand that does not hold where it was evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{expression}` is evaluated where its dividend is {dividend}, against its promise")]
pub struct BrokenPromise {
    /// The division as C text.
    pub expression: String,
    /// The value of its dividend.
    pub dividend: Int,
}

/// Values of parameters and iterators, for which expressions are evaluated.
#[derive(Clone, Debug)]
pub struct Point<'a> {
    /// What parameters and iterators are called, for messages, and how conditions are evaluated.
    pub names: Names<'a>,
    /// The value of each parameter.
    pub params: &'a [Int],
    /// The value of each iterator.
    pub iters: &'a [Int],
}

impl Point<'_> {
    /// The value of an expression.
    ///
    /// # Errors
    ///
    /// [`BrokenPromise`], where a promise of what is evaluated on the way does not hold.
    pub fn value(&self, expr: &Expr) -> Result<Int, BrokenPromise> {
        self.counted(&Cell::default()).expr(expr)
    }

    /// Whether a condition holds.
    ///
    /// # Errors
    ///
    /// [`BrokenPromise`], where a promise of what is evaluated on the way does not hold.
    pub fn holds(&self, condition: &Condition) -> Result<bool, BrokenPromise> {
        self.counted(&Cell::default()).condition(condition)
    }

    pub(super) fn counted<'b>(&'b self, counts: &'b Cell<Counts>) -> Evaluation<'b> {
        Evaluation { point: self, counts }
    }
}

/// An evaluation that counts.
pub(super) struct Evaluation<'a> {
    point: &'a Point<'a>,
    counts: &'a Cell<Counts>,
}

impl Evaluation<'_> {
    /// Counts `n` operators.
    pub(super) fn operators(&self, n: usize) {
        let mut counts = self.counts.get();
        counts.operators += n as u64;
        self.counts.set(counts);
    }

    /// Counts a comparison.
    pub(super) fn compared(&self) {
        let mut counts = self.counts.get();
        counts.conditions += 1;
        counts.operators += 1;
        self.counts.set(counts);
    }

    fn quasi(&self, quasi: &Quasi) -> Result<Int, BrokenPromise> {
        let mut result = quasi.constant_term().clone();
        for (atom, coefficient) in quasi.terms() {
            result.add_mul(coefficient, &self.atom(atom)?);
        }
        Ok(result)
    }

    fn atom(&self, atom: &Atom) -> Result<Int, BrokenPromise> {
        let (numerator, denominator) = match atom {
            Atom::Param(id) => return Ok(self.point.params[id.0].clone()),
            Atom::Iter(id) => return Ok(self.point.iters[id.0].clone()),
            Atom::Quotient(numerator, denominator, _) | Atom::Remainder(numerator, denominator) => {
                (numerator, denominator)
            }
        };
        let dividend = self.quasi(numerator)?;
        let kept = match atom {
            Atom::Quotient(_, _, Division::Floor) => true,
            Atom::Quotient(_, _, Division::Exact) => dividend.mod_floor(denominator).is_zero(),
            _ => !dividend.is_neg(),
        };
        if !kept {
            return Err(BrokenPromise {
                expression: Quasi::atom(atom.clone()).display(self.point.names).to_string(),
                dividend,
            });
        }
        Ok(match atom {
            Atom::Remainder(..) => dividend.mod_floor(denominator),
            _ => dividend.div_floor(denominator),
        })
    }

    pub(super) fn expr(&self, expr: &Expr) -> Result<Int, BrokenPromise> {
        let (operands, pick): (_, fn(Int, Int) -> Int) = match expr {
            Expr::Quasi(quasi) => {
                self.operators(quasi.operators());
                return self.quasi(quasi);
            }
            Expr::Min(operands) => (operands, Int::min),
            Expr::Max(operands) => (operands, Int::max),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => {
                self.operators(1);
                let holds = self.condition(condition)?;
                let (chosen, other) = if holds { (then, otherwise) } else { (otherwise, then) };
                if self.point.names.logic == Logic::Eager {
                    self.expr(other)?;
                }
                return self.expr(chosen);
            }
        };
        self.operators(operands.len() - 1);
        let mut result = self.expr(&operands[0])?;
        for operand in &operands[1..] {
            result = pick(result, self.expr(operand)?);
        }
        Ok(result)
    }

    pub(super) fn condition(&self, condition: &Condition) -> Result<bool, BrokenPromise> {
        let parts = match condition {
            Condition::All(parts) | Condition::Any(parts) => parts,
            Condition::NonNegative(quasi) => {
                self.compared();
                self.operators(condition.operators() - 1);
                return Ok(!self.quasi(quasi)?.is_neg());
            }
            Condition::Zero(quasi) => {
                self.compared();
                self.operators(condition.operators() - 1);
                return Ok(self.quasi(quasi)?.is_zero());
            }
            Condition::Multiple(quasi, modulus) => {
                self.compared();
                self.operators(condition.operators() - 1);
                return Ok(self.quasi(quasi)?.mod_floor(modulus).is_zero());
            }
        };
        let decisive = matches!(condition, Condition::Any(_));
        let mut result = !decisive;
        for (position, part) in parts.iter().enumerate() {
            if position > 0 {
                self.operators(1);
            }
            if self.condition(part)? == decisive {
                result = decisive;
                if self.point.names.logic == Logic::ShortCircuit {
                    break;
                }
            }
        }
        Ok(result)
    }
}
