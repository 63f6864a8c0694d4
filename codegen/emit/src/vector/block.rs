//! Which accesses of a statement are made for a block of iterations at once.
//!
//! In a block, the loop around the lanes is unrolled. A `block` mark names arrays of which no two instances of the loop
//! access the same element if one of them writes it. Their accesses can be made for all iterations at once, if
//!
//! - the elements of the lanes are apart, and those of neighbouring iterations follow each other in memory;
//! - the address depends on nothing that is read from memory, but for addresses of rows;
//! - the statement loads nothing of the array after it stores to it, and stores to it once;
//! - it is under no condition.

use farkas_llvm::inkwell::values::{PointerValue, VectorValue};
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::{Kind, Value};
use indexmap::IndexMap;

use super::accesses::Access;
use super::forms::{Form, Forms};
use super::lanes::{Lanes, vector_of};
use super::transpose;

/// The direction in which iterations go through memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Forward,
    Backward,
}

/// The accesses of a statement that are made for all iterations of a block at once, and what is at hand of them.
pub(super) struct InBlock<'a> {
    pub(super) iterations: u32,
    /// By the original, and whether it writes.
    pub(super) accesses: IndexMap<(Value<'a>, bool), Order>,
    /// What was loaded, for each iteration.
    pub(super) loaded: IndexMap<Value<'a>, Vec<VectorValue<'a>>>,
    /// What iterations so far have to store.
    pub(super) stored: IndexMap<Value<'a>, Vec<VectorValue<'a>>>,
}

impl<'a> InBlock<'a> {
    /// The accesses to make at once of a statement with these forms along the lanes, and along the loop around.
    /// `array_of` is the array of an original, if the mark names it.
    pub(super) fn of(
        lanes: &mut Forms<'_, '_, 'a, '_>,
        inner: &mut Forms<'_, '_, 'a, '_>,
        iterations: u32,
        array_of: &dyn Fn(Value<'a>) -> Option<ArrayId>,
    ) -> Self {
        let accesses = accesses(lanes);
        let mut at_once = IndexMap::new();
        for (position, (access, writes)) in accesses.iter().enumerate() {
            let Some(array) = array_of(access.original) else {
                continue;
            };
            if lanes.conditions.govern_access(access) {
                continue;
            }
            let own = accesses.iter().enumerate();
            let own = own.filter(|(_, (other, _))| array_of(other.original) == Some(array));
            let stores: Vec<usize> = own.clone().filter(|(_, (_, w))| *w).map(|(p, _)| p).collect();
            let loads_after_store = own
                .filter(|(p, (_, w))| !w && stores.iter().any(|store| store < p))
                .count()
                > 0;
            if loads_after_store || *writes && stores != [position] {
                continue;
            }
            if let Some(order) = order(access, lanes, inner) {
                at_once.insert((access.original, *writes), order);
            }
        }
        InBlock {
            iterations,
            accesses: at_once,
            loaded: IndexMap::new(),
            stored: IndexMap::new(),
        }
    }
}

/// The accesses to arrays of a statement in the order in which they are emitted, each with whether it writes.
pub(super) fn accesses<'a>(forms: &Forms<'_, '_, 'a, '_>) -> Vec<(Access<'a>, bool)> {
    let (statement, scop) = (forms.statement, forms.shared.scop);
    let of_slot = |slot: farkas_llvm::scop_ir::SlotId| Access::to_slot(&scop.slots[slot.0]);
    let reads = statement.reads.iter().filter_map(|(slot, _)| of_slot(*slot));
    let mut accesses: Vec<(Access<'a>, bool)> = reads.map(|access| (access, false)).collect();
    for original in statement.instructions.iter().copied() {
        let (pointer, ty, writes) = match original.kind() {
            Kind::Load { pointer } => (pointer, original.ty(), false),
            Kind::Store { value, pointer } => (pointer, value.ty(), true),
            _ => continue,
        };
        let is_slot = false;
        if forms.conditions.last_joined(original).is_some() {
            continue;
        }
        accesses.push((
            Access {
                original,
                pointer,
                ty,
                is_slot,
            },
            writes,
        ));
    }
    let late = statement.instructions.iter().copied();
    let late = late.filter(|i| forms.conditions.last_joined(*i) == Some(*i));
    accesses.extend(late.map(|store| (Access::of_store(store), true)));
    let writes = statement.writes.iter().filter_map(|write| of_slot(write.slot));
    accesses.extend(writes.map(|access| (access, true)));
    accesses
}

/// How iterations of the inner loop go through what an access accesses, if the elements of lanes are apart.
fn order<'a>(
    access: &Access<'a>,
    lanes: &mut Forms<'_, '_, 'a, '_>,
    inner: &mut Forms<'_, '_, 'a, '_>,
) -> Option<Order> {
    let size = lanes.run.element(access.ty)?.size as i64;
    if !lanes.run.is_lane(access.ty) || !inner.reads_nothing(access.pointer) {
        return None;
    }
    match lanes.form(access.pointer)? {
        Form::Stepped(step) if step.as_constant().is_none_or(|step| step.abs() != size) => {}
        // Lanes are in rows of their own.
        Form::Wide => {}
        _ => return None,
    }
    match inner.form(access.pointer)? {
        Form::Stepped(step) if step.as_constant() == Some(size) => Some(Order::Forward),
        Form::Stepped(step) if step.as_constant() == Some(-size) => Some(Order::Backward),
        _ => None,
    }
}

/// Accesses of lanes in a block.
impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    /// How an access goes through a block, if it is made for all iterations at once.
    pub(super) fn order_in_block(&self, access: &Access<'a>, writes: bool) -> Option<Order> {
        let (_, block) = self.block.as_ref()?;
        block.accesses.get(&(access.original, writes)).copied()
    }

    /// The bits of an element, and the bytes from the first to the last one that a lane accesses in a block.
    fn extent(&self, access: &Access<'a>, iterations: u32) -> (u32, i64) {
        let size = self.forms.run.element(access.ty).expect("a lane").size;
        (8 * size as u32, (size * u64::from(iterations - 1)) as i64)
    }

    /// The addresses of a vector access for each lane, some bytes from where the lane accesses memory in this
    /// iteration.
    fn rows(&mut self, access: &Access<'a>, bytes: i64) -> Vec<PointerValue<'a>> {
        let addresses = self.addresses(access);
        let i64 = self.forms.shared.i64;
        let moved = |address| self.forms.shared.advanced(address, i64.const_int(bytes as u64, true));
        match bytes {
            0 => addresses,
            _ => addresses.into_iter().map(moved).collect(),
        }
    }

    /// What an iteration loads, where the first one does so for all of them.
    pub(super) fn load_in_block(&mut self, access: &Access<'a>, order: Order) -> VectorValue<'a> {
        let (index, iterations) = self.in_block(|index, block| (index, block.iterations));
        if index == 0 {
            let (bits, extent) = self.extent(access, iterations);
            let addresses = self.rows(access, if order == Order::Forward { 0 } else { -extent });
            let row = vector_of(access.ty.inkwell().expect("a first-class type"), iterations);
            let load = |address| self.load_at(access, row.into(), address).into_vector_value();
            let rows: Vec<VectorValue<'a>> = addresses.into_iter().map(load).collect();
            let mut columns = transpose::columns(self.forms.shared.builder, &rows, bits);
            if order == Order::Backward {
                columns.reverse();
            }
            self.in_block(|_, block| block.loaded.insert(access.original, columns));
        }
        self.in_block(|index, block| block.loaded[&access.original][index as usize])
    }

    /// Stores what all iterations do in the last one.
    pub(super) fn store_in_block(&mut self, access: &Access<'a>, order: Order, value: VectorValue<'a>) {
        let (is_last, mut columns) = self.in_block(|index, block| {
            let columns = block.stored.entry(access.original).or_default();
            columns.push(value);
            let is_last = index + 1 == block.iterations;
            (is_last, if is_last { std::mem::take(columns) } else { Vec::new() })
        });
        if !is_last {
            return;
        }
        let (bits, extent) = self.extent(access, columns.len() as u32);
        let addresses = self.rows(access, if order == Order::Forward { -extent } else { 0 });
        if order == Order::Backward {
            columns.reverse();
        }
        let rows = transpose::rows(self.forms.shared.builder, &columns, bits);
        self.store_lanes(access, &addresses, &rows);
    }

    fn in_block<T>(&mut self, with: impl FnOnce(u32, &mut InBlock<'a>) -> T) -> T {
        let (index, block) = self.block.as_mut().expect("an access in a block");
        with(*index, block)
    }
}
