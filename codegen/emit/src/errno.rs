//! `errno` of square roots.
//!
//! A call of the C library's `sqrt` sets `errno` where its argument is negative. LLVM computes the root by an instruction, and branches
//! to the call behind it; the branch keeps its vectorizer away. All calls of a region set `errno` to the same value, and nothing there
//! reads it, so that one call at the end does for all of them. New code collects in a flag whether an argument was negative:
//!
//! ```text
//! y[i] = sqrt(x[i]);    ->    y[i] = llvm.sqrt(x[i]);  negative |= x[i] < 0;
//!                             ..
//!                             if (negative) sqrt(-1);
//! ```
//!
//! The flag is a disjunction along the loop, which LLVM vectorizes. Lanes have a flag each. Flags are variables on the stack, from where
//! SROA takes them.

use std::cell::RefCell;

use farkas_llvm::edit::square_root;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AtomicOrdering, FloatPredicate};
use farkas_llvm::value::Value;

use crate::arith::BUILDS;
use crate::slots::at_entry;

/// Whether there were negative arguments, in new code.
pub(crate) struct Errno<'a> {
    function: FunctionValue<'a>,
    flags: RefCell<Vec<Flag<'a>>>,
}

/// Whether arguments of calls were negative.
#[derive(Clone, Copy)]
struct Flag<'a> {
    /// A call of the function.
    call: Value<'a>,
    /// A truth value, or a vector of some.
    ty: BasicTypeEnum<'a>,
    variable: PointerValue<'a>,
}

impl<'a> Errno<'a> {
    /// That of new code in a function.
    pub(crate) fn new(function: FunctionValue<'a>) -> Self {
        Errno {
            function,
            flags: RefCell::default(),
        }
    }

    /// Builds the square root that a call computes, of another argument or a vector of some. `on_access` is called with the accesses to
    /// the flag.
    pub(crate) fn square_root(
        &self,
        builder: &Builder<'a>,
        call: Value<'a>,
        argument: BasicValueEnum<'a>,
        on_access: &dyn Fn(Value<'a>),
    ) -> BasicValueEnum<'a> {
        let root = square_root(builder, call, argument);
        let is_negative: BasicValueEnum<'a> = match argument {
            BasicValueEnum::FloatValue(x) => {
                let zero = x.get_type().const_zero();
                let compared = builder.build_float_compare(FloatPredicate::OLT, x, zero, "");
                compared.expect(BUILDS).into()
            }
            BasicValueEnum::VectorValue(x) => {
                let zero = x.get_type().const_zero();
                let compared = builder.build_float_compare(FloatPredicate::OLT, x, zero, "");
                compared.expect(BUILDS).into()
            }
            other => unreachable!("a square root of {other}"),
        };
        let ty = is_negative.get_type();
        let flag = self.flag(call, ty);
        let before = builder.build_load(ty, flag, "").expect(BUILDS);
        on_access(Value::from_inkwell(before));
        let after: BasicValueEnum<'a> = match (before, is_negative) {
            (BasicValueEnum::IntValue(x), BasicValueEnum::IntValue(y)) => {
                builder.build_or(x, y, "").expect(BUILDS).into()
            }
            _ => {
                let (x, y) = (before.into_vector_value(), is_negative.into_vector_value());
                builder.build_or(x, y, "").expect(BUILDS).into()
            }
        };
        on_access(Value::from_inkwell(builder.build_store(flag, after).expect(BUILDS)));
        root
    }

    /// The flag of this type for the function that is called.
    fn flag(&self, call: Value<'a>, ty: BasicTypeEnum<'a>) -> PointerValue<'a> {
        let mut flags = self.flags.borrow_mut();
        if let Some(flag) = flags
            .iter()
            .find(|flag| flag.ty == ty && flag.call.kind() == call.kind())
        {
            return flag.variable;
        }
        let variable = self.variable(ty);
        flags.push(Flag { call, ty, variable });
        variable
    }

    /// Clears the flags where the builder stands: where new code begins.
    pub(crate) fn clear(&self, builder: &Builder<'a>) {
        for flag in &*self.flags.borrow() {
            builder.build_store(flag.variable, flag.ty.const_zero()).expect(BUILDS);
        }
    }

    /// The flags.
    pub(crate) fn variables(&self) -> Vec<PointerValue<'a>> {
        self.flags.borrow().iter().map(|flag| flag.variable).collect()
    }

    /// Lets other threads know that an argument was negative, where the builder stands: by a byte that all threads share, which is
    /// returned, if there are flags. It is to be cleared before.
    pub(crate) fn publish(&self, builder: &Builder<'a>) -> Option<PointerValue<'a>> {
        let is_negative = self.any(builder)?;
        let context = self.function.get_type().get_context();
        let byte = self.variable(context.i8_type().into());
        let (publish, next) = (self.block("farkas.errno"), self.block("farkas.endif"));
        builder
            .build_conditional_branch(is_negative, publish, next)
            .expect(BUILDS);
        builder.position_at_end(publish);
        let one = context.i8_type().const_int(1, false);
        let store = builder.build_store(byte, one).expect(BUILDS);
        // All threads that store at all store the same.
        let set = store.set_atomic_ordering(AtomicOrdering::Monotonic);
        set.expect("a store of a byte may be atomic");
        builder.build_unconditional_branch(next).expect(BUILDS);
        builder.position_at_end(next);
        Some(byte)
    }

    /// Takes over what the threads of a loop with flags of its own let know.
    pub(crate) fn collect(&self, builder: &Builder<'a>, (of_loop, byte): (&Errno<'a>, PointerValue<'a>)) {
        let Some(first) = of_loop.flags.borrow().first().copied() else {
            return;
        };
        let context = self.function.get_type().get_context();
        let byte = builder
            .build_load(context.i8_type(), byte, "")
            .expect(BUILDS)
            .into_int_value();
        let zero = byte.get_type().const_zero();
        let is_negative = builder.build_int_compare(farkas_llvm::inkwell::IntPredicate::NE, byte, zero, "");
        let truth = context.bool_type();
        let flag = self.flag(first.call, truth.into());
        let before = builder.build_load(truth, flag, "").expect(BUILDS).into_int_value();
        let after = builder.build_or(before, is_negative.expect(BUILDS), "").expect(BUILDS);
        builder.build_store(flag, after).expect(BUILDS);
    }

    /// Whether a flag holds; `None` where there are none.
    fn any(&self, builder: &Builder<'a>) -> Option<IntValue<'a>> {
        let flags = self.flags.borrow();
        let each = flags.iter().map(|flag| any(builder, flag));
        each.reduce(|x, y| builder.build_or(x, y, "").expect(BUILDS))
    }

    fn block(&self, name: &str) -> BasicBlock<'a> {
        let context = self.function.get_type().get_context();
        context.append_basic_block(self.function, name)
    }

    /// A variable on the stack, in front of all code of the function.
    fn variable(&self, ty: BasicTypeEnum<'a>) -> PointerValue<'a> {
        at_entry(self.function)
            .build_alloca(ty, "farkas.negative")
            .expect(BUILDS)
    }

    /// Sets `errno` where an argument was negative. The builder stands where new code ends, and comes to stand behind it.
    pub(crate) fn set(&self, builder: &Builder<'a>) {
        let Some(first) = self.flags.borrow().first().copied() else {
            return;
        };
        let is_negative = self.any(builder).expect("a flag");
        let (call, next) = (self.block("farkas.errno"), self.block("farkas.endif"));
        builder.build_conditional_branch(is_negative, call, next).expect(BUILDS);
        builder.position_at_end(call);
        let clone = first.call.duplicate();
        builder.insert_instruction(&clone, None);
        Value::from_inkwell(clone).take_location(first.call);
        let argument = first.call.operands()[0].basic().expect("an argument");
        let minus_one = argument.into_float_value().get_type().const_float(-1.0);
        clone.set_operand(0, minus_one);
        builder.build_unconditional_branch(next).expect(BUILDS);
        builder.position_at_end(next);
    }
}

/// Whether the flag holds, for any lane.
fn any<'a>(builder: &Builder<'a>, flag: &Flag<'a>) -> IntValue<'a> {
    let value = builder.build_load(flag.ty, flag.variable, "").expect(BUILDS);
    let BasicValueEnum::VectorValue(lanes) = value else {
        return value.into_int_value();
    };
    let count = lanes.get_type().get_size();
    let context = lanes.get_type().get_context();
    let bits = context
        .custom_width_int_type(std::num::NonZeroU32::new(count).expect("lanes"))
        .expect("a narrow integer");
    let bits = builder.build_bit_cast(lanes, bits, "").expect(BUILDS).into_int_value();
    let compared = builder.build_int_compare(
        farkas_llvm::inkwell::IntPredicate::NE,
        bits,
        bits.get_type().const_zero(),
        "",
    );
    compared.expect(BUILDS)
}
