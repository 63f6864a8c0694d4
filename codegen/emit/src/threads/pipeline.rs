//! Pipelines: threads that execute rows, each of which waits for the one before.
//!
//! A row says how far it is in its *cell*, the number of a step. Cells are in a ring: there are more than rows in flight, as rows end
//! in order, and each thread has one. Before it ends, a row clears the cell that is half a ring ahead. A thread takes the next row from
//! a counter behind the ring.
//!
//! ```text
//! void f.farkas.0.pipeline(void *values, long last) {                  on the thread that forks
//!   long progress[cells + 1] = {least, .., least, 0};
//!   __kmpc_push_num_threads(.., most);
//!   __kmpc_fork_call(.., f.farkas.0.threads, values, last, progress);
//! }
//!
//! void f.farkas.0.threads(int *, int *, void *values, long last, long *progress) {
//!   .farkas.progress = progress;
//!   while ((row = progress[cells]++) <= last) f.farkas.0(row, row, values);
//!   .farkas.progress = 0;
//! }
//! ```
//!
//! Chunks find the ring in a variable of their thread. It is null where one thread executes all rows, which then waits for nothing.

use farkas_llvm::inkwell::values::{FunctionValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AddressSpace, AtomicOrdering, AtomicRMWBinOp, IntPredicate};

use super::function::NewFunction;
use super::microtask::Callee;
use super::runtime::Runtime;
use crate::arith::BUILDS;

/// The number of cells, a power of two: twice as many as threads, and some.
pub(super) const CELLS: u64 = 256;
/// A team has no more threads.
const MOST_THREADS: u64 = CELLS / 2 - 1;
/// The numbers from one cell to the next: threads that wait for different rows read different lines of the cache.
const STRIDE: u64 = 8;

/// The name of the variable of each thread that has the address of the ring.
const RING: &str = ".farkas.progress";

/// Adds the function that forks a team for the rows of a chunk, each thread with this microtask.
pub(super) fn add_fork<'a>(
    runtime: &Runtime<'a>,
    chunk: &Callee<'a>,
    microtask: FunctionValue<'a>,
) -> FunctionValue<'a> {
    let context = runtime.context();
    let (pointer, i64, i32) = (
        context.ptr_type(AddressSpace::default()),
        context.i64_type(),
        context.i32_type(),
    );
    let ty = context.void_type().fn_type(&[pointer.into(), i64.into()], false);
    let name = format!("{}.pipeline", chunk.function.get_name().to_string_lossy());
    let code = NewFunction::beside(runtime, &name, ty, chunk);
    let builder = &code.builder;
    let ring = i64.array_type(u32::try_from(CELLS * STRIDE + 1).expect("a small ring"));
    let progress = builder.build_alloca(ring, "progress").expect(BUILDS);
    let set = progress.as_instruction().expect("an instruction").set_alignment(64);
    set.expect("the alignment of a variable");
    let least = i64.const_int(i64::MIN as u64, true);
    code.for_each(i64.const_int(CELLS, false), |cell| {
        code.store(code.cell(progress, cell), least);
    });
    let counter = code.counter(progress);
    code.store(counter, i64.const_zero());
    let place = runtime.place();
    let thread = code.number(runtime.thread_number(), &[place.into()]);
    let threads = code.number(runtime.max_threads(), &[]);
    let most = i32.const_int(MOST_THREADS, false);
    let is_less = builder.build_int_compare(IntPredicate::SLT, threads, most, "");
    let threads = builder
        .build_select(is_less.expect(BUILDS), threads, most, "")
        .expect(BUILDS);
    let arguments = [place.into(), thread.into(), threads.into()];
    code.call(runtime.push_num_threads(), &arguments);
    let arguments = [
        place.into(),
        i32.const_int(3, false).into(),
        microtask.as_global_value().as_pointer_value().into(),
        code.parameter(0),
        code.parameter(1),
        progress.into(),
    ];
    code.call(runtime.fork_call(), &arguments);
    builder.build_return(None).expect(BUILDS);
    code.function
}

/// Adds the microtask of a chunk: it executes one row after the other, as long as there are some.
pub(super) fn add_rows<'a>(runtime: &Runtime<'a>, chunk: &Callee<'a>) -> FunctionValue<'a> {
    let context = runtime.context();
    let (pointer, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
    let parameters = [
        pointer.into(),
        pointer.into(),
        pointer.into(),
        i64.into(),
        pointer.into(),
    ];
    let ty = context.void_type().fn_type(&parameters, false);
    let name = format!("{}.threads", chunk.function.get_name().to_string_lossy());
    let code = NewFunction::beside(runtime, &name, ty, chunk);
    let builder = &code.builder;
    let values = code.parameter(2).into_pointer_value();
    let last = code.parameter(3).into_int_value();
    let progress = code.parameter(4).into_pointer_value();
    let ring = code.ring();
    builder.build_store(ring, progress).expect(BUILDS);
    let (next, row, ended) = (code.block("next"), code.block("row"), code.block("ended"));
    builder.build_unconditional_branch(next).expect(BUILDS);
    builder.position_at_end(next);
    let one = i64.const_int(1, false);
    let number = builder.build_atomicrmw(
        AtomicRMWBinOp::Add,
        code.counter(progress),
        one,
        AtomicOrdering::AcquireRelease,
    );
    let number = number.expect(BUILDS);
    let some = builder.build_int_compare(IntPredicate::SLE, number, last, "");
    builder
        .build_conditional_branch(some.expect(BUILDS), row, ended)
        .expect(BUILDS);
    builder.position_at_end(row);
    chunk.call(builder, (number, number), values);
    builder.build_unconditional_branch(next).expect(BUILDS);
    builder.position_at_end(ended);
    builder.build_store(ring, pointer.const_null()).expect(BUILDS);
    builder.build_return(None).expect(BUILDS);
    code.function
}

/// Progress.
impl<'a> NewFunction<'_, 'a> {
    /// The variable of this thread that has the address of the ring.
    pub(super) fn ring(&self) -> PointerValue<'a> {
        self.runtime.thread_local_pointer(RING)
    }

    fn element(&self, progress: PointerValue<'a>, index: IntValue<'a>) -> PointerValue<'a> {
        farkas_llvm::edit::element_address(&self.builder, index.get_type().into(), progress, index)
    }

    /// The cell of a row.
    pub(super) fn cell(&self, progress: PointerValue<'a>, row: IntValue<'a>) -> PointerValue<'a> {
        let i64 = row.get_type();
        let cell = self.builder.build_and(row, i64.const_int(CELLS - 1, false), "");
        let index = self
            .builder
            .build_int_mul(cell.expect(BUILDS), i64.const_int(STRIDE, false), "");
        self.element(progress, index.expect(BUILDS))
    }

    /// The counter of rows that were taken.
    fn counter(&self, progress: PointerValue<'a>) -> PointerValue<'a> {
        let i64 = self.runtime.context().i64_type();
        self.element(progress, i64.const_int(CELLS * STRIDE, false))
    }

    /// Waits until the row before, if there is one, has done a step.
    pub(super) fn wait_for_row_before(&self, progress: PointerValue<'a>, row: IntValue<'a>, step: IntValue<'a>) {
        let (builder, i64) = (&self.builder, row.get_type());
        let (waits, goes_on) = (self.block("waits"), self.block("goes.on"));
        let before = builder.build_int_sub(row, i64.const_int(1, false), "").expect(BUILDS);
        let cell = self.cell(progress, before);
        let is_first = builder.build_int_compare(IntPredicate::EQ, row, i64.const_zero(), "");
        builder
            .build_conditional_branch(is_first.expect(BUILDS), goes_on, waits)
            .expect(BUILDS);
        builder.position_at_end(waits);
        self.wait_until(cell, IntPredicate::SGE, step);
        builder.build_unconditional_branch(goes_on).expect(BUILDS);
        builder.position_at_end(goes_on);
    }
}
