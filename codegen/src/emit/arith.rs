//! Expressions of an AST as `i64` instructions.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::IntType;
use farkas_llvm::inkwell::values::IntValue;
use farkas_polyhedral::ast::{Atom, Condition, Expr, Quasi};
use farkas_polyhedral::int::Int;

/// Why a builder call cannot fail: the builder stands in a block and operands have matching types.
pub(super) const BUILDS: &str = "a positioned builder and operands of one type";

/// Builds arithmetic at the place where the builder stands.
pub(super) struct Arith<'b, 'a> {
    pub(super) builder: &'b Builder<'a>,
    pub(super) i64: IntType<'a>,
    pub(super) params: &'b [IntValue<'a>],
    pub(super) iters: &'b [Option<IntValue<'a>>],
    /// Whether results are known not to overflow.
    pub(super) exact: bool,
}

impl<'a> Arith<'_, 'a> {
    pub(super) fn constant(&self, value: &Int) -> IntValue<'a> {
        let value = value.to_i64().expect("the arithmetic was found to fit");
        self.i64.const_int(value as u64, true)
    }

    fn sum(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        let sum = if self.exact {
            self.builder.build_int_nsw_add(a, b, "")
        } else {
            self.builder.build_int_add(a, b, "")
        };
        sum.expect(BUILDS)
    }

    fn product(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        let product = if self.exact {
            self.builder.build_int_nsw_mul(a, b, "")
        } else {
            self.builder.build_int_mul(a, b, "")
        };
        product.expect(BUILDS)
    }

    pub(super) fn quasi(&self, quasi: &Quasi) -> IntValue<'a> {
        let mut result: Option<IntValue<'a>> = None;
        for (atom, coefficient) in quasi.terms() {
            let value = match atom {
                Atom::Param(id) => self.params[id.0],
                Atom::Iter(id) => self.iters[id.0].expect("a loop's iterator is used inside it"),
                Atom::Floor(numerator, denominator) => self.floor_div(self.quasi(numerator), denominator),
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

    pub(super) fn expr(&self, expr: &Expr) -> IntValue<'a> {
        let (operands, predicate) = match expr {
            Expr::Quasi(quasi) => return self.quasi(quasi),
            Expr::Min(operands) => (operands, IntPredicate::SLT),
            Expr::Max(operands) => (operands, IntPredicate::SGT),
        };
        let pick = |a: IntValue<'a>, b: IntValue<'a>| {
            let first = self.builder.build_int_compare(predicate, a, b, "").expect(BUILDS);
            self.builder
                .build_select(first, a, b, "")
                .expect(BUILDS)
                .into_int_value()
        };
        operands
            .iter()
            .map(|operand| self.expr(operand))
            .reduce(pick)
            .expect("a minimum or maximum of something")
    }

    /// All conditions, as an `i1`.
    pub(super) fn all(&self, conditions: &[Condition]) -> IntValue<'a> {
        let holds = |condition: &Condition| {
            let predicate = match condition {
                Condition::NonNegative(_) => IntPredicate::SGE,
                Condition::Zero(_) => IntPredicate::EQ,
            };
            let value = self.quasi(condition.quasi());
            self.builder
                .build_int_compare(predicate, value, self.i64.const_zero(), "")
                .expect(BUILDS)
        };
        let both = |a, b| self.builder.build_and(a, b, "").expect(BUILDS);
        let truth = self.i64.get_context().bool_type().const_all_ones();
        conditions.iter().map(holds).reduce(both).unwrap_or(truth)
    }
}
