//! Functions that are added to the module.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::FunctionType;
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, FunctionValue, IntValue, PointerValue};

use super::microtask::Callee;
use super::runtime::Runtime;
use crate::arith::BUILDS;

/// A function that is being added.
pub(super) struct NewFunction<'t, 'a> {
    pub(super) runtime: &'t Runtime<'a>,
    pub(super) function: FunctionValue<'a>,
    pub(super) builder: Builder<'a>,
}

impl<'t, 'a> NewFunction<'t, 'a> {
    /// A function beside a chunk, with the same attributes for the machine. The builder stands in its entry block.
    pub(super) fn beside(runtime: &'t Runtime<'a>, name: &str, ty: FunctionType<'a>, chunk: &Callee<'a>) -> Self {
        let function = runtime.add_internal(name, ty);
        for attribute in chunk.function.attributes(AttributeLoc::Function) {
            if attribute.is_string() || attribute.get_enum_kind_id() == Attribute::get_named_enum_kind_id("uwtable") {
                function.add_attribute(AttributeLoc::Function, attribute);
            }
        }
        NewFunction::of(runtime, function)
    }

    /// A function without a body. The builder stands in its entry block.
    pub(super) fn of(runtime: &'t Runtime<'a>, function: FunctionValue<'a>) -> Self {
        let builder = runtime.context().create_builder();
        let code = NewFunction {
            runtime,
            function,
            builder,
        };
        code.add_attribute("nounwind");
        code.builder.position_at_end(code.block("entry"));
        code
    }

    pub(super) fn add_attribute(&self, name: &str) {
        let kind = Attribute::get_named_enum_kind_id(name);
        let attribute = self.runtime.context().create_enum_attribute(kind, 0);
        self.function.add_attribute(AttributeLoc::Function, attribute);
    }

    /// A new block behind all others.
    pub(super) fn block(&self, name: &str) -> BasicBlock<'a> {
        self.runtime.context().append_basic_block(self.function, name)
    }

    pub(super) fn parameter(&self, index: u32) -> BasicMetadataValueEnum<'a> {
        self.function.get_nth_param(index).expect("a parameter").into()
    }

    pub(super) fn call(&self, function: FunctionValue<'a>, arguments: &[BasicMetadataValueEnum<'a>]) {
        self.builder.build_call(function, arguments, "").expect(BUILDS);
    }

    /// Calls a function that returns a number.
    pub(super) fn number(&self, function: FunctionValue<'a>, arguments: &[BasicMetadataValueEnum<'a>]) -> IntValue<'a> {
        let call = self.builder.build_call(function, arguments, "").expect(BUILDS);
        call.try_as_basic_value().basic().expect("a number").into_int_value()
    }

    pub(super) fn store(&self, address: PointerValue<'a>, value: IntValue<'a>) {
        self.builder.build_store(address, value).expect(BUILDS);
    }

    /// Runs `body` for the numbers from 0 to below `end`, of which there are some.
    pub(super) fn for_each(&self, end: IntValue<'a>, body: impl FnOnce(IntValue<'a>)) {
        let (builder, i64) = (&self.builder, end.get_type());
        let entry = builder.get_insert_block().expect("a positioned builder");
        let (inside, behind) = (self.block("each"), self.block("behind"));
        builder.build_unconditional_branch(inside).expect(BUILDS);
        builder.position_at_end(inside);
        let phi = builder.build_phi(i64, "").expect(BUILDS);
        let number = phi.as_basic_value().into_int_value();
        body(number);
        let next = builder
            .build_int_add(number, i64.const_int(1, false), "")
            .expect(BUILDS);
        phi.add_incoming(&[(&i64.const_zero(), entry), (&next, inside)]);
        let more = builder
            .build_int_compare(IntPredicate::ULT, next, end, "")
            .expect(BUILDS);
        builder.build_conditional_branch(more, inside, behind).expect(BUILDS);
        builder.position_at_end(behind);
    }
}
