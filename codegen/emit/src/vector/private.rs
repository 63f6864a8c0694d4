//! What each lane has a copy of: scalar slots, and arrays on the stack.
//!
//! ```text
//! for (i)                                   lanes along i: an element is a vector
//!   for (c) t[c] = f(y[i][c]);                for (c) store <8 x double> .., T + 8 * (address of t[c] - t)
//!   for (c) y[i][c] += t[c] * t[2 - c];       for (c) load <8 x double> T + 8 * (address of t[c] - t)
//! ```
//!
//! The copies of an element are next to each other, so that lanes access them at once. What an element takes, all elements take: each access
//! to such an array is to a whole element, at the same place in all lanes.

use farkas_llvm::inkwell::types::{BasicType, BasicTypeEnum, VectorType};
use farkas_llvm::inkwell::values::{FunctionValue, PointerValue};
use farkas_llvm::scop_ir::{ArrayId, IrArray, ScopIr, SlotId};
use farkas_llvm::value::Value;
use indexmap::IndexMap;
use std::cell::RefCell;

use super::lanes::vector_of;
use crate::arith::BUILDS;
use crate::slots::at_entry;

/// The alignment of arrays, in bytes: that of the longest vectors. An access to copies has the alignment of the original's address, of which
/// that of the copies is a multiple.
const ALIGNMENT: u32 = 64;

/// The slots and arrays that each lane has a copy of.
#[derive(Clone, Default)]
pub(crate) struct Private {
    /// Those that are in no array.
    pub(crate) slots: Vec<SlotId>,
    /// Variables on the stack.
    pub(crate) arrays: Vec<ArrayId>,
}

impl Private {
    /// Whether there is nothing to copy.
    pub(crate) fn is_empty(&self) -> bool {
        self.slots.is_empty() && self.arrays.is_empty()
    }

    /// The array that a load or store accesses, if it is one of these.
    pub(super) fn array_of<'a>(&self, scop: &ScopIr<'a>, access: Value<'a>) -> Option<ArrayId> {
        if self.arrays.is_empty() {
            return None;
        }
        scop.array_of(access).filter(|array| self.arrays.contains(array))
    }
}

/// The copies of the lanes, and of each of several jammed iterations.
pub(crate) struct PrivateCopies<'a> {
    function: FunctionValue<'a>,
    slots: RefCell<IndexMap<(SlotId, CopyKey), PointerValue<'a>>>,
    arrays: RefCell<IndexMap<(ArrayId, CopyKey), PointerValue<'a>>>,
    /// All vectors that were made, which are those of slots and what loops keep in registers.
    registers: RefCell<Vec<PointerValue<'a>>>,
}

/// Whose copies they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct CopyKey {
    pub(super) lanes: u32,
    /// The jammed iteration.
    pub(super) copy: u32,
}

impl<'a> PrivateCopies<'a> {
    pub(crate) fn new(function: FunctionValue<'a>) -> Self {
        PrivateCopies {
            function,
            slots: RefCell::default(),
            arrays: RefCell::default(),
            registers: RefCell::default(),
        }
    }

    /// All vectors on the stack so far.
    pub(crate) fn registers(&self) -> Vec<PointerValue<'a>> {
        self.registers.borrow().clone()
    }

    /// All arrays on the stack so far.
    pub(crate) fn arrays(&self) -> Vec<PointerValue<'a>> {
        self.arrays.borrow().values().copied().collect()
    }

    /// The vector on the stack that stands for a slot.
    pub(super) fn slot(&self, scop: &ScopIr<'a>, slot: SlotId, key: CopyKey) -> PointerValue<'a> {
        let own = &scop.slots[slot.0];
        let ty = vector_of(own.ty.inkwell().expect("a first-class type"), key.lanes);
        let make = || self.register(ty, &own.name);
        *self.slots.borrow_mut().entry((slot, key)).or_insert_with(make)
    }

    /// The array on the stack with all copies of a variable.
    pub(super) fn array(&self, scop: &ScopIr<'a>, array: ArrayId, key: CopyKey) -> PointerValue<'a> {
        let own = &scop.arrays[array.0];
        let make = || {
            let ty = type_of_copies(own, key.lanes).expect("a variable on the stack");
            let variable = self.on_stack(ty, &own.name);
            let original = own.base.pointer().and_then(Value::instruction);
            let original = original.expect("a variable on the stack");
            let alignment = original.get_alignment().expect("a variable on the stack");
            let copies = variable.as_instruction().expect("a variable on the stack");
            copies.set_alignment(alignment.max(ALIGNMENT)).expect("a power of two");
            variable
        };
        *self.arrays.borrow_mut().entry((array, key)).or_insert_with(make)
    }

    /// A new vector on the stack, from where SROA takes it.
    pub(super) fn register(&self, ty: VectorType<'a>, name: &str) -> PointerValue<'a> {
        let register = self.on_stack(ty.into(), name);
        self.registers.borrow_mut().push(register);
        register
    }

    /// A new variable in the function's entry block.
    fn on_stack(&self, ty: BasicTypeEnum<'a>, name: &str) -> PointerValue<'a> {
        at_entry(self.function).build_alloca(ty, name).expect(BUILDS)
    }
}

/// The type of so many copies of a variable.
fn type_of_copies<'a>(array: &IrArray<'a>, lanes: u32) -> Option<BasicTypeEnum<'a>> {
    let variable = array.base.pointer()?;
    let count = u32::try_from(variable.allocated_count()?).ok()?;
    let ty = variable.allocated_type()?.inkwell()?;
    Some(ty.array_type(count.checked_mul(lanes)?).into())
}
