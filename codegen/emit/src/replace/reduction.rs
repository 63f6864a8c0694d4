//! Reductions in a parallel loop: each chunk accumulates in a copy of the slot, and adds that to what all have behind its iterations.
//!
//! ```text
//!   all = s; turn = 0
//!   { first, last } = ..                  the marker in front of the loop
//!   copy = 0
//!   for (..) copy += ..
//!   wait until turn == first              chunks take turns, in the order of their iterations
//!   all = all + copy
//!   turn = last + 1
//!   ..                                    the marker behind the loop
//!   s = all
//! ```
//!
//! A copy begins with the neutral element of the operation, or with the value that the slot has in front of the loop where that may be
//! combined twice, as in a maximum. So the result is that of one order of the contributions, which the number of threads decides.

use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::{BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, PointerValue};
use farkas_llvm::scop_ir::{IrStatement, ScopIr, SlotId, Written};
use farkas_llvm::value::Value;
use farkas_polyhedral::ast::Node;
use farkas_polyhedral::sets::Name;

use super::Emitter;
use super::subtree::calls;
use crate::arith::BUILDS;
use crate::slots::at_entry;
use crate::threads::{self, Begin, Turn};

/// A slot in which the iterations of a loop accumulate.
#[derive(Clone, Copy)]
pub(super) struct Reduction<'a> {
    pub(super) slot: SlotId,
    operation: Operation<'a>,
    ty: BasicTypeEnum<'a>,
}

/// An operation that is associative and commutative.
#[derive(Clone, Copy)]
enum Operation<'a> {
    Add,
    Mul,
    And,
    Or,
    Xor,
    /// The least or the greatest of two integers, by this function.
    Extremum(FunctionValue<'a>),
}

/// What all threads know of the reductions of a loop.
pub(super) struct Accumulation<'a> {
    /// The number of the iteration whose chunk is next to combine.
    turn: PointerValue<'a>,
    /// For each reduction, what is accumulated so far, and the value in front of the loop.
    all: Vec<(PointerValue<'a>, BasicValueEnum<'a>)>,
}

impl<'a> Emitter<'_, 'a, '_> {
    /// The reductions in the slots of these names by the statements of a loop; `None` if the operation of one is none of those known here.
    /// Statements outside may combine by other operations.
    pub(super) fn reductions(&self, names: &[Name], body: &Node) -> Option<Vec<Reduction<'a>>> {
        let of_region = calls(body).into_iter().filter(|call| self.copied_into(call).is_none());
        let statements: Vec<_> = of_region.map(|call| self.statement_of(call)).collect();
        let slots = self.slots_among(names);
        let all: Option<Vec<_>> = slots
            .iter()
            .map(|slot| reduction(self.scop, &statements, *slot))
            .collect();
        all.filter(|all| all.len() == names.len())
    }

    /// Makes known to all threads what the slots of reductions have, where the builder stands: in front of the loop. `None` where there are
    /// no reductions.
    pub(super) fn begin_accumulation(&self, reductions: &[Reduction<'a>]) -> Option<Accumulation<'a>> {
        if reductions.is_empty() {
            return None;
        }
        let (builder, entry) = (self.builder, at_entry(self.function));
        let share = |variable| threads::share(self.run.context(), builder, variable);
        let turn = entry.build_alloca(self.i64, "farkas.turn").expect(BUILDS);
        builder.build_store(turn, self.i64.const_zero()).expect(BUILDS);
        share(turn);
        let all = reductions.iter().map(|reduction| {
            let before = self.value_of(reduction);
            let variable = entry.build_alloca(reduction.ty, "farkas.all").expect(BUILDS);
            builder.build_store(variable, before).expect(BUILDS);
            share(variable);
            (variable, before)
        });
        let all = all.collect();
        Some(Accumulation { turn, all })
    }

    /// Gives the copies of a chunk their first values, where the builder stands.
    pub(super) fn begin_copies(&self, accumulation: &Accumulation<'a>, reductions: &[Reduction<'a>]) {
        for (reduction, (_, before)) in reductions.iter().zip(&accumulation.all) {
            let first = reduction.neutral().unwrap_or(*before);
            self.builder.build_store(self.variable(reduction), first).expect(BUILDS);
        }
    }

    /// Combines the copies of a chunk with what is accumulated so far, where the builder stands: behind its iterations.
    pub(super) fn combine_copies(
        &self,
        accumulation: &Accumulation<'a>,
        reductions: &[Reduction<'a>],
        begin: Begin<'a>,
    ) {
        let (context, builder) = (self.run.context(), self.builder);
        let turn = |turn| threads::turn(context, builder, accumulation.turn, turn);
        turn(Turn::Begin { first: begin.first });
        for (reduction, (variable, _)) in reductions.iter().zip(&accumulation.all) {
            let so_far = builder.build_load(reduction.ty, *variable, "").expect(BUILDS);
            let combined = reduction.combine(builder, so_far, self.value_of(reduction));
            builder.build_store(*variable, combined).expect(BUILDS);
        }
        let one = self.i64.const_int(1, false);
        let next = builder.build_int_nsw_add(begin.last, one, "").expect(BUILDS);
        turn(Turn::End { next });
    }

    /// Gives the slots what is accumulated, where the builder stands: behind the loop.
    pub(super) fn end_accumulation(&self, accumulation: &Accumulation<'a>, reductions: &[Reduction<'a>]) {
        for (reduction, (variable, _)) in reductions.iter().zip(&accumulation.all) {
            let result = self.builder.build_load(reduction.ty, *variable, "").expect(BUILDS);
            self.builder
                .build_store(self.variable(reduction), result)
                .expect(BUILDS);
        }
    }

    /// The variable of a reduction's slot, or of its copy.
    fn variable(&self, reduction: &Reduction<'a>) -> PointerValue<'a> {
        let variable = self.slots.variable(reduction.slot);
        variable.expect("the slot of a reduction is a variable")
    }

    fn value_of(&self, reduction: &Reduction<'a>) -> BasicValueEnum<'a> {
        let variable = self.variable(reduction);
        self.builder.build_load(reduction.ty, variable, "").expect(BUILDS)
    }
}

/// The reduction in a slot, which one of these statements writes.
fn reduction<'a>(scop: &ScopIr<'a>, statements: &[&IrStatement<'a>], slot: SlotId) -> Option<Reduction<'a>> {
    let ty = scop.slots[slot.0].ty.inkwell()?;
    let mut updates = statements.iter().filter_map(|statement| update(statement, slot));
    let update = updates.next()?;
    // There are several calls of the same statement where a loop is in pieces.
    if updates.any(|other| other != update) {
        return None;
    }
    let is_number = ty.is_int_type() || ty.is_float_type();
    let operation = operation(update).filter(|_| is_number)?;
    Some(Reduction { slot, operation, ty })
}

/// An operation of the reduction by which a statement writes a slot.
fn update<'a>(statement: &IrStatement<'a>, slot: SlotId) -> Option<Value<'a>> {
    let write = statement.writes.iter().find(|write| write.slot == slot)?;
    let is_update = |value: &Value<'a>| statement.updates.contains(value);
    match &write.value {
        Written::Always(value) => Some(*value).filter(is_update),
        Written::From(values) => values.iter().map(|(_, value)| *value).find(is_update),
    }
}

fn operation(update: Value<'_>) -> Option<Operation<'_>> {
    use InstructionOpcode::{Add, And, Call, FAdd, FMul, FSub, Mul, Or, Sub, Xor};
    let update = update.instruction()?;
    Some(match update.get_opcode() {
        Add | Sub | FAdd | FSub => Operation::Add,
        Mul | FMul => Operation::Mul,
        And => Operation::And,
        Or => Operation::Or,
        Xor => Operation::Xor,
        Call => Operation::Extremum(CallSiteValue::try_from(update).ok()?.get_called_fn_value()?),
        _ => return None,
    })
}

impl<'a> Reduction<'a> {
    /// The value that changes nothing when it is combined with another one; `None` where a value may be combined with itself.
    fn neutral(&self) -> Option<BasicValueEnum<'a>> {
        let number = |integer, float| match self.ty {
            BasicTypeEnum::IntType(ty) => ty.const_int(integer, false).into(),
            BasicTypeEnum::FloatType(ty) => ty.const_float(float).into(),
            ty => unreachable!("a reduction of {ty}"),
        };
        match self.operation {
            Operation::Add => Some(number(0, -0.0)),
            Operation::Xor => Some(number(0, 0.0)),
            Operation::Mul => Some(number(1, 1.0)),
            Operation::And | Operation::Or | Operation::Extremum(_) => None,
        }
    }

    fn combine(&self, builder: &Builder<'a>, one: BasicValueEnum<'a>, other: BasicValueEnum<'a>) -> BasicValueEnum<'a> {
        if let (BasicValueEnum::FloatValue(x), BasicValueEnum::FloatValue(y)) = (one, other) {
            let combined = match self.operation {
                Operation::Add => builder.build_float_add(x, y, ""),
                _ => builder.build_float_mul(x, y, ""),
            };
            return combined.expect(BUILDS).into();
        }
        let (x, y) = (one.into_int_value(), other.into_int_value());
        let combined = match self.operation {
            Operation::Add => builder.build_int_add(x, y, ""),
            Operation::Mul => builder.build_int_mul(x, y, ""),
            Operation::And => builder.build_and(x, y, ""),
            Operation::Or => builder.build_or(x, y, ""),
            Operation::Xor => builder.build_xor(x, y, ""),
            Operation::Extremum(function) => {
                let call = builder.build_call(function, &[x.into(), y.into()], "").expect(BUILDS);
                return call.try_as_basic_value().basic().expect("a number");
            }
        };
        combined.expect(BUILDS).into()
    }
}
