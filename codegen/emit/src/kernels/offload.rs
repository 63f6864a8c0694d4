//! The host's code of a region that runs on a device.

use std::path::Path;

use farkas_llvm::Run;
use farkas_llvm::edit::freeze;
use farkas_llvm::inkwell::AddressSpace;
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::BasicTypeEnum;
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::kernels::KernelShape;
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_llvm::value::Value;
use indexmap::IndexMap;

use super::obstacles::array_of;
use super::runtime::{HostArray, Runtime};
use super::{Device, DeviceArray, Writes};
use crate::accessed_elements::AccessedElements;
use crate::arith::{Arith, BUILDS};
use crate::slots::at_entry;

/// A kernel whose blocks are still in the host's function.
pub(crate) struct Launch<'a> {
    /// The first block of the kernel, and the block of the host behind it.
    pub(crate) blocks: (BasicBlock<'a>, BasicBlock<'a>),
    /// The variables on the stack of which each thread has its own.
    pub(crate) variables: Vec<PointerValue<'a>>,
    /// Those that the threads of a block share.
    pub(crate) shared: Vec<PointerValue<'a>>,
    /// Whether a thread has a loop of its own.
    pub(crate) is_sequential: bool,
    /// The blocks in x, y and z, in 32 bits.
    pub(crate) grid: [IntValue<'a>; 3],
    /// The threads of a block in x, y and z.
    pub(crate) threads: [u32; 3],
}

/// A region that was begun.
pub(crate) struct Offload<'b, 'a, 'r> {
    run: &'a Run<'r>,
    scop: &'b ScopIr<'a>,
    device: &'b Device,
    region: PointerValue<'a>,
    /// Where the bases of arrays would be on the device.
    bases: IndexMap<ArrayId, IntValue<'a>>,
}

impl<'b, 'a, 'r> Offload<'b, 'a, 'r> {
    /// Begins a region where the builder of the arithmetic stands, and gives it its arrays. Goes on to `failed` where there is no GPU.
    pub(crate) fn begin(
        (run, scop): (&'a Run<'r>, &'b ScopIr<'a>),
        device: &'b Device,
        arith: &Arith<'_, 'a>,
        failed: BasicBlock<'a>,
    ) -> Offload<'b, 'a, 'r> {
        let runtime = Runtime::new(run, arith.builder);
        let region = runtime.begin();
        let function = failed.get_parent().expect("a block of a function");
        let begun = run.context().append_basic_block(function, "farkas.begun");
        let is_null = arith.builder.build_is_null(region, "").expect(BUILDS);
        let branch = arith.builder.build_conditional_branch(is_null, failed, begun);
        branch.expect(BUILDS);
        arith.builder.position_at_end(begun);
        let mut bases = IndexMap::new();
        for array in &device.arrays {
            let (first, bytes) = extent(scop, array, arith);
            let base = host_base(scop, array.array, arith);
            let host = arith.builder.build_int_add(base, first, "").expect(BUILDS);
            let pointer = run.context().ptr_type(AddressSpace::default());
            let host = arith.builder.build_int_to_ptr(host, pointer, "").expect(BUILDS);
            let written = match &array.writes {
                Writes::Box(corners) => Some(written_box(scop, (array, corners), first, function, arith)),
                Writes::Nothing | Writes::Some => None,
            };
            let host = HostArray {
                first: host,
                bytes,
                element_bytes: scop.arrays[array.array.0].element_size,
                is_read: array.is_read,
                is_written: !matches!(array.writes, Writes::Nothing),
                written,
            };
            let copy = runtime.array(region, &host);
            let base = arith.builder.build_int_sub(copy, first, "").expect(BUILDS);
            bases.insert(array.array, base);
        }
        Offload {
            run,
            scop,
            device,
            region,
            bases,
        }
    }

    /// Ends the region where the builder stands. Returns whether its results are there.
    pub(crate) fn end(&self, builder: &Builder<'a>) -> IntValue<'a> {
        Runtime::new(self.run, builder).end(self.region)
    }

    /// Makes a kernel of its blocks, and launches it from where they were.
    ///
    /// # Panics
    ///
    /// If that is not possible, although there was no [obstacle](super::obstacle).
    pub(crate) fn launch(&self, launch: &Launch<'a>, builder: &Builder<'a>) {
        let end = launch.blocks.1;
        let function = end.get_parent().expect("a block of a function");
        let shape = KernelShape {
            name: "farkas_kernel",
            processor: &self.device.processor,
            threads: launch.threads,
            has_two_blocks: launch.is_sequential,
        };
        let taken_out = self
            .run
            .take_out_kernel(launch.blocks, (&launch.variables, &launch.shared), shape);
        let code = taken_out.unwrap_or_else(|why| panic!("no kernel: {why}"));
        if let Some(folder) = &self.device.ir_folder {
            save(Path::new(folder), &code.ptx, &code.ir);
        }
        let front = end.get_first_instruction().expect("a block with a terminator");
        builder.position_before(&front);
        let runtime = Runtime::new(self.run, builder);
        let values: Vec<BasicValueEnum<'a>> = code.inputs.iter().map(|input| self.argument(*input, builder)).collect();
        let arguments = self.in_memory(&values, function, builder);
        let number = self.run.context().i32_type();
        let threads = launch
            .threads
            .map(|threads| number.const_int(u64::from(threads), false));
        let sizes: Vec<IntValue<'a>> = launch.grid.into_iter().chain(threads).collect();
        let sizes = list(&sizes, number.into(), function, builder);
        let texts = (
            runtime.text(&code.ptx, "farkas.ptx"),
            runtime.text(shape.name, "farkas.name"),
        );
        runtime.launch(self.region, texts, (sizes, arguments));
    }

    /// What a kernel is given for a value of the host: an address on the device for one in an array.
    fn argument(&self, value: Value<'a>, builder: &Builder<'a>) -> BasicValueEnum<'a> {
        let own = value.basic().expect("a value of a first-class type");
        let BasicValueEnum::PointerValue(pointer) = own else {
            return own;
        };
        let array = array_of(self.scop, value).unwrap_or_else(|| panic!("no kernel: {value} is in no array"));
        let i64 = self.run.context().i64_type();
        let base = base_pointer(self.scop, array);
        let copy = self.bases.get(&array).copied().unwrap_or(i64.const_zero());
        if base == pointer {
            return copy.into();
        }
        let address = |pointer| builder.build_ptr_to_int(pointer, i64, "").expect(BUILDS);
        let distance = builder
            .build_int_sub(address(pointer), address(base), "")
            .expect(BUILDS);
        builder.build_int_add(copy, distance, "").expect(BUILDS).into()
    }

    /// The addresses of variables with these values.
    fn in_memory(
        &self,
        values: &[BasicValueEnum<'a>],
        function: FunctionValue<'a>,
        builder: &Builder<'a>,
    ) -> PointerValue<'a> {
        let store = |value: &BasicValueEnum<'a>| {
            let variable = at_entry(function).build_alloca(value.get_type(), "").expect(BUILDS);
            builder.build_store(variable, *value).expect(BUILDS);
            variable
        };
        let addresses: Vec<PointerValue<'a>> = values.iter().map(store).collect();
        let pointer = self.run.context().ptr_type(AddressSpace::default());
        list(&addresses, pointer.into(), function, builder)
    }
}

/// The address of a list of values in memory.
fn list<'a, V: farkas_llvm::inkwell::values::BasicValue<'a> + Copy>(
    values: &[V],
    ty: BasicTypeEnum<'a>,
    function: FunctionValue<'a>,
    builder: &Builder<'a>,
) -> PointerValue<'a> {
    use farkas_llvm::inkwell::types::BasicType;
    let i64 = function.get_type().get_context().i64_type();
    let length = u32::try_from(values.len()).expect("a short list");
    let list = at_entry(function)
        .build_alloca(ty.array_type(length), "")
        .expect(BUILDS);
    for (index, value) in values.iter().enumerate() {
        let index = i64.const_int(index as u64, false);
        let address = farkas_llvm::edit::element_address(builder, ty, list, index);
        builder.build_store(address, *value).expect(BUILDS);
    }
    list
}

/// The distance of the first accessed byte of an array from its base, and the number of bytes up to the last one.
fn extent<'a>(scop: &ScopIr<'a>, array: &DeviceArray, arith: &Arith<'_, 'a>) -> (IntValue<'a>, IntValue<'a>) {
    let b = arith.builder;
    let element = arith.i64.const_int(scop.arrays[array.array.0].element_size, false);
    let (first, last) = array.elements.positions(arith);
    let [first, last] = [first, last].map(|position| b.build_int_mul(position, element, "").expect(BUILDS));
    let distance = b.build_int_sub(last, first, "").expect(BUILDS);
    let bytes = b.build_int_add(distance, element, "").expect(BUILDS);
    let accessed = arith.condition(&array.elements.accessed);
    let none = arith.i64.const_zero();
    let bytes = b
        .build_select(accessed, bytes, none, "")
        .expect(BUILDS)
        .into_int_value();
    (first, bytes)
}

/// The list of numbers that says which box of an array kernels write, for the [runtime library](super::runtime): the distance of its first
/// byte from the first accessed one, the number of dimensions, and for each how often it repeats what is inside, and at which distance.
fn written_box<'a>(
    scop: &ScopIr<'a>,
    (array, corners): (&DeviceArray, &AccessedElements),
    first_accessed: IntValue<'a>,
    function: FunctionValue<'a>,
    arith: &Arith<'_, 'a>,
) -> PointerValue<'a> {
    let (b, one) = (arith.builder, arith.i64.const_int(1, false));
    let element = arith.i64.const_int(scop.arrays[array.array.0].element_size, false);
    let multiply = |x, y| b.build_int_mul(x, y, "").expect(BUILDS);
    let is_written = arith.condition(&corners.accessed);
    let where_written = |number| {
        let none = arith.i64.const_zero();
        let number = b.build_select(is_written, number, none, "").expect(BUILDS);
        number.into_int_value()
    };
    let (first, _) = corners.positions(arith);
    let distance = b
        .build_int_sub(multiply(first, element), first_accessed, "")
        .expect(BUILDS);
    let mut dims = Vec::new();
    let mut stride = element;
    for dim in (0..corners.first.len()).rev() {
        let [first, last] = [&corners.first, &corners.last].map(|corner| arith.quasi(&corner[dim]));
        let distance = b.build_int_sub(last, first, "").expect(BUILDS);
        let count = where_written(b.build_int_add(distance, one, "").expect(BUILDS));
        let is_innermost = dim + 1 == corners.first.len();
        dims.push(match is_innermost {
            true => [multiply(count, element), one],
            false => [count, stride],
        });
        if let Some(size) = dim.checked_sub(1).and_then(|outer| corners.sizes.get(outer)) {
            stride = multiply(stride, arith.quasi(size));
        }
    }
    let rank = arith.i64.const_int(dims.len() as u64, false);
    let numbers: Vec<IntValue<'a>> = [where_written(distance), rank]
        .into_iter()
        .chain(dims.into_iter().rev().flatten())
        .collect();
    list(&numbers, arith.i64.into(), function, b)
}

/// The base of an array as a number. It may be poison where the array is never accessed.
fn host_base<'a>(scop: &ScopIr<'a>, array: ArrayId, arith: &Arith<'_, 'a>) -> IntValue<'a> {
    let base = base_pointer(scop, array);
    let base = arith.builder.build_ptr_to_int(base, arith.i64, "").expect(BUILDS);
    freeze(arith.builder, base).into_int_value()
}

fn base_pointer<'a>(scop: &ScopIr<'a>, array: ArrayId) -> PointerValue<'a> {
    let base = scop.arrays[array.0].base.pointer().and_then(Value::basic);
    base.expect("a pointer").into_pointer_value()
}

/// Saves a module as IR and as PTX, in files with the hash of its PTX as their name: FNV-1a, in 16 digits. A file that cannot be written
/// is missed by whoever looks for it.
fn save(folder: &Path, ptx: &str, ir: &str) {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = ptx.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step);
    for (extension, text) in [("ll", ir), ("ptx", ptx)] {
        let _ = std::fs::write(folder.join(format!("{hash:016x}.{extension}")), text);
    }
}
