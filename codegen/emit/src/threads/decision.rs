//! The decision where a loop is: whether a team of threads executes it, or this thread alone.
//!
//! ```text
//!   there are several iterations ?
//!     farkas.has_team() ?     the program is linked with the runtime, this is in no parallel region, and there are several threads
//!       __kmpc_fork_call(.., f.farkas.0.threads, values, last)
//!   otherwise: f.farkas.0(0, last, values)
//! ```
//!
//! Where threads do not pay, loops have no markers: nothing of the runtime is called there.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{FunctionValue, InstructionValue, IntValue, PointerValue};

use super::function::NewFunction;
use super::microtask::Callee;
use super::runtime::Runtime;
use crate::arith::BUILDS;

/// What is known where the loop is.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// The number of the last iteration.
    pub(super) last: IntValue<'a>,
    /// What the chunk needs to know.
    pub(super) values: PointerValue<'a>,
}

/// What a team is forked by.
#[derive(Clone, Copy)]
pub(super) enum Team<'a> {
    /// The runtime, for this microtask.
    Fork(FunctionValue<'a>),
    /// This function, which is given the values and the number of the last iteration.
    Call(FunctionValue<'a>),
}

impl<'a> Team<'a> {
    pub(super) fn function(self) -> FunctionValue<'a> {
        match self {
            Team::Fork(function) | Team::Call(function) => function,
        }
    }
}

/// Puts the decision in the place of the call of a chunk, which is the last instruction but for the branch of its block.
pub(super) fn decide<'a>(
    runtime: &Runtime<'a>,
    call: InstructionValue<'a>,
    (chunk, team): (&Callee<'a>, Team<'a>),
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
    let zero = known.last.get_type().const_zero();
    let several = builder
        .build_int_compare(IntPredicate::SGT, known.last, zero, "")
        .expect(BUILDS);
    builder.build_conditional_branch(several, ask, alone).expect(BUILDS);

    builder.position_at_end(ask);
    let has_team = number(&builder, has_team(runtime));
    builder.build_conditional_branch(has_team, fork, alone).expect(BUILDS);

    builder.position_at_end(fork);
    let (values, last) = (known.values.into(), known.last.into());
    match team {
        Team::Fork(microtask) => {
            let microtask = microtask.as_global_value().as_pointer_value().into();
            let number = context.i32_type().const_int(2, false).into();
            let arguments = [runtime.place().into(), number, microtask, values, last];
            builder.build_call(runtime.fork_call(), &arguments, "").expect(BUILDS);
        }
        Team::Call(function) => {
            builder.build_call(function, &[values, last], "").expect(BUILDS);
        }
    }
    builder.build_unconditional_branch(behind).expect(BUILDS);

    builder.position_at_end(alone);
    chunk.call(&builder, (zero, known.last), known.values);
    builder.build_unconditional_branch(behind).expect(BUILDS);
    call.erase_from_basic_block();
}

/// The name of the function that says whether there is a team to fork.
const HAS_TEAM: &str = "farkas.has_team";

/// Puts the answer in the place of a marker that asks whether there are several threads: never where `may_fork` is false.
pub(super) fn answer<'a>(runtime: &Runtime<'a>, marker: InstructionValue<'a>, may_fork: bool) {
    let asked = IntValue::try_from(marker).expect("a marker is a number");
    let builder = marker
        .get_parent()
        .expect("a marker in a block")
        .get_context()
        .create_builder();
    builder.position_before(&marker);
    let answer = match may_fork {
        true => {
            let has_team = number(&builder, has_team(runtime));
            builder
                .build_int_z_extend(has_team, asked.get_type(), "")
                .expect(BUILDS)
        }
        false => asked.get_type().const_zero(),
    };
    asked.replace_all_uses_with(answer);
    marker.erase_from_basic_block();
}

/// The function that says whether there is a team to fork.
fn has_team<'a>(runtime: &Runtime<'a>) -> FunctionValue<'a> {
    if let Some(known) = runtime.function(HAS_TEAM) {
        return known;
    }
    let bool_type = runtime.context().bool_type();
    let code = NewFunction::of(runtime, runtime.add_internal(HAS_TEAM, bool_type.fn_type(&[], false)));
    code.add_attribute("noinline");
    let builder = &code.builder;
    let (ask, alone) = (code.block("ask"), code.block("alone"));
    let fork_call = runtime.fork_call().as_global_value().as_pointer_value();
    let is_linked = builder.build_is_not_null(fork_call, "").expect(BUILDS);
    builder.build_conditional_branch(is_linked, ask, alone).expect(BUILDS);
    builder.position_at_end(ask);
    let in_parallel = code.number(runtime.in_parallel(), &[]);
    let threads = code.number(runtime.max_threads(), &[]);
    let compare = |predicate, value: IntValue<'a>, other| {
        let other = value.get_type().const_int(other, false);
        builder.build_int_compare(predicate, value, other, "").expect(BUILDS)
    };
    let is_outermost = compare(IntPredicate::EQ, in_parallel, 0);
    let has_threads = compare(IntPredicate::SGT, threads, 1);
    let both = builder.build_and(is_outermost, has_threads, "").expect(BUILDS);
    builder.build_return(Some(&both)).expect(BUILDS);
    builder.position_at_end(alone);
    builder.build_return(Some(&bool_type.const_zero())).expect(BUILDS);
    code.function
}

/// Calls a function that returns a number.
fn number<'a>(builder: &Builder<'a>, function: FunctionValue<'a>) -> IntValue<'a> {
    let call = builder.build_call(function, &[], "").expect(BUILDS);
    call.try_as_basic_value().basic().expect("a number").into_int_value()
}
