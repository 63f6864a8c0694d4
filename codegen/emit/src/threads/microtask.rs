//! The microtask of a loop: what each thread of a team executes. It asks the runtime for the thread's part of the iterations, and
//! calls the chunk for these.
//!
//! ```text
//! void f.farkas.0.threads(int *thread, int *, void *values, long last) {
//!   lower = 0; upper = last;
//!   __kmpc_for_static_init_8(.., &lower, &upper, ..);
//!   if (lower <= min(upper, last)) f.farkas.0(lower, min(upper, last), values);
//!   __kmpc_for_static_fini(..);
//! }
//! ```

use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AddressSpace, IntPredicate};

use super::function::NewFunction;
use super::markers::Parts;
use super::runtime::{Runtime, STATIC, STATIC_CHUNKED};
use crate::arith::BUILDS;

/// With parts that go round, each thread gets about so many: enough for the longest and the shortest ones to even out. (By
/// arithmetic: of a triangle, two threads get the same work up to a thirty-second.)
const ROUNDS: u64 = 32;

/// Where a chunk takes its arguments.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    First,
    Last,
    Values,
}

/// A function that executes some iterations of a loop.
pub(super) struct Callee<'a> {
    pub(super) function: FunctionValue<'a>,
    pub(super) arguments: Vec<Argument>,
}

impl<'a> Callee<'a> {
    /// Calls it for some iterations.
    pub(super) fn call(
        &self,
        builder: &Builder<'a>,
        (first, last): (IntValue<'a>, IntValue<'a>),
        values: PointerValue<'a>,
    ) {
        let of = |argument: &Argument| -> BasicMetadataValueEnum<'a> {
            match argument {
                Argument::First => first.into(),
                Argument::Last => last.into(),
                Argument::Values => values.into(),
            }
        };
        let arguments: Vec<_> = self.arguments.iter().map(of).collect();
        builder.build_call(self.function, &arguments, "").expect(BUILDS);
    }
}

/// Adds the microtask of a chunk to the module.
pub(super) fn add_microtask<'a>(runtime: &Runtime<'a>, chunk: &Callee<'a>, parts: Parts) -> FunctionValue<'a> {
    let context = chunk.function.get_type().get_context();
    let (pointer, i64) = (context.ptr_type(AddressSpace::default()), context.i64_type());
    let parameters = [pointer.into(), pointer.into(), pointer.into(), i64.into()];
    let ty = context.void_type().fn_type(&parameters, false);
    let name = format!("{}.threads", chunk.function.get_name().to_string_lossy());
    let task = Task {
        code: NewFunction::beside(runtime, &name, ty, chunk),
        chunk,
    };
    task.body(parts);
    task.code.function
}

struct Task<'t, 'a> {
    code: NewFunction<'t, 'a>,
    chunk: &'t Callee<'a>,
}

impl<'a> Task<'_, 'a> {
    fn body(&self, parts: Parts) {
        let NewFunction { runtime, builder, .. } = &self.code;
        let context = runtime.context();
        let (i32, i64) = (context.i32_type(), context.i64_type());
        let parameter = |index| self.code.parameter(index);
        let (values, last) = (parameter(2).into_pointer_value(), parameter(3).into_int_value());
        let variable = |initial: IntValue<'a>, name| {
            let variable = builder.build_alloca(initial.get_type(), name).expect(BUILDS);
            self.code.store(variable, initial);
            variable
        };
        let lower = variable(i64.const_zero(), "lower");
        let upper = variable(last, "upper");
        let stride = variable(i64.const_int(1, false), "stride");
        let is_last = variable(i32.const_zero(), "is.last");
        let thread = builder.build_load(i32, parameter(0).into_pointer_value(), "thread");
        let (place, thread) = (runtime.place(), thread.expect(BUILDS));
        let (kind, size) = match parts {
            Parts::Static => (STATIC, i64.const_int(1, false)),
            Parts::Cyclic => (STATIC_CHUNKED, self.part(last)),
        };
        let kind = i32.const_int(kind, false);
        let one = i64.const_int(1, false);
        let arguments = [
            place.into(),
            thread.into(),
            kind.into(),
            is_last.into(),
            lower.into(),
            upper.into(),
            stride.into(),
            one.into(),
            size.into(),
        ];
        self.code.call(runtime.static_init(), &arguments);
        let load = |variable| builder.build_load(i64, variable, "").expect(BUILDS).into_int_value();
        let (lower, upper, stride) = (load(lower), load(upper), load(stride));
        let distance = builder.build_int_nsw_sub(upper, lower, "").expect(BUILDS);
        self.parts((lower, distance, stride), last, values);
        self.code.call(runtime.static_fini(), &[place.into(), thread.into()]);
        builder.build_return(None).expect(BUILDS);
    }

    /// The number of iterations of a part, of which there are [`ROUNDS`] for each thread.
    fn part(&self, last: IntValue<'a>) -> IntValue<'a> {
        let (builder, i64) = (&self.code.builder, last.get_type());
        let threads = self.code.number(self.code.runtime.num_threads(), &[]);
        let threads = builder.build_int_s_extend(threads, i64, "").expect(BUILDS);
        let parts = builder
            .build_int_nsw_mul(threads, i64.const_int(ROUNDS, false), "")
            .expect(BUILDS);
        let size = builder.build_int_signed_div(last, parts, "").expect(BUILDS);
        builder
            .build_int_nsw_add(size, i64.const_int(1, false), "")
            .expect(BUILDS)
    }

    /// Calls the chunk for parts of `distance + 1` iterations from `lower` on, each `stride` behind the one before. The last one
    /// may be shorter.
    fn parts(
        &self,
        (lower, distance, stride): (IntValue<'a>, IntValue<'a>, IntValue<'a>),
        last: IntValue<'a>,
        values: PointerValue<'a>,
    ) {
        let builder = &self.code.builder;
        let block = |name| self.code.block(name);
        let entry = builder.get_insert_block().expect("a positioned builder");
        let (header, body, behind) = (block("next"), block("part"), block("done"));
        builder.build_unconditional_branch(header).expect(BUILDS);
        builder.position_at_end(header);
        let phi = builder.build_phi(lower.get_type(), "first").expect(BUILDS);
        let first = phi.as_basic_value().into_int_value();
        let some = builder
            .build_int_compare(IntPredicate::SLE, first, last, "")
            .expect(BUILDS);
        builder.build_conditional_branch(some, body, behind).expect(BUILDS);
        builder.position_at_end(body);
        let end = builder.build_int_nsw_add(first, distance, "").expect(BUILDS);
        let is_whole = builder
            .build_int_compare(IntPredicate::SLT, end, last, "")
            .expect(BUILDS);
        let end = builder
            .build_select(is_whole, end, last, "")
            .expect(BUILDS)
            .into_int_value();
        self.chunk.call(builder, (first, end), values);
        let next = builder.build_int_nsw_add(first, stride, "").expect(BUILDS);
        builder.build_unconditional_branch(header).expect(BUILDS);
        phi.add_incoming(&[(&lower, entry), (&next, body)]);
        builder.position_at_end(behind);
    }
}
