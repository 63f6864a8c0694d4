//! The functions that chunks call in the place of markers of [progress](super::pipeline) and of turns. A module has each of them once.
//!
//! ```text
//! void farkas.turn(long *turn, long first) { while (*turn != first) {} }        chunks take their turns in the order of iterations
//! void farkas.pass(long *turn, long next) { *turn = next; }
//! ```
//!
//! Chunks come in order in each thread, and threads have disjoint ones: the first chunk that has not had its turn always comes to it.

use farkas_llvm::inkwell::types::BasicMetadataTypeEnum;
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AddressSpace, IntPredicate};
use farkas_llvm::threads::Chunk;

use super::function::NewFunction;
use super::markers::{DONE, END_OF_ROW, PASS, TURN, WAIT};
use super::pipeline::CELLS;
use super::runtime::Runtime;
use crate::arith::BUILDS;

/// Puts calls in the place of markers of progress and of turns in a chunk.
pub(super) fn lower_progress<'a>(runtime: &Runtime<'a>, chunk: &Chunk<'a>) {
    for marker in chunk.progress_markers() {
        let code = Helpers { runtime };
        let function = match marker.kind().as_str() {
            WAIT => code.wait(),
            DONE => code.done(),
            END_OF_ROW => code.end_row(),
            TURN => code.begin_turn(),
            PASS => code.end_turn(),
            kind => unreachable!("a marker of progress is no `{kind}`"),
        };
        let instruction = marker.value().instruction().expect("a marker is an instruction");
        let builder = runtime.context().create_builder();
        builder.position_before(&instruction);
        let arguments: Vec<BasicMetadataValueEnum<'a>> = marker
            .arguments()
            .into_iter()
            .map(|argument| argument.basic().expect("a number or an address").into())
            .collect();
        builder.build_call(function, &arguments, "").expect(BUILDS);
        instruction.erase_from_basic_block();
    }
}

struct Helpers<'t, 'a> {
    runtime: &'t Runtime<'a>,
}

impl<'a> Helpers<'_, 'a> {
    fn once(
        &self,
        name: &str,
        parameters: [BasicMetadataTypeEnum<'a>; 2],
        body: impl FnOnce(&NewFunction<'_, 'a>),
    ) -> FunctionValue<'a> {
        if let Some(known) = self.runtime.function(name) {
            return known;
        }
        let ty = self.runtime.context().void_type().fn_type(&parameters, false);
        let function = self.runtime.add_internal(name, ty);
        let code = NewFunction::of(self.runtime, function);
        code.add_attribute("noinline");
        body(&code);
        code.builder.build_return(None).expect(BUILDS);
        function
    }

    /// A function of the number of a row and that of a step, which does nothing where there is one thread.
    fn of_row(
        &self,
        name: &str,
        body: impl FnOnce(&NewFunction<'_, 'a>, PointerValue<'a>, [IntValue<'a>; 2]),
    ) -> FunctionValue<'a> {
        let i64 = self.runtime.context().i64_type();
        self.once(name, [i64.into(), i64.into()], |code| {
            let pointer = self.runtime.context().ptr_type(AddressSpace::default());
            let progress = code.builder.build_load(pointer, code.ring(), "progress").expect(BUILDS);
            let progress = progress.into_pointer_value();
            let (there, alone) = (code.block("there"), code.block("alone"));
            let is_null = code.builder.build_is_null(progress, "").expect(BUILDS);
            code.builder
                .build_conditional_branch(is_null, alone, there)
                .expect(BUILDS);
            code.builder.position_at_end(alone);
            code.builder.build_return(None).expect(BUILDS);
            code.builder.position_at_end(there);
            let numbers = [0, 1].map(|index| code.parameter(index).into_int_value());
            body(code, progress, numbers);
        })
    }

    /// Waits until the row before has done a step.
    fn wait(&self) -> FunctionValue<'a> {
        self.of_row("farkas.wait", |code, progress, [row, step]| {
            code.wait_for_row_before(progress, row, step);
        })
    }

    /// Says that a row has done a step.
    fn done(&self) -> FunctionValue<'a> {
        self.of_row("farkas.done", |code, progress, [row, step]| {
            code.publish(code.cell(progress, row), step);
        })
    }

    /// Ends a row.
    fn end_row(&self) -> FunctionValue<'a> {
        self.of_row("farkas.end_row", |code, progress, [row, _]| {
            let i64 = row.get_type();
            let largest = i64.const_int(i64::MAX as u64, true);
            code.wait_for_row_before(progress, row, largest);
            let half = i64.const_int(CELLS / 2, false);
            let ahead = code.builder.build_int_add(row, half, "").expect(BUILDS);
            let least = i64.const_int(i64::MIN as u64, true);
            code.publish(code.cell(progress, ahead), least);
            code.publish(code.cell(progress, row), largest);
        })
    }

    /// A function of the variable of turns and the number of an iteration.
    fn of_turn(
        &self,
        name: &str,
        body: impl FnOnce(&NewFunction<'_, 'a>, PointerValue<'a>, IntValue<'a>),
    ) -> FunctionValue<'a> {
        let context = self.runtime.context();
        let pointer = context.ptr_type(AddressSpace::default());
        self.once(name, [pointer.into(), context.i64_type().into()], |code| {
            let (variable, iteration) = (code.parameter(0), code.parameter(1));
            body(code, variable.into_pointer_value(), iteration.into_int_value());
        })
    }

    /// Waits for the turn of the chunk that begins with an iteration.
    fn begin_turn(&self) -> FunctionValue<'a> {
        self.of_turn("farkas.turn", |code, variable, first| {
            code.wait_until(variable, IntPredicate::EQ, first);
        })
    }

    /// Ends the turn of the chunk before the one that begins with an iteration.
    fn end_turn(&self) -> FunctionValue<'a> {
        self.of_turn("farkas.pass", |code, variable, next| code.publish(variable, next))
    }
}
