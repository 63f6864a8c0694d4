//! Calls of the runtime library (`codegen/runtime`, which documents them).

use farkas_llvm::Run;
use farkas_llvm::inkwell::AddressSpace;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::module::Linkage;
use farkas_llvm::inkwell::types::FunctionType;
use farkas_llvm::inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FunctionValue, GlobalValue, IntValue, PointerValue, UnnamedAddress,
};

use crate::arith::BUILDS;

/// The version of the library's interface.
const VERSION: u64 = 2;

/// What is copied of an array: kernels may read bytes that none of them wrote before.
const IN: u64 = 1;

/// What is copied of an array: kernels may write it.
const OUT: u64 = 2;

/// An array of the host.
pub(super) struct HostArray<'a> {
    /// Its first byte.
    pub(super) first: PointerValue<'a>,
    /// How many there are.
    pub(super) bytes: IntValue<'a>,
    /// The bytes of an element.
    pub(super) element_bytes: u64,
    /// Whether kernels may read it.
    pub(super) is_read: bool,
    /// Whether kernels may write it.
    pub(super) is_written: bool,
    /// The list of numbers that says which box they write, if that is known.
    pub(super) written: Option<PointerValue<'a>>,
}

/// The runtime library, called from one function.
pub(super) struct Runtime<'b, 'a, 'r> {
    run: &'a Run<'r>,
    builder: &'b Builder<'a>,
}

impl<'b, 'a, 'r> Runtime<'b, 'a, 'r> {
    pub(super) fn new(run: &'a Run<'r>, builder: &'b Builder<'a>) -> Self {
        Runtime { run, builder }
    }

    fn call(
        &self,
        name: &str,
        ty: FunctionType<'a>,
        arguments: &[BasicMetadataValueEnum<'a>],
    ) -> Option<BasicValueEnum<'a>> {
        let module = self.run.module();
        let function: FunctionValue<'a> = module.get_function(name).unwrap_or_else(|| {
            let function = module.add_function(name, ty, None);
            let kind = Attribute::get_named_enum_kind_id("nounwind");
            let attribute = self.run.context().create_enum_attribute(kind, 0);
            function.add_attribute(AttributeLoc::Function, attribute);
            function
        });
        let call = self
            .builder
            .build_indirect_call(ty, function.as_global_value().as_pointer_value(), arguments, "");
        call.expect(BUILDS).try_as_basic_value().basic()
    }

    /// Begins a region.
    pub(super) fn begin(&self) -> PointerValue<'a> {
        let context = self.run.context();
        let (pointer, number) = (context.ptr_type(AddressSpace::default()), context.i32_type());
        let version = number.const_int(VERSION, false);
        let region = self.call(
            "farkas_gpu_begin",
            pointer.fn_type(&[number.into()], false),
            &[version.into()],
        );
        region.expect("a pointer is returned").into_pointer_value()
    }

    /// Gives a region an array. Returns its address on the device.
    pub(super) fn array(&self, region: PointerValue<'a>, array: &HostArray<'a>) -> IntValue<'a> {
        let context = self.run.context();
        let (pointer, number, long) = (
            context.ptr_type(AddressSpace::default()),
            context.i32_type(),
            context.i64_type(),
        );
        let parameters = [
            pointer.into(),
            pointer.into(),
            long.into(),
            number.into(),
            number.into(),
            pointer.into(),
        ];
        let ty = long.fn_type(&parameters, false);
        // Of larger elements the library knows nothing then.
        let element_bytes = u32::try_from(array.element_bytes).unwrap_or(0);
        let transfer = if array.is_read { IN } else { 0 } | if array.is_written { OUT } else { 0 };
        let arguments = [
            region.into(),
            array.first.into(),
            array.bytes.into(),
            number.const_int(u64::from(element_bytes), false).into(),
            number.const_int(transfer, false).into(),
            array.written.unwrap_or(pointer.const_null()).into(),
        ];
        let address = self.call("farkas_gpu_array", ty, &arguments);
        address.expect("a number is returned").into_int_value()
    }

    /// Launches a kernel.
    pub(super) fn launch(
        &self,
        region: PointerValue<'a>,
        (ptx, name): (PointerValue<'a>, PointerValue<'a>),
        (sizes, arguments): (PointerValue<'a>, PointerValue<'a>),
    ) {
        let context = self.run.context();
        let pointer = context.ptr_type(AddressSpace::default());
        let ty = context.void_type().fn_type(&[pointer.into(); 5], false);
        let arguments = [region.into(), ptx.into(), name.into(), sizes.into(), arguments.into()];
        self.call("farkas_gpu_launch", ty, &arguments);
    }

    /// Ends a region. Returns whether its results are there.
    pub(super) fn end(&self, region: PointerValue<'a>) -> IntValue<'a> {
        let context = self.run.context();
        let pointer = context.ptr_type(AddressSpace::default());
        let ty = context.i32_type().fn_type(&[pointer.into()], false);
        let failed = self.call("farkas_gpu_end", ty, &[region.into()]);
        let failed = failed.expect("a number is returned").into_int_value();
        let predicate = farkas_llvm::inkwell::IntPredicate::EQ;
        let zero = context.i32_type().const_zero();
        self.builder
            .build_int_compare(predicate, failed, zero, "")
            .expect(BUILDS)
    }

    /// A text that ends with a null, as a constant of the program.
    pub(super) fn text(&self, text: &str, name: &str) -> PointerValue<'a> {
        let value = self.run.context().const_string(text.as_bytes(), true);
        let global: GlobalValue<'a> = self.run.module().add_global(value.get_type(), None, name);
        global.set_linkage(Linkage::Private);
        global.set_constant(true);
        global.set_unnamed_address(UnnamedAddress::Global);
        global.set_initializer(&value);
        global.as_pointer_value()
    }
}
