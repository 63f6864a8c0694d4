//! The markers around a loop that runs on threads.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::context::ContextRef;
use farkas_llvm::inkwell::types::FunctionType;
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, CallSiteValue, IntValue, PointerValue};
use farkas_llvm::threads::MARKER;
use std::fmt;
use std::str::FromStr;

use crate::arith::BUILDS;

/// The metadata of variables of which each thread has its own.
pub(crate) const PRIVATE: &str = "farkas.private";

/// The kinds of markers of a row's progress, and of turns. The shim knows their names.
pub(super) const WAIT: &str = "wait";
pub(super) const DONE: &str = "done";
pub(super) const END_OF_ROW: &str = "row";
pub(super) const TURN: &str = "turn";
pub(super) const PASS: &str = "pass";

/// How the iterations of a loop are dealt out to threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// In parts.
    Parts(Parts),
    /// One iteration after the other goes to the thread that is free first. Iterations wait for each other.
    Pipelined,
}

/// How parts of the iterations of a loop are dealt out to threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// Each thread gets one of about the same number of neighbouring iterations.
    Static,
    /// Small parts go round all threads: iterations take longer and longer, or shorter and shorter.
    Cyclic,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Schedule::Parts(Parts::Static) => "static",
            Schedule::Parts(Parts::Cyclic) => "cyclic",
            Schedule::Pipelined => "pipelined",
        })
    }
}

impl FromStr for Schedule {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "static" => Ok(Schedule::Parts(Parts::Static)),
            "cyclic" => Ok(Schedule::Parts(Parts::Cyclic)),
            "pipelined" => Ok(Schedule::Pipelined),
            _ => Err(()),
        }
    }
}

/// What the marker in front of a loop is given.
#[derive(Clone, Copy)]
pub(crate) struct Threads<'a> {
    /// The number of iterations less one, at least 0.
    pub(crate) last: IntValue<'a>,
    pub(crate) schedule: Schedule,
}

/// The numbers of the iterations that are to be executed.
#[derive(Clone, Copy)]
pub(crate) struct Begin<'a> {
    pub(crate) first: IntValue<'a>,
    pub(crate) last: IntValue<'a>,
}

/// Emits the marker in front of a loop, whose iterations count from 0.
pub(crate) fn begin<'a>(context: ContextRef<'a>, builder: &Builder<'a>, threads: Threads<'a>) -> Begin<'a> {
    let i64 = context.i64_type();
    let both = context.struct_type(&[i64.into(), i64.into()], false);
    let ty = both.fn_type(&[i64.into(), i64.into()], false);
    let arguments = [i64.const_zero().into(), threads.last.into()];
    let kind = threads.schedule.to_string();
    let call = marker(context, builder, (ty, "=r,=r,0,1,~{memory}"), &arguments, &kind);
    let both = call.try_as_basic_value().basic().expect("a pair").into_struct_value();
    let number = |index| builder.build_extract_value(both, index, "").expect(BUILDS);
    Begin {
        first: number(0).into_int_value(),
        last: number(1).into_int_value(),
    }
}

/// Emits the marker behind a loop.
pub(crate) fn end<'a>(context: ContextRef<'a>, builder: &Builder<'a>, begin: Begin<'a>) {
    let ty = context.void_type().fn_type(&[context.i64_type().into()], false);
    marker(context, builder, (ty, "r,~{memory}"), &[begin.first.into()], "end");
}

/// Emits a marker behind which LLVM expects that other threads know of an array.
pub(crate) fn share<'a>(context: ContextRef<'a>, builder: &Builder<'a>, array: PointerValue<'a>) {
    let ty = context.void_type().fn_type(&[array.get_type().into()], false);
    marker(context, builder, (ty, "r,~{memory}"), &[array.into()], "shared");
}

/// How far a row of a pipeline is.
#[derive(Clone, Copy)]
pub(crate) enum Progress<'a> {
    /// Goes on when the row before has done a step, and all before it.
    Wait {
        /// The number of the row.
        row: IntValue<'a>,
        step: IntValue<'a>,
    },
    /// The row has done a step, and all before it.
    Done { row: IntValue<'a>, step: IntValue<'a> },
    /// The row has ended. Goes on when the row before has ended, too.
    End { row: IntValue<'a> },
}

/// Emits a marker of a row's progress. As it stands it does nothing, as rows come one after the other.
pub(crate) fn progress<'a>(context: ContextRef<'a>, builder: &Builder<'a>, progress: Progress<'a>) {
    let i64 = context.i64_type();
    let (name, row, step) = match progress {
        Progress::Wait { row, step } => (WAIT, row, step),
        Progress::Done { row, step } => (DONE, row, step),
        Progress::End { row } => (END_OF_ROW, row, i64.const_zero()),
    };
    let ty = context.void_type().fn_type(&[i64.into(), i64.into()], false);
    marker(
        context,
        builder,
        (ty, "r,r,~{memory}"),
        &[row.into(), step.into()],
        name,
    );
}

/// What the chunks of a loop do one after the other, in the order of their iterations, begins or ends.
#[derive(Clone, Copy)]
pub(crate) enum Turn<'a> {
    /// Goes on when all iterations before this one have ended theirs.
    Begin {
        /// The first iteration of the chunk.
        first: IntValue<'a>,
    },
    /// It is the turn of the chunk that begins with this iteration.
    End {
        /// The iteration behind the last one of the chunk.
        next: IntValue<'a>,
    },
}

/// Emits a marker of a turn. `variable` has the number of the iteration whose turn it is, 0 in front of the loop. As it stands the marker does
/// nothing, as there is one chunk.
pub(crate) fn turn<'a>(context: ContextRef<'a>, builder: &Builder<'a>, variable: PointerValue<'a>, turn: Turn<'a>) {
    let (name, iteration) = match turn {
        Turn::Begin { first } => (TURN, first),
        Turn::End { next } => (PASS, next),
    };
    let parameters = [variable.get_type().into(), iteration.get_type().into()];
    let ty = context.void_type().fn_type(&parameters, false);
    let arguments = [variable.into(), iteration.into()];
    marker(context, builder, (ty, "r,r,~{memory}"), &arguments, name);
}

/// Emits a marker that says whether there are several threads. As it stands, there are not.
pub(crate) fn has_team<'a>(context: ContextRef<'a>, builder: &Builder<'a>) -> IntValue<'a> {
    let i64 = context.i64_type();
    let ty = i64.fn_type(&[i64.into()], false);
    let call = marker(context, builder, (ty, "=r,0"), &[i64.const_zero().into()], "team");
    let number = call.try_as_basic_value().basic().expect("a number").into_int_value();
    let zero = i64.const_zero();
    builder
        .build_int_compare(IntPredicate::NE, number, zero, "")
        .expect(BUILDS)
}

fn marker<'a>(
    context: ContextRef<'a>,
    builder: &Builder<'a>,
    (ty, constraints): (FunctionType<'a>, &str),
    arguments: &[BasicMetadataValueEnum<'a>],
    kind: &str,
) -> CallSiteValue<'a> {
    let asm = context.create_inline_asm(ty, String::new(), constraints.to_owned(), true, false, None, false);
    let call = builder.build_indirect_call(ty, asm, arguments, "").expect(BUILDS);
    let named = |name| context.create_enum_attribute(Attribute::get_named_enum_kind_id(name), 0);
    call.add_attribute(AttributeLoc::Function, context.create_string_attribute(MARKER, kind));
    // Both markers of a loop stay together: neither is copied, or merged with another one, where the other is not.
    for name in ["convergent", "nomerge", "nounwind"] {
        call.add_attribute(AttributeLoc::Function, named(name));
    }
    call
}
