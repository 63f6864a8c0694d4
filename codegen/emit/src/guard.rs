//! The run-time check before the new code.
//!
//! All of it is computed without branches, so that it is a handful of instructions. Where a parameter is out of range
//! the rest may wrap around, but the result is `false` then whatever it says.

use farkas_llvm::inkwell::values::IntValue;
use farkas_llvm::inkwell::{IntPredicate, builder::Builder};
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use indexmap::IndexMap;

use crate::arith::{Arith, BUILDS};
use crate::checks::{ArrayRange, Guards};
use crate::pointer_checks;

/// The conjunction of all checks; `None` where there is nothing to check. `wide` are the parameters of 64 bits.
pub(super) fn condition<'a>(
    scop: &ScopIr<'a>,
    guards: &Guards,
    arith: &Arith<'_, 'a>,
    wide: &[Limited<'a>],
) -> Option<IntValue<'a>> {
    let b = arith.builder;
    let mut checks: Vec<IntValue<'a>> = wide.iter().map(|param| in_range(arith, *param)).collect();
    if !guards.assumptions.is_true() {
        checks.push(arith.condition(&guards.assumptions));
    }
    let array_ranges: IndexMap<ArrayId, (IntValue<'a>, IntValue<'a>)> = guards
        .array_ranges
        .iter()
        .map(|range| (range.array, addresses(scop, range, arith)))
        .collect();
    for (one, other) in &guards.pointer_checks.pairs {
        let ((first_one, end_one), (first_other, end_other)) = (array_ranges[one], array_ranges[other]);
        let before = compare(b, IntPredicate::SLE, end_one, first_other);
        let after = compare(b, IntPredicate::SLE, end_other, first_one);
        checks.push(b.build_or(before, after, "").expect(BUILDS));
    }
    for group in &guards.pointer_checks.groups {
        checks.push(pointer_checks::sorted(arith, group, |array| array_ranges[&array]));
    }
    checks.into_iter().reduce(|x, y| b.build_and(x, y, "").expect(BUILDS))
}

/// The address of the first byte of a range, and that of what follows the last, in 128 bits.
fn addresses<'a>(scop: &ScopIr<'a>, range: &ArrayRange, arith: &Arith<'_, 'a>) -> (IntValue<'a>, IntValue<'a>) {
    let b = arith.builder;
    let array = &scop.arrays[range.array.0];
    let wide = arith.i64.get_context().i128_type();
    let widened = |value| b.build_int_s_extend(value, wide, "").expect(BUILDS);
    let times = |x, y| b.build_int_mul(x, y, "").expect(BUILDS);
    let row = range.sizes.iter().map(|size| widened(arith.quasi(size)));
    let row = row.fold(wide.const_int(array.element_size, false), times);
    let base = array.base.basic().expect("a pointer").into_pointer_value();
    let base = b.build_ptr_to_int(base, arith.i64, "").expect(BUILDS);
    // A base may be poison where the array is never accessed; the guard must not branch on it.
    let base = farkas_llvm::edit::freeze(b, base);
    let base = b.build_int_z_extend(base, wide, "").expect(BUILDS);
    let at = |rows| b.build_int_add(base, times(rows, row), "").expect(BUILDS);
    let first = widened(arith.expr(&range.first));
    let last = widened(arith.expr(&range.last));
    let end = b.build_int_add(last, wide.const_int(1, false), "").expect(BUILDS);
    (at(first), at(end))
}

/// A parameter whose magnitude has to be at most the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limited<'a> {
    pub(super) param: IntValue<'a>,
    pub(super) limit: i64,
}

/// Whether the parameter's magnitude is at most its limit.
pub(super) fn in_range<'a>(arith: &Arith<'_, 'a>, Limited { param, limit }: Limited<'a>) -> IntValue<'a> {
    let width = arith.i64.const_int(2 * limit as u64, false);
    let limit = arith.i64.const_int(limit as u64, false);
    let shifted = arith.builder.build_int_add(param, limit, "").expect(BUILDS);
    compare(arith.builder, IntPredicate::ULE, shifted, width)
}

fn compare<'a>(b: &Builder<'a>, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
    b.build_int_compare(predicate, x, y, "").expect(BUILDS)
}
