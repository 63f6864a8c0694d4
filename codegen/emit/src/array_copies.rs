//! Where new code accesses arrays that have [copies](farkas_polyhedral::program::Copies).
//!
//! ```text
//!   t[p]     ->     copies + (q & 31) * size + 8 * p          for the copy of iteration q
//! ```
//!
//! The copies of all arrays are in one piece of memory from the program's allocator. The original runs where that has none, or where sizes are larger
//! than what pays. An address has no part in common with the array's: it is computed from the subscripts that the model has. The size of a copy is an
//! odd number of cache lines, so that elements of the same subscripts are in different sets of a cache.

use farkas_llvm::Run;
use farkas_llvm::edit::byte_offset;
use farkas_llvm::inkwell::attributes::{Attribute, AttributeLoc};
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{FunctionType, IntType};
use farkas_llvm::inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::inkwell::{AddressSpace, IntPredicate};
use farkas_llvm::scop_ir::{ArrayId, Base, IrArray, IrStatement, ScopIr, SlotId, Source, Written};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Expansion, LastValues, NodeSplitting, Program};
use farkas_polyhedral::sets::{Aff, Name, Params, Tuple};
use indexmap::{IndexMap, IndexSet};

use crate::alias_scopes::Aliases;
use crate::arith::BUILDS;
use crate::node_splitting::load_of;
use crate::slots;
use crate::subscripts::{Subscript, Subscripts};

/// The bytes of a cache line, which copies begin at.
const LINE: u64 = 64;

/// The bytes that are allocated at the most, where sizes are not what was expected. It is several times what the plan has in mind, and no size
/// beyond it pays: copies are to stay in a cache.
const MOST_BYTES: u64 = 1 << 24;

/// For each statement and each address that it accesses in an array that has copies, the position of the array, and the subscripts.
type Accesses<'a> = IndexMap<String, IndexMap<Value<'a>, (usize, Vec<Subscript>)>>;

/// The arrays that have copies, and where these are.
pub(crate) struct ArrayCopies<'a> {
    arrays: Vec<CopiedArray<'a>>,
    accesses: Accesses<'a>,
    /// For each copying statement, the position of what it copies to, and the subscripts.
    copied: IndexMap<String, (usize, Vec<Subscript>)>,
    /// The values of parameters.
    params: IndexMap<String, IntValue<'a>>,
    /// What the allocator gave; `None` where there are no such arrays.
    memory: Option<PointerValue<'a>>,
}

struct CopiedArray<'a> {
    /// The array; `None` where copies are of what some statements read of one.
    id: Option<ArrayId>,
    /// The first copy.
    first: PointerValue<'a>,
    /// The bytes of a copy.
    size: IntValue<'a>,
    /// How many copies there are along each new subscript, a power of two.
    copies: Vec<u32>,
    /// For each statement, the new subscripts.
    new: IndexMap<String, Vec<slots::Subscript>>,
    /// The bytes between neighbours along each subscript.
    strides: Vec<IntValue<'a>>,
    last: Option<LastValues>,
}

/// The region and its model.
#[derive(Clone, Copy)]
pub(crate) struct Region<'b, 'a, 'r> {
    pub(crate) run: &'a Run<'r>,
    pub(crate) scop: &'b ScopIr<'a>,
    pub(crate) program: &'b Program,
    pub(crate) aliases: &'b Aliases<'a>,
}

impl<'a> ArrayCopies<'a> {
    /// No array has copies.
    pub(crate) fn none() -> Self {
        ArrayCopies {
            arrays: Vec::new(),
            accesses: IndexMap::new(),
            copied: IndexMap::new(),
            params: IndexMap::new(),
            memory: None,
        }
    }

    /// Allocates the copies where the builder stands. Where that went well, control goes to the first block, which the builder comes to stand in, and
    /// otherwise to the second one.
    pub(crate) fn allocate(
        region: Region<'_, 'a, '_>,
        (expansions, split): (&[Expansion], Option<(&ScopIr<'a>, &NodeSplitting)>),
        (params, values): (&Params, &[IntValue<'a>]),
        (builder, ways): (&Builder<'a>, (BasicBlock<'a>, BasicBlock<'a>)),
    ) -> Self {
        let Region { run, scop, program, .. } = region;
        let i64 = run.context().i64_type();
        let names = params.names().iter().map(|name| name.as_str().to_owned());
        let mut copies = ArrayCopies {
            params: names.zip(values.iter().copied()).collect(),
            ..ArrayCopies::none()
        };
        let number = |value: u64| i64.const_int(value, false);
        let product = |a, b| product(builder, a, b);
        let sum = |a, b| sum(builder, a, b);
        let most = number(MOST_BYTES);
        let is_small = |value| {
            builder
                .build_int_compare(IntPredicate::ULE, value, most, "")
                .expect(BUILDS)
        };
        let both = |a, b| builder.build_and(a, b, "").expect(BUILDS);
        let mut fits = run.context().bool_type().const_all_ones();
        let mut end = number(0);
        let mut begins = Vec::new();
        // The bytes between neighbours along each subscript, and those of a copy, for sizes along all of them, the last one first.
        let mut layout = |copies: &ArrayCopies<'a>, element_size: u64, sizes: &[&Aff]| {
            let mut bytes = number(element_size);
            let mut strides = vec![bytes];
            for size in sizes {
                // No product of two small numbers is beyond 64 bits.
                let size = copies.aff(size, (builder, i64));
                bytes = product(bytes, size);
                fits = both(fits, both(is_small(size), is_small(bytes)));
                strides.insert(0, bytes);
            }
            // The first one is the whole array.
            strides.remove(0);
            let lines = builder.build_right_shift(sum(bytes, number(LINE - 1)), number(LINE.ilog2().into()), false, "");
            let odd = builder.build_or(lines.expect(BUILDS), number(1), "").expect(BUILDS);
            (strides, product(odd, number(LINE)))
        };
        for expansion in expansions {
            let Some(own) = &expansion.copies else { continue };
            let name = expansion.of.name().expect("an array has a name").as_str();
            let id = scop
                .arrays
                .iter()
                .position(|array| array.name == name)
                .expect("an array of the region");
            let inner = program.arrays[&expansion.of].inner_sizes.iter().rev();
            let sizes: Vec<&Aff> = inner.chain([&own.extent]).collect();
            let (strides, size) = layout(&copies, scop.arrays[id].element_size, &sizes);
            // Copies begin less than a line in front of that.
            let begin = sum(end, number(LINE));
            begins.push(begin);
            end = sum(begin, product(size, number(expansion.elements())));
            copies.arrays.push(CopiedArray {
                id: Some(ArrayId(id)),
                first: run.context().ptr_type(AddressSpace::default()).const_null(),
                size,
                copies: expansion.sizes.clone(),
                new: slots::subscripts_of(expansion),
                strides,
                last: own.last.clone(),
            });
        }
        for copy in split.iter().flat_map(|(_, split)| &split.copies) {
            let sizes: Vec<&Aff> = copy.extents.iter().rev().collect();
            let (strides, size) = layout(&copies, program.arrays[&copy.buffer].element_size, &sizes);
            let begin = sum(end, number(LINE));
            begins.push(begin);
            end = sum(begin, product(size, number(copy.count.into())));
            copies.arrays.push(CopiedArray {
                id: None,
                first: run.context().ptr_type(AddressSpace::default()).const_null(),
                size,
                copies: vec![copy.count],
                new: IndexMap::new(),
                strides,
                last: None,
            });
        }
        let memory = allocated(run, (end, both(fits, is_small(end))), builder, ways);
        for (array, begin) in copies.arrays.iter_mut().zip(begins) {
            let address = byte_offset(builder, memory, begin);
            let of = array.id.map(|id| &scop.arrays[id.0]);
            array.first = aligned(region, of, address, builder);
        }
        copies.memory = Some(memory);
        copies.accesses = copies.accesses_of(region);
        if let Some((whole, split)) = split {
            copies.add_copied_reads((whole, split), expansions.len());
        }
        copies
    }

    /// Adds what pieces read in copies, which begin at this position, and what is copied there.
    fn add_copied_reads(&mut self, (whole, split): (&ScopIr<'a>, &NodeSplitting), first: usize) {
        for (position, copy) in split.copies.iter().enumerate() {
            let array = &mut self.arrays[first + position];
            let mut add = |statement: &Tuple, dims: &[usize]| {
                let name = statement.name().expect("a statement has a name").to_string();
                let one = |dim: usize| slots::Subscript::counter(dim, statement.n());
                array.new.insert(name.clone(), vec![one(dims[0])]);
                let subscripts = dims[1..].iter().map(|dim| Subscript::counter(*dim, statement.n()));
                (name, (first + position, subscripts.collect()))
            };
            let dims: Vec<usize> = (0..copy.dims.len()).collect();
            let (name, own) = add(&copy.copy, &dims);
            let pointer = load_of(whole, copy).accessed_pointer().expect("a load");
            let readers = split.pieces[&copy.statement]
                .iter()
                .filter(|piece| piece.copied.contains(&position));
            let readers: Vec<_> = readers.map(|piece| add(&piece.tuple, &copy.dims)).collect();
            for (name, own) in readers {
                self.accesses.entry(name).or_default().insert(pointer, own);
            }
            self.copied.insert(name, own);
        }
    }

    /// Where a copying statement with these counters stores what it loads; `None` for other statements.
    pub(crate) fn copied_to(
        &self,
        statement: &str,
        counters: &[IntValue<'a>],
        at: (&Builder<'a>, IntType<'a>),
    ) -> Option<PointerValue<'a>> {
        let (array, subscripts) = self.copied.get(statement)?;
        let (copy, distance) = self.place((&self.arrays[*array], subscripts), statement, counters, at);
        Some(byte_offset(at.0, copy, distance))
    }

    /// Whether a statement copies what it loads.
    pub(crate) fn is_copying(&self, statement: &str) -> bool {
        self.copied.contains_key(statement)
    }

    /// The accesses of statements to the arrays.
    fn accesses_of(
        &self,
        Region {
            scop, program, aliases, ..
        }: Region<'_, 'a, '_>,
    ) -> Accesses<'a> {
        let subscripts = Subscripts::of(program, scop);
        let mut accesses = Accesses::new();
        for (statement, original, own) in subscripts.all() {
            let array = aliases.array_of(original);
            let position = self
                .arrays
                .iter()
                .position(|copied| copied.id.is_some() && copied.id == array);
            if let (Some(position), Some(pointer)) = (position, original.accessed_pointer()) {
                let of_statement = accesses.entry(statement.to_owned()).or_default();
                of_statement.insert(pointer, (position, own.to_vec()));
            }
        }
        accesses
    }

    /// The memory that they are in.
    pub(crate) fn memory(&self) -> Option<PointerValue<'a>> {
        self.memory
    }

    /// Copies what arrays are left with, and gives the memory back, where the builder stands.
    pub(crate) fn finish(&self, Region { run, scop, .. }: Region<'_, 'a, '_>, builder: &Builder<'a>) {
        let Some(memory) = self.memory else { return };
        let i64 = run.context().i64_type();
        for array in &self.arrays {
            let Some(last) = &array.last else { continue };
            let value = |aff: &Aff| self.aff(aff, (builder, i64));
            let copy: Vec<IntValue<'a>> = last.copy.iter().map(value).collect();
            let stride = array.strides[0];
            let product = |a, b| product(builder, a, b);
            let (first, end) = (value(&last.first), value(&last.end));
            let from = product(first, stride);
            let bytes = product(builder.build_int_sub(end, first, "").expect(BUILDS), stride);
            let source = byte_offset(builder, array.copy(&copy, (builder, i64)), from);
            let id = array.id.expect("an array has last values");
            let target = byte_offset(builder, base_of(&scop.arrays[id.0]), from);
            builder.build_memcpy(target, 1, source, 1, bytes).expect(BUILDS);
        }
        let ty = run.context().void_type();
        let ty = ty.fn_type(&[run.context().ptr_type(AddressSpace::default()).into()], false);
        call(run, ("free", ty), &[memory.into()], builder);
    }

    /// The array, and the subscripts, of an address that a statement accesses in an array that has copies.
    fn access(&self, (statement, pointer): (&str, Value<'a>)) -> Option<(&CopiedArray<'a>, &[Subscript])> {
        let (array, subscripts) = self.accesses.get(statement)?.get(&pointer)?;
        Some((&self.arrays[*array], subscripts))
    }

    /// Whether an address that a statement accesses is in an array that has copies.
    pub(crate) fn has(&self, access: (&str, Value<'a>)) -> bool {
        self.access(access).is_some()
    }

    /// What stands for an address that a statement with these counters accesses: the copy that it is in, and the distance from there in bytes.
    pub(crate) fn address(
        &self,
        (statement, pointer): (&str, Value<'a>),
        counters: &[IntValue<'a>],
        at: (&Builder<'a>, IntType<'a>),
    ) -> Option<(PointerValue<'a>, IntValue<'a>)> {
        let access = self.access((statement, pointer))?;
        Some(self.place(access, statement, counters, at))
    }

    /// The copy that is accessed by a statement with these counters, and the distance from there in bytes.
    fn place(
        &self,
        (array, subscripts): (&CopiedArray<'a>, &[Subscript]),
        statement: &str,
        counters: &[IntValue<'a>],
        at: (&Builder<'a>, IntType<'a>),
    ) -> (PointerValue<'a>, IntValue<'a>) {
        let (builder, i64) = at;
        let new = array.new[statement]
            .iter()
            .map(|subscript| subscript.value(counters, at));
        let copy = array.copy(&new.collect::<Vec<_>>(), at);
        let product = |a, b| product(builder, a, b);
        let sum = |a, b| sum(builder, a, b);
        let mut distance = i64.const_zero();
        for (subscript, stride) in subscripts.iter().zip(&array.strides) {
            let mut value = self.invariant(subscript, i64, builder);
            for (counter, factor) in counters.iter().zip(&subscript.dims) {
                if !factor.is_zero() {
                    value = sum(value, product(*counter, number(i64, factor)));
                }
            }
            distance = sum(distance, product(value, *stride));
        }
        (copy, distance)
    }

    /// How an address moves where the counters of a statement move by so much, within a strip: the sum of bytes times factors. `None` where it is in
    /// no array that has copies.
    pub(crate) fn moved(
        &self,
        (statement, pointer): (&str, Value<'a>),
        moves: &[i64],
    ) -> Option<Vec<(IntValue<'a>, i64)>> {
        let (array, subscripts) = self.access((statement, pointer))?;
        let [new] = &array.new[statement][..] else {
            unreachable!("copies are for the iterations of one loop")
        };
        let within = subscripts.iter().zip(&array.strides).map(|(subscript, stride)| {
            let pairs = subscript.dims.iter().zip(moves);
            let step: i64 = pairs.map(|(factor, by)| small(factor) * by).sum();
            (*stride, step)
        });
        Some(std::iter::once((array.size, new.step(moves))).chain(within).collect())
    }

    /// The part of a subscript that no counter is in.
    fn invariant(&self, subscript: &Subscript, i64: IntType<'a>, builder: &Builder<'a>) -> IntValue<'a> {
        let mut value = number(i64, &subscript.constant);
        for (name, factor) in &subscript.params {
            let term = product(builder, self.params[name.as_str()], number(i64, factor));
            value = sum(builder, value, term);
        }
        value
    }

    /// The value of an expression over the parameters.
    fn aff(&self, aff: &Aff, (builder, i64): (&Builder<'a>, IntType<'a>)) -> IntValue<'a> {
        assert!(
            aff.divs().is_empty() && aff.den().is_one(),
            "a size of copies has no divisions"
        );
        let mut value = number(i64, aff.constant_term());
        for (position, name) in aff.space().params.names().iter().enumerate() {
            let factor = aff.param_coefficient(position);
            if !factor.is_zero() {
                let term = product(builder, self.params[name.as_str()], number(i64, factor));
                value = sum(builder, value, term);
            }
        }
        value
    }
}

impl<'a> CopiedArray<'a> {
    /// The copy of these new subscripts.
    fn copy(&self, subscripts: &[IntValue<'a>], (builder, i64): (&Builder<'a>, IntType<'a>)) -> PointerValue<'a> {
        let mut index = i64.const_zero();
        for (value, size) in subscripts.iter().zip(&self.copies) {
            // The remainder is not negative: two's complement.
            let mask = i64.const_int(u64::from(*size) - 1, false);
            let within = builder.build_and(*value, mask, "").expect(BUILDS);
            let row = product(builder, index, i64.const_int(u64::from(*size), false));
            index = sum(builder, row, within);
        }
        byte_offset(builder, self.first, product(builder, index, self.size))
    }
}

/// The names of the arrays of a region that can have no copies: those of which some access is not known, not to a whole element, or known to be
/// aligned to more than a cache line, those of which an address is used for something else than an access, and buffers that take turns.
pub fn arrays_without_copies<'a>(run: &'a Run<'_>, (scop, program): (&ScopIr<'a>, &Program)) -> Vec<Name> {
    let subscripts = Subscripts::of(program, scop);
    let is_whole = |array: &IrArray<'a>, access: Value<'a>| {
        let is_aligned = alignment(access).is_some_and(|alignment| alignment <= LINE);
        access.is_load_or_store() && run.store_size(access.accessed_type()) == array.element_size && is_aligned
    };
    let is_known = |array: &IrArray<'a>, access: Value<'a>| {
        let is_of = |statement: &&IrStatement<'a>| accesses(scop, statement).any(|(own, _)| own == access);
        let mut users = scop.statements.iter().filter(is_of).peekable();
        let is_used = users.peek().is_some();
        let are_known = users.all(|statement| {
            let mut own = accesses(scop, statement).filter(|(own, _)| *own == access);
            own.all(|(own, writes)| subscripts.get(&statement.name, own, writes).is_some())
        });
        is_used && are_known && is_whole(array, access)
    };
    let escapes = |array: &IrArray<'a>| {
        let mut statements = scop.statements.iter();
        statements.any(|statement| uses_address(scop, statement, array))
    };
    let can_have = |array: &&IrArray<'a>| {
        let mut own = array.accesses.iter();
        let takes_turns = matches!(array.base, Base::Rotation(_));
        !takes_turns && own.all(|access| is_known(array, *access)) && !escapes(array)
    };
    let others = scop.arrays.iter().filter(|array| !can_have(array));
    others.map(|array| Name::from(&array.name[..])).collect()
}

/// Whether something that a statement computes depends on an address that it accesses in an array, but for the access itself.
fn uses_address<'a>(scop: &ScopIr<'a>, statement: &IrStatement<'a>, array: &IrArray<'a>) -> bool {
    let own = accesses(scop, statement).map(|(access, _)| access);
    let own = own.filter(|access| array.accesses.contains(access));
    let addresses: IndexSet<Value<'a>> = own.filter_map(Value::accessed_pointer).collect();
    if addresses.is_empty() {
        return false;
    }
    let operands = |value: Value<'a>| value.operands().into_iter().filter(|operand| operand.is_data());
    let mut open: Vec<Value<'a>> = Vec::new();
    for instruction in &statement.instructions {
        match instruction.kind() {
            // The address of one that is not in the array is computed of others than its addresses.
            Kind::Load { .. } if array.accesses.contains(instruction) => {}
            Kind::Store { value, .. } if array.accesses.contains(instruction) => open.push(value),
            // An address is computed where it is needed.
            _ if addresses.contains(instruction) => {}
            _ if instruction.base_of_offset().is_some() => {}
            _ => open.extend(operands(*instruction)),
        }
    }
    if let [_, _, ..] = statement.blocks[..] {
        let conditions = statement
            .blocks
            .iter()
            .filter_map(|block| block.terminator().condition());
        open.extend(conditions);
    }
    for write in &statement.writes {
        match &write.value {
            Written::Always(value) => open.push(*value),
            Written::From(values) => open.extend(values.iter().map(|(_, value)| *value)),
        }
    }
    let mut seen: IndexSet<Value<'a>> = IndexSet::new();
    while let Some(value) = open.pop() {
        if addresses.contains(&value) {
            return true;
        }
        match scop.source(statement, value) {
            // What is loaded once more is no access of the statement.
            Source::Recomputed if array.accesses.contains(&value) => return true,
            Source::Statement | Source::Recomputed if !value.is_load_or_store() && seen.insert(value) => {
                open.extend(operands(value));
            }
            _ => {}
        }
    }
    false
}

/// The alignment of a load or a store, in bytes.
fn alignment(access: Value<'_>) -> Option<u64> {
    access.instruction()?.get_alignment().ok().map(u64::from)
}

/// The loads and stores of a statement, and the stores that its slots are mapped to, each with whether it writes.
fn accesses<'s, 'a>(
    scop: &'s ScopIr<'a>,
    statement: &'s IrStatement<'a>,
) -> impl Iterator<Item = (Value<'a>, bool)> + use<'s, 'a> {
    let mapped = |slot: SlotId| scop.slots[slot.0].mapped_to;
    let reads = statement
        .reads
        .iter()
        .filter_map(move |(slot, _)| Some((mapped(*slot)?, false)));
    let own = statement.instructions.iter().filter(|i| i.is_load_or_store());
    let own = own.map(|i| (*i, i.is_store()));
    let writes = statement
        .writes
        .iter()
        .filter_map(move |write| Some((mapped(write.slot)?, true)));
    reads.chain(own).chain(writes)
}

/// A product modulo 2^64.
fn product<'a>(builder: &Builder<'a>, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
    match (Value::from_inkwell(a).as_integer(), Value::from_inkwell(b).as_integer()) {
        (Some(1), _) => b,
        (_, Some(1)) => a,
        (Some(0), _) => a,
        (_, Some(0)) => b,
        _ => builder.build_int_mul(a, b, "").expect(BUILDS),
    }
}

/// A sum modulo 2^64.
fn sum<'a>(builder: &Builder<'a>, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
    match (Value::from_inkwell(a).as_integer(), Value::from_inkwell(b).as_integer()) {
        (Some(0), _) => b,
        (_, Some(0)) => a,
        _ => builder.build_int_add(a, b, "").expect(BUILDS),
    }
}

fn small(value: &Int) -> i64 {
    value.to_i64().expect("the arithmetic was found to fit")
}

fn number<'a>(i64: IntType<'a>, value: &Int) -> IntValue<'a> {
    i64.const_int(small(value) as u64, true)
}

/// Memory of so many bytes. Where there is some, and they are not too many, control goes to the first block, which the builder comes to stand in, and
/// otherwise to the second one.
fn allocated<'a>(
    run: &'a Run<'_>,
    (bytes, is_small): (IntValue<'a>, IntValue<'a>),
    builder: &Builder<'a>,
    (there, failed): (BasicBlock<'a>, BasicBlock<'a>),
) -> PointerValue<'a> {
    let context = run.context();
    let pointer = context.ptr_type(AddressSpace::default());
    let small = context.append_basic_block(run.function().inkwell(), "farkas.allocate");
    builder.build_conditional_branch(is_small, small, failed).expect(BUILDS);
    builder.position_at_end(small);
    let ty = pointer.fn_type(&[context.i64_type().into()], false);
    let memory = call(run, ("malloc", ty), &[bytes.into()], builder);
    let memory = memory.expect("an address is returned").into_pointer_value();
    let is_there = builder.build_is_not_null(memory, "").expect(BUILDS);
    let branch = builder.build_conditional_branch(is_there, there, failed);
    Value::from_inkwell(branch.expect(BUILDS)).set_likely();
    builder.position_at_end(there);
    memory
}

/// Less than a line in front of an address, where copies of an array may begin: at the beginning of a line, or, if accesses are known to be aligned to
/// more than an element, where the array itself is in a line.
fn aligned<'a>(
    Region { run, .. }: Region<'_, 'a, '_>,
    array: Option<&IrArray<'a>>,
    address: PointerValue<'a>,
    builder: &Builder<'a>,
) -> PointerValue<'a> {
    let i64 = run.context().i64_type();
    let number = |address| builder.build_ptr_to_int(address, i64, "").expect(BUILDS);
    let is_in_lines = |array: &&IrArray<'a>| {
        let mut alignments = array.accesses.iter().filter_map(|access| alignment(*access));
        alignments.any(|alignment| alignment > array.element_size)
    };
    let distance = match array.filter(is_in_lines) {
        Some(array) => builder
            .build_int_sub(number(address), number(base_of(array)), "")
            .expect(BUILDS),
        None => number(address),
    };
    let beyond = builder
        .build_and(distance, i64.const_int(LINE - 1, false), "")
        .expect(BUILDS);
    byte_offset(builder, address, builder.build_int_neg(beyond, "").expect(BUILDS))
}

/// Where the elements of an array that can have copies are counted from.
fn base_of<'a>(array: &IrArray<'a>) -> PointerValue<'a> {
    let base = array.base.pointer().and_then(Value::basic);
    base.expect("an address").into_pointer_value()
}

/// Calls a function of the allocator.
fn call<'a>(
    run: &'a Run<'_>,
    (name, ty): (&str, FunctionType<'a>),
    arguments: &[BasicMetadataValueEnum<'a>],
    builder: &Builder<'a>,
) -> Option<BasicValueEnum<'a>> {
    let module = run.module();
    let function: FunctionValue<'a> = module
        .get_function(name)
        .unwrap_or_else(|| module.add_function(name, ty, None));
    let pointer = function.as_global_value().as_pointer_value();
    let call = builder.build_indirect_call(ty, pointer, arguments, "").expect(BUILDS);
    let attribute = |name| {
        let kind = Attribute::get_named_enum_kind_id(name);
        run.context().create_enum_attribute(kind, 0)
    };
    call.add_attribute(AttributeLoc::Function, attribute("nounwind"));
    if ty.get_return_type().is_some() {
        call.add_attribute(AttributeLoc::Return, attribute("noalias"));
    }
    call.try_as_basic_value().basic()
}
