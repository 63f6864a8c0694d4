//! Packed tiles: buffers on the stack, the copies into them, and what is read there.
//!
//! The subscripts of a statement in a buffer are its counters modulo sizes of tiles. LLVM's scalar evolution has no steps for
//! those. As all that is accessed between two runs of the copies is of one tile, they are distances from where the tile begins, which
//! the first iteration of the innermost loop says:
//!
//! ```text
//! for (j = lower; ..)     P[k & 31][j - (lower & ~127)]
//! ```
//!
//! The rows of a register tile are constants: `8 * c + 3` is row 3.

use farkas_llvm::edit::element_address;
use farkas_llvm::inkwell::types::{ArrayType, BasicType, BasicTypeEnum};
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use farkas_llvm::scop_ir::{IrStatement, ScopIr};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::ast::{Call, Expr, IterId, Node};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{PackedDim, PackedTile};
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::Mark;
use std::rc::Rc;

use super::Emitter;
use super::packed_operands::operands_of;
use super::subtree::for_each_mark;
use crate::alias_scopes::{Aliases, Instances};
use crate::arith::{Arith, BUILDS};
use crate::slots::at_entry;
use crate::statement::basic_type;

/// The alignment of buffers, in bytes: that of a cache line.
const ALIGNMENT: u32 = 64;

/// Where subscripts in buffers are evaluated: by the iterators around, and with the last one of these and its first value.
pub(super) struct At<'s, 'a> {
    pub(super) arith: Arith<'s, 'a>,
    pub(super) innermost: Option<(IterId, IntValue<'a>)>,
}

/// The buffer of a tile.
#[derive(Clone)]
pub(super) struct Buffer<'b, 'a> {
    pub(super) tile: &'b PackedTile,
    /// A load of the array, and its statement.
    load: (&'b IrStatement<'a>, Value<'a>),
    pub(super) ty: BasicTypeEnum<'a>,
    address: PointerValue<'a>,
    /// The distance of its rows, in elements.
    pub(super) row: u64,
    /// The distance of its slots, in elements.
    slot: u64,
    /// The bytes of an element of the array.
    element_size: u64,
    /// What it has is the value of the last of these, if there are any, and not that of the load.
    operands: Vec<Value<'a>>,
}

/// Where buffers are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// On the stack, all at the same address: no `pack` mark is inside of another one, and each copies anew what is read below it. Each thread has
    /// its own.
    Stack,
    /// In memory that the threads of a block share. Rows are longer than their tile, so that elements of neighbouring rows are in different
    /// banks. Each row begins where a thread may load 16 bytes at once, if elements have 4 bytes or more.
    Shared,
}

impl Place {
    /// The distance of rows in a buffer, as one of neighbours along each dimension but the last one.
    fn row(self, tile: &PackedTile) -> u64 {
        let elements = tile.dims.last().map_or(1, |dim| u64::from(dim.size));
        match self {
            Place::Stack => elements,
            Place::Shared => elements + PackedTile::SHARED_PADDING,
        }
    }

    /// The elements that there is room for.
    fn elements(self, tile: &PackedTile) -> u64 {
        let rows: u64 = tile.dims.iter().rev().skip(1).map(|dim| u64::from(dim.size)).product();
        rows * self.row(tile)
    }
}

impl<'a> Buffer<'_, 'a> {
    /// Its address.
    pub(super) fn address(&self) -> PointerValue<'a> {
        self.address
    }

    /// Its size, where it has a single slot.
    fn bytes(&self) -> u64 {
        self.slot * self.element_size
    }

    /// What is computed of an element where it is copied.
    pub(super) fn operands(&self) -> &[Value<'a>] {
        &self.operands
    }

    /// The statement that the load is of.
    pub(super) fn statement(&self) -> &IrStatement<'a> {
        self.load.0
    }

    /// A load of the array.
    pub(super) fn load(&self) -> Value<'a> {
        self.load.1
    }

    /// The alignment of loads of the array, in bytes.
    pub(super) fn load_alignment(&self) -> Option<u32> {
        self.load().instruction()?.get_alignment().ok()
    }

    /// Whether neighbours in the array are so many bytes apart, and neighbours in the buffer, too. The last subscript of an array on a device
    /// counts elements: there is no strided one.
    pub(super) fn has_neighbours(&self, bytes: u64) -> bool {
        self.element_size == bytes && !self.is_transposed()
    }

    /// Whether neighbours in the array are apart in the buffer.
    pub(super) fn is_transposed(&self) -> bool {
        let last = self.tile.dims.last();
        last.is_some_and(|dim| dim.of_array + 1 != self.tile.array.n())
    }
}

/// What a buffer is for.
pub(super) struct Use {
    /// How many tiles it has.
    pub(super) slots: u32,
    /// Whether it has what a statement computes of an element alone, in place of the element.
    pub(super) has_operands: bool,
}

/// Makes room for the buffers in the function's entry block.
pub(super) fn buffers<'b, 'a>(
    (scop, aliases): (&'b ScopIr<'a>, &Aliases<'a>),
    packed: &'b [PackedTile],
    (place, use_of): (Place, &dyn Fn(&Name) -> Use),
    function: FunctionValue<'a>,
) -> Vec<Buffer<'b, 'a>> {
    let with_load = |tile: &'b PackedTile| (tile, load_of(scop, aliases, tile).expect("a packed array is read"));
    let loads: Vec<_> = packed.iter().map(with_load).collect();
    let element_size = |load: Value<'a>| {
        let array = aliases.array_of(load).expect("a load of an array");
        scop.arrays[array.0].element_size
    };
    let bytes = |(tile, (_, load)): &(&PackedTile, (&IrStatement<'a>, Value<'a>))| {
        let size = element_size(*load);
        place.elements(tile) * size
    };
    let room = |tile: &PackedTile, load: Value<'a>| {
        let elements = place.elements(tile) * u64::from(use_of(&tile.buffer).slots);
        let elements = u32::try_from(elements).expect("a small buffer");
        array_at_entry(function, basic_type(load).array_type(elements), tile.buffer.as_str())
    };
    let largest = loads.iter().max_by_key(|load| bytes(load));
    let common = largest
        .filter(|_| place == Place::Stack)
        .map(|(tile, (_, load))| room(tile, *load));
    let buffer = |(tile, load): (&'b PackedTile, (&'b IrStatement<'a>, Value<'a>))| Buffer {
        tile,
        load,
        ty: basic_type(load.1),
        row: place.row(tile),
        slot: place.elements(tile),
        element_size: element_size(load.1),
        operands: match use_of(&tile.buffer).has_operands && is_only_load((scop, aliases), tile, load.0) {
            true => operands_of(scop, load.0, load.1),
            false => Vec::new(),
        },
        address: common.unwrap_or_else(|| room(tile, load.1)),
    };
    loads.into_iter().map(buffer).collect()
}

/// Room in the function's entry block.
fn array_at_entry<'a>(function: FunctionValue<'a>, ty: ArrayType<'a>, name: &str) -> PointerValue<'a> {
    let address = at_entry(function).build_alloca(ty, name).expect(BUILDS);
    let alloca = address.as_instruction().expect("an instruction");
    alloca.set_alignment(ALIGNMENT).expect("the alignment of a variable");
    address
}

/// A load of the array of a tile, and its statement.
fn load_of<'b, 'a>(
    scop: &'b ScopIr<'a>,
    aliases: &Aliases<'a>,
    tile: &PackedTile,
) -> Option<(&'b IrStatement<'a>, Value<'a>)> {
    let mut statements = scop.statements.iter().filter(|statement| is_read_by(tile, statement));
    statements.find_map(|statement| {
        let mut loads = statement
            .instructions
            .iter()
            .filter(|i| reads(scop, aliases, tile, **i));
        Some((statement, *loads.next()?))
    })
}

/// Whether a statement is the only one that reads a tile, and loads one element of the array.
fn is_only_load<'a>(
    (scop, aliases): (&ScopIr<'a>, &Aliases<'a>),
    tile: &PackedTile,
    statement: &IrStatement<'a>,
) -> bool {
    let loads = statement
        .instructions
        .iter()
        .filter(|i| reads(scop, aliases, tile, **i));
    tile.along.len() == 1 && loads.count() == 1
}

fn is_read_by(tile: &PackedTile, statement: &IrStatement<'_>) -> bool {
    let mut names = tile.along.keys().filter_map(|tuple| tuple.name());
    names.any(|name| name.as_str() == statement.name)
}

/// Whether an instruction is a load of the array of a tile.
fn reads<'a>(scop: &ScopIr<'a>, aliases: &Aliases<'a>, tile: &PackedTile, instruction: Value<'a>) -> bool {
    let of_array = |id: farkas_llvm::scop_ir::ArrayId| {
        let name = tile.array.name().expect("an array has a name");
        scop.arrays[id.0].name == name.as_str()
    };
    matches!(instruction.kind(), Kind::Load { .. }) && aliases.array_of(instruction).is_some_and(of_array)
}

impl<'b, 'a> Emitter<'b, 'a, '_> {
    /// The bytes of the largest buffer that is filled in a node, which all of them are in.
    pub(super) fn bytes_of_buffers(&self, node: &Node) -> Option<u64> {
        let filled = filled_in(node);
        let own = self
            .buffers
            .iter()
            .filter(|buffer| filled.contains(&buffer.tile.buffer));
        own.map(Buffer::bytes).max()
    }

    /// The buffers where a node runs on threads: each thread has its own of those that are filled there.
    pub(super) fn buffers_of_threads(&self, node: &Node) -> Rc<[Buffer<'b, 'a>]> {
        let filled = filled_in(node);
        let own = self.bytes_of_buffers(node).map(|bytes| {
            let bytes = u32::try_from(bytes).expect("a small buffer");
            let own = array_at_entry(
                self.function,
                self.run.context().i8_type().array_type(bytes),
                "farkas.packed",
            );
            self.make_private(own);
            own
        });
        let buffer = |buffer: &Buffer<'b, 'a>| match own {
            Some(address) if filled.contains(&buffer.tile.buffer) => Buffer {
                address,
                ..buffer.clone()
            },
            _ => buffer.clone(),
        };
        self.buffers.iter().map(buffer).collect()
    }

    /// The buffer that a call copies an element into, if it is no statement of the region.
    pub(super) fn copied_into(&self, call: &Call) -> Option<&Buffer<'b, 'a>> {
        self.buffers.iter().find(|buffer| buffer.tile.copy_in == call.statement)
    }

    /// Copies an element into a buffer.
    pub(super) fn copy_in(&self, call: &Call, buffer: &Buffer<'b, 'a>) {
        let (_, load) = buffer.load;
        let first = call.arguments.len() - buffer.tile.array.n();
        let element = |dim: &PackedDim| &call.arguments[first + dim.of_array];
        let dims = buffer.tile.dims.iter();
        let counters: Vec<_> = dims.map(|dim| self.counter(element(dim), dim.offset)).collect();
        self.instances.replace(Instances::default());
        let pointer = self.array_address(buffer, &counters);
        let value = self.builder.build_load(buffer.ty, pointer, "").expect(BUILDS);
        let loaded = Value::from_inkwell(value);
        let alignment = load.instruction().and_then(|load| load.get_alignment().ok());
        if let (Some(loaded), Some(alignment)) = (loaded.instruction(), alignment) {
            loaded.set_alignment(alignment).expect("the alignment of another load");
        }
        self.on_access(Some(load), loaded);
        let subscripts: Vec<(&Expr, i64)> = buffer.tile.dims.iter().map(|dim| (element(dim), dim.offset)).collect();
        let place = self.place(&self.here(), buffer, &subscripts);
        let value = self.computed_operand(buffer, value);
        let store = self.builder.build_store(place, value).expect(BUILDS);
        self.accessed_buffer(Value::from_inkwell(store));
        self.body.borrow_mut().instances += 1;
    }

    /// The address of the element of an array with these counters along the dimensions of its buffer: that of any instance that reads it.
    pub(super) fn array_address(&self, buffer: &Buffer<'b, 'a>, counters: &[IntValue<'a>]) -> PointerValue<'a> {
        let (statement, load) = buffer.load;
        let along = &buffer.tile.along.values().next().expect("a statement reads the array");
        let mut all = vec![self.i64.const_zero(); statement.loops.len()];
        for (counter, along) in counters.iter().zip(along.iter()) {
            all[*along] = *counter;
        }
        let on_access = |original: Option<Value<'a>>, clone: Value<'a>| self.on_access(original, clone);
        let statements = self.statements(&on_access);
        let mut instance = statements.begin(statement, &all);
        instance.speculate(&statement.blocks.iter().copied().collect(), &Default::default());
        let pointer = load.accessed_pointer().expect("a load");
        instance.value(pointer).into_pointer_value()
    }

    /// What a call's statement has of a value in a buffer around it, if it is there. Of a load that only such a value is computed of, it is
    /// that value, too: nothing else uses it.
    pub(super) fn read_in_buffer(&self, at: &At<'_, 'a>, call: &Call, value: Value<'a>) -> Option<BasicValueEnum<'a>> {
        let buffer = self.buffer_of(self.statement_of(call), value)?;
        let along = &buffer.tile.along[&call.statement];
        let subscripts: Vec<(&Expr, i64)> = along.iter().map(|dim| (&call.arguments[*dim], 0)).collect();
        let place = self.place(at, buffer, &subscripts);
        let value = self.builder.build_load(basic_type(value), place, "").expect(BUILDS);
        self.accessed_buffer(Value::from_inkwell(value));
        Some(value)
    }

    /// Reads in buffers for lanes. The last loop around is given with its first value, if it is known.
    pub(super) fn read_for_lanes(
        &self,
        innermost: Option<(IterId, IntValue<'a>)>,
    ) -> impl Fn(&Arith<'_, 'a>, &Call, Value<'a>) -> Option<BasicValueEnum<'a>> {
        move |arith, call, value| {
            self.read_in_buffer(
                &At {
                    arith: *arith,
                    innermost,
                },
                call,
                value,
            )
        }
    }

    /// Whether a statement reads what it loads in a buffer around it.
    pub(super) fn is_in_buffer(&self, statement: &IrStatement<'a>, load: Value<'a>) -> bool {
        self.buffer_of(statement, load).is_some()
    }

    /// The buffer around a statement that it reads a value in.
    fn buffer_of(&self, statement: &IrStatement<'a>, value: Value<'a>) -> Option<&Buffer<'b, 'a>> {
        let mut around = self
            .buffers
            .iter()
            .filter(|buffer| self.packed.contains(&buffer.tile.buffer));
        around.find(|buffer| {
            let is_of_array = || reads(self.scop, self.aliases, buffer.tile, value);
            is_read_by(buffer.tile, statement) && (buffer.operands.contains(&value) || is_of_array())
        })
    }

    /// Where the builder stands.
    pub(super) fn here(&self) -> At<'_, 'a> {
        At {
            arith: self.arith(),
            innermost: self.innermost,
        }
    }

    /// A counter of the statement: an expression without an offset.
    pub(super) fn counter(&self, expression: &Expr, offset: i64) -> IntValue<'a> {
        self.without_offset(self.arith().expr(expression), offset)
    }

    fn without_offset(&self, value: IntValue<'a>, offset: i64) -> IntValue<'a> {
        match offset {
            0 => value,
            _ => {
                let offset = self.i64.const_int(offset as u64, true);
                self.builder.build_int_nsw_sub(value, offset, "").expect(BUILDS)
            }
        }
    }

    /// The address in a buffer of the element with these counters, each an expression and its offset.
    fn place(&self, at: &At<'_, 'a>, buffer: &Buffer<'b, 'a>, counters: &[(&Expr, i64)]) -> PointerValue<'a> {
        let mut index = self.i64.const_zero();
        let last = buffer.tile.dims.len() - 1;
        for (position, ((expression, offset), dim)) in counters.iter().zip(&buffer.tile.dims).enumerate() {
            let within = self.within_tile(at, expression, *offset, dim.size);
            let size = match position == last {
                true => buffer.row,
                false => u64::from(dim.size),
            };
            let size = self.i64.const_int(size, false);
            let row = self.builder.build_int_nsw_mul(index, size, "").expect(BUILDS);
            index = self.builder.build_int_nsw_add(row, within, "").expect(BUILDS);
        }
        let first = match self.slot_read(&buffer.tile.buffer) {
            Some(slot) => self.slot_address(buffer, slot),
            None => buffer.address,
        };
        element_address(self.builder, buffer.ty, first, index)
    }

    /// The address of a slot of a buffer.
    pub(super) fn slot_address(&self, buffer: &Buffer<'b, 'a>, slot: IntValue<'a>) -> PointerValue<'a> {
        let size = self.i64.const_int(buffer.slot, false);
        let index = self.builder.build_int_nsw_mul(slot, size, "").expect(BUILDS);
        element_address(self.builder, buffer.ty, buffer.address, index)
    }

    /// The distance of a counter from where its tile of so many values begins.
    fn within_tile(&self, at: &At<'_, 'a>, expression: &Expr, offset: i64, size: u32) -> IntValue<'a> {
        let constant = || distance_in_tile(expression, offset, size).map(|distance| at.arith.constant(&distance));
        if let Some(distance) = self.within_tile_of_block(expression, offset, size).or_else(constant) {
            return distance;
        }
        let size = Int::from(size);
        let counter = self.without_offset(at.arith.expr(expression), offset);
        let Some((iter, lower)) = at.innermost.filter(|(iter, _)| expression.mentions(*iter)) else {
            return at.arith.floor_mod(counter, &size);
        };
        let mut iters = at.arith.iters.to_vec();
        iters[iter.0] = Some(lower);
        let first = Arith {
            iters: &iters,
            ..at.arith
        };
        let first = self.without_offset(first.expr(expression), offset);
        let begin = self
            .builder
            .build_int_nsw_sub(first, at.arith.floor_mod(first, &size), "");
        self.builder
            .build_int_nsw_sub(counter, begin.expect(BUILDS), "")
            .expect(BUILDS)
    }

    /// Sees to what belongs to an access to a buffer, which is no array of the program.
    pub(super) fn accessed_buffer(&self, access: Value<'a>) {
        self.on_access(None, access);
        if let Some(group) = *self.groups.borrow() {
            self.run.add_access_group(access, group);
        }
    }
}

/// The names of the buffers that are filled in a node.
fn filled_in(node: &Node) -> Vec<Name> {
    let mut filled = Vec::new();
    for_each_mark(node, &mut |mark, _| {
        if let Mark::Pack { buffer, .. } = mark {
            filled.push(buffer.clone());
        }
    });
    filled
}

/// The distance of a counter from where its tile begins, if that is the same in all tiles.
fn distance_in_tile(expression: &Expr, offset: i64, size: u32) -> Option<Int> {
    let counter = expression.as_quasi()?.clone().plus(-offset);
    let size = Int::from(size);
    let mut terms = counter.terms().iter();
    let is_constant = terms.all(|(_, factor)| factor.divisible_by(&size));
    is_constant.then(|| counter.constant_term().mod_floor(&size))
}
