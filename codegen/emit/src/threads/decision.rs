//! The decision where a loop is: whether a team of threads executes it, or this thread alone.
//!
//! ```text
//!   pays and there are several iterations and the program is linked with the runtime ?
//!     not in a parallel region and there are several threads ?
//!       __kmpc_fork_call(.., f.farkas.0.threads, values, last)
//!   otherwise: f.farkas.0(0, last, values)
//! ```
//!
//! Nothing of the runtime is called where threads do not pay.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{FunctionValue, InstructionValue, IntValue, PointerValue};

use super::microtask::Callee;
use super::runtime::Runtime;
use crate::arith::BUILDS;

/// What is known where the loop is.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The number of the last iteration.
    pub(super) last: IntValue<'a>,
    /// Not 0 if threads are expected to pay.
    pub(super) pays: IntValue<'a>,
    /// What the chunk needs to know.
    pub(super) values: PointerValue<'a>,
}

/// Puts the decision in the place of the call of a chunk, which is the last instruction but for the branch of its block.
pub(super) fn decide<'a>(
    runtime: &Runtime<'a>,
    call: InstructionValue<'a>,
    (chunk, microtask): (&Callee<'a>, FunctionValue<'a>),
    known: Known<'a>,
) {
    let block = call.get_parent().expect("a call in a block");
    let (function, context) = (block.get_parent().expect("a block of a function"), block.get_context());
    let branch = block.get_terminator().expect("a block with a terminator");
    let behind = branch.get_operand(0).and_then(|to| to.block()).expect("a plain branch");
    let append = |name| context.append_basic_block(function, name);
    let (ask, fork, alone) = (append("farkas.ask"), append("farkas.fork"), append("farkas.alone"));

    let builder = context.create_builder();
    // From here the builder has its location.
    builder.position_before(&call);
    branch.erase_from_basic_block();
    builder.position_at_end(block);
    let zero = known.pays.get_type().const_zero();
    let fork_call = runtime.fork_call();
    let is_linked = builder
        .build_is_not_null(fork_call.as_global_value().as_pointer_value(), "")
        .expect(BUILDS);
    let compare =
        |predicate, value: IntValue<'a>, number| builder.build_int_compare(predicate, value, number, "").expect(BUILDS);
    let pays = compare(IntPredicate::NE, known.pays, zero);
    let several = compare(IntPredicate::SGT, known.last, zero);
    let and = |a, b| builder.build_and(a, b, "").expect(BUILDS);
    let may_fork = and(and(pays, several), is_linked);
    builder.build_conditional_branch(may_fork, ask, alone).expect(BUILDS);

    builder.position_at_end(ask);
    let asked = |function| number(&builder, function);
    let (in_parallel, threads) = (asked(runtime.in_parallel()), asked(runtime.max_threads()));
    let i32 = context.i32_type();
    let is_outermost = compare(IntPredicate::EQ, in_parallel, i32.const_zero());
    let has_threads = compare(IntPredicate::SGT, threads, i32.const_int(1, false));
    let forks = and(is_outermost, has_threads);
    builder.build_conditional_branch(forks, fork, alone).expect(BUILDS);

    builder.position_at_end(fork);
    let arguments = [
        runtime.place().into(),
        i32.const_int(2, false).into(),
        microtask.as_global_value().as_pointer_value().into(),
        known.values.into(),
        known.last.into(),
    ];
    builder.build_call(fork_call, &arguments, "").expect(BUILDS);
    builder.build_unconditional_branch(behind).expect(BUILDS);

    builder.position_at_end(alone);
    chunk.call(&builder, (zero, known.last), known.values);
    builder.build_unconditional_branch(behind).expect(BUILDS);
    call.erase_from_basic_block();
}

/// Calls a function of the runtime that returns a number.
fn number<'a>(builder: &Builder<'a>, function: FunctionValue<'a>) -> IntValue<'a> {
    let call = builder.build_call(function, &[], "").expect(BUILDS);
    call.try_as_basic_value().basic().expect("a number").into_int_value()
}
