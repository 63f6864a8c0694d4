//! Expressions of an AST as `i64` instructions.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::IntType;
use farkas_llvm::inkwell::values::IntValue;
use farkas_polyhedral::ast::{Atom, Condition, Division, Expr, Logic, Quasi};
use farkas_polyhedral::int::Int;

use crate::value_numbering::{Operation, ValueNumbers};

/// Why a builder call cannot fail: the builder stands in a block and operands have matching types.
pub(super) const BUILDS: &str = "a positioned builder and operands of one type";

/// Builds arithmetic at the place where the builder stands.
#[derive(Clone, Copy)]
pub(super) struct Arith<'b, 'a> {
    pub(super) builder: &'b Builder<'a>,
    pub(super) i64: IntType<'a>,
    pub(super) params: &'b [IntValue<'a>],
    pub(super) iters: &'b [Option<IntValue<'a>>],
    /// How conditions are meant to be evaluated.
    pub(super) logic: Logic,
    /// What is at hand in the new code, where results are known not to overflow, and promises to hold, wherever a result matters.
    /// `None` in front of it, where that is not known.
    pub(super) exact: Option<&'b ValueNumbers<'a>>,
}

impl<'a> Arith<'_, 'a> {
    pub(super) fn constant(&self, value: &Int) -> IntValue<'a> {
        let value = value.to_i64().expect("the arithmetic was found to fit");
        self.i64.const_int(value as u64, true)
    }

    /// Emits an operation, if the result is not at hand.
    fn operation(
        &self,
        operation: Operation,
        operands: (IntValue<'a>, IntValue<'a>),
        emit: impl FnOnce() -> IntValue<'a>,
    ) -> IntValue<'a> {
        match self.exact {
            Some(values) => values.operation(operation, operands, emit),
            None => emit(),
        }
    }

    pub(super) fn sum(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        self.operation(Operation::ExactSum, (a, b), || {
            let sum = match self.exact {
                Some(_) => self.builder.build_int_nsw_add(a, b, ""),
                None => self.builder.build_int_add(a, b, ""),
            };
            sum.expect(BUILDS)
        })
    }

    fn product(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        self.operation(Operation::ExactProduct, (a, b), || {
            let product = match self.exact {
                Some(_) => self.builder.build_int_nsw_mul(a, b, ""),
                None => self.builder.build_int_mul(a, b, ""),
            };
            product.expect(BUILDS)
        })
    }

    pub(super) fn quasi(&self, quasi: &Quasi) -> IntValue<'a> {
        let mut result: Option<IntValue<'a>> = None;
        for (atom, coefficient) in quasi.terms() {
            let value = match atom {
                Atom::Param(id) => self.params[id.0],
                Atom::Iter(id) => self.iters[id.0].expect("a loop's iterator is used inside it"),
                Atom::Quotient(numerator, denominator, division) => {
                    self.quotient(self.quasi(numerator), denominator, *division)
                }
                Atom::Remainder(numerator, denominator) => {
                    let (a, b) = (self.quasi(numerator), self.constant(denominator));
                    let emit = || self.builder.build_int_unsigned_rem(a, b, "").expect(BUILDS);
                    self.operation(Operation::UnsignedRemainder, (a, b), emit)
                }
            };
            let term = if coefficient.is_one() {
                value
            } else {
                self.product(value, self.constant(coefficient))
            };
            result = Some(result.map_or(term, |sum| self.sum(sum, term)));
        }
        match result {
            None => self.constant(quasi.constant_term()),
            Some(sum) if quasi.constant_term().is_zero() => sum,
            Some(sum) => self.sum(sum, self.constant(quasi.constant_term())),
        }
    }

    fn quotient(&self, numerator: IntValue<'a>, denominator: &Int, division: Division) -> IntValue<'a> {
        let (b, divisor) = (self.builder, self.constant(denominator));
        let operation = match division {
            Division::Floor => Operation::FloorQuotient,
            Division::NonNegative => Operation::UnsignedQuotient,
            Division::Exact if self.exact.is_some() => Operation::ExactQuotient,
            Division::Exact => Operation::SignedQuotient,
        };
        self.operation(operation, (numerator, divisor), || {
            let quotient = match operation {
                Operation::FloorQuotient => return self.floor_div(numerator, denominator),
                Operation::UnsignedQuotient => b.build_int_unsigned_div(numerator, divisor, ""),
                Operation::ExactQuotient => b.build_int_exact_signed_div(numerator, divisor, ""),
                _ => b.build_int_signed_div(numerator, divisor, ""),
            };
            quotient.expect(BUILDS)
        })
    }

    /// The quotient rounded down: LLVM's division rounds towards zero.
    fn floor_div(&self, numerator: IntValue<'a>, denominator: &Int) -> IntValue<'a> {
        let divisor = denominator.to_i64().expect("the arithmetic was found to fit");
        let b = self.builder;
        if divisor.count_ones() == 1 {
            let shift = self.i64.const_int(u64::from(divisor.trailing_zeros()), false);
            return b.build_right_shift(numerator, shift, true, "").expect(BUILDS);
        }
        let divisor = self.constant(denominator);
        let quotient = b.build_int_signed_div(numerator, divisor, "").expect(BUILDS);
        let remainder = b.build_int_signed_rem(numerator, divisor, "").expect(BUILDS);
        let zero = self.i64.const_zero();
        let below = b
            .build_int_compare(IntPredicate::SLT, remainder, zero, "")
            .expect(BUILDS);
        let correction = b.build_int_s_extend(below, self.i64, "").expect(BUILDS);
        b.build_int_add(quotient, correction, "").expect(BUILDS)
    }

    /// What the quotient rounded down leaves: at least 0.
    pub(super) fn floor_mod(&self, numerator: IntValue<'a>, denominator: &Int) -> IntValue<'a> {
        let divisor = denominator.to_i64().expect("the arithmetic was found to fit");
        let b = self.builder;
        if divisor.count_ones() == 1 {
            let mask = self.i64.const_int(divisor as u64 - 1, false);
            return b.build_and(numerator, mask, "").expect(BUILDS);
        }
        let quotient = self.floor_div(numerator, denominator);
        let multiple = b.build_int_nsw_mul(quotient, self.constant(denominator), "");
        b.build_int_nsw_sub(numerator, multiple.expect(BUILDS), "")
            .expect(BUILDS)
    }

    pub(super) fn expr(&self, expr: &Expr) -> IntValue<'a> {
        let (operands, operation) = match expr {
            Expr::Quasi(quasi) => return self.quasi(quasi),
            Expr::Min(operands) => (operands, Operation::Minimum),
            Expr::Max(operands) => (operands, Operation::Maximum),
            Expr::Select {
                condition,
                then,
                otherwise,
            } => return self.select(self.condition(condition), self.expr(then), self.expr(otherwise)),
        };
        let predicate = match operation {
            Operation::Minimum => IntPredicate::SLT,
            _ => IntPredicate::SGT,
        };
        let pick = |a: IntValue<'a>, b: IntValue<'a>| {
            self.operation(operation, (a, b), || {
                let first = self.builder.build_int_compare(predicate, a, b, "").expect(BUILDS);
                self.select(first, a, b)
            })
        };
        operands
            .iter()
            .map(|operand| self.expr(operand))
            .reduce(pick)
            .expect("a minimum or maximum of something")
    }

    fn select(&self, condition: IntValue<'a>, then: IntValue<'a>, otherwise: IntValue<'a>) -> IntValue<'a> {
        self.builder
            .build_select(condition, then, otherwise, "")
            .expect(BUILDS)
            .into_int_value()
    }

    /// A condition as an `i1`, without branches. What short-circuit evaluation would not evaluate may be poison: a
    /// choice keeps it from the result, which `and` and `or` would not.
    pub(super) fn condition(&self, condition: &Condition) -> IntValue<'a> {
        let bool_type = self.i64.get_context().bool_type();
        let (truth, falsehood) = (bool_type.const_all_ones(), bool_type.const_zero());
        let parts = match condition {
            Condition::NonNegative(quasi) => return self.compare(IntPredicate::SGE, self.quasi(quasi)),
            Condition::Zero(quasi) => return self.compare(IntPredicate::EQ, self.quasi(quasi)),
            Condition::Multiple(quasi, modulus) => {
                let operands = (self.quasi(quasi), self.constant(modulus));
                let remainder = self.builder.build_int_signed_rem(operands.0, operands.1, "");
                return self.compare(IntPredicate::EQ, remainder.expect(BUILDS));
            }
            Condition::All(parts) | Condition::Any(parts) => parts,
        };
        let conjunction = matches!(condition, Condition::All(_));
        let join = |a, b| match (self.logic, conjunction) {
            (Logic::Eager, true) => self.builder.build_and(a, b, "").expect(BUILDS),
            (Logic::Eager, false) => self.builder.build_or(a, b, "").expect(BUILDS),
            (Logic::ShortCircuit, true) => self.select(a, b, falsehood),
            (Logic::ShortCircuit, false) => self.select(a, truth, b),
        };
        let parts = parts.iter().map(|part| self.condition(part));
        parts
            .reduce(join)
            .unwrap_or(if conjunction { truth } else { falsehood })
    }

    /// The value compared with zero.
    fn compare(&self, predicate: IntPredicate, value: IntValue<'a>) -> IntValue<'a> {
        self.builder
            .build_int_compare(predicate, value, self.i64.const_zero(), "")
            .expect(BUILDS)
    }
}
