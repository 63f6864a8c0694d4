//! Accesses of lanes.
//!
//! The step of the address says how they are made:
//!
//! | step | load | store |
//! |---|---|---|
//! | none | one scalar, for all lanes | has no vector form |
//! | the size of an element | a vector | a vector |
//! | minus the size of an element | a vector, reversed | a vector, reversed |
//! | a few elements | vectors of all elements between, [shuffled](super::strided) | a scalar for each lane |
//! | any other, or an address for each lane | a scalar for each lane | a scalar for each lane |
//!
//! In a block of iterations, what each lane accesses of consecutive elements in all of them is accessed [at
//! once](super::block). Under conditions, only the lanes of a [mask](super::masks) access memory.

use farkas_llvm::inkwell::types::{BasicTypeEnum, VectorType};
use farkas_llvm::inkwell::values::{BasicValueEnum, InstructionValue, IntValue, PointerValue, VectorValue};
use farkas_llvm::scop_ir::ScalarSlot;
use farkas_llvm::types::Type;
use farkas_llvm::value::{Kind, Value};

use super::forms::Form;
use super::lanes::Lanes;
use super::masks::Mask;
use super::shift::{Place as InBody, Prefetch, Shifts, Source};
use crate::arith::BUILDS;

/// What metadata of a scalar access holds for the vector access in its place.
const KEPT_METADATA: [&str; 1] = ["tbaa"];

/// An access of the statement, or to a slot that is in an array.
#[derive(Clone, Copy)]
pub(super) struct Access<'a> {
    /// The load or the store; the store that the slot is mapped to.
    pub(super) original: Value<'a>,
    pub(super) pointer: Value<'a>,
    pub(super) ty: Type<'a>,
    pub(super) is_slot: bool,
}

impl<'a> Access<'a> {
    /// The access of a store.
    pub(super) fn of_store(original: Value<'a>) -> Self {
        let Kind::Store { value, pointer } = original.kind() else {
            unreachable!("{original} is a store")
        };
        Access {
            original,
            pointer,
            ty: value.ty(),
            is_slot: false,
        }
    }

    /// The access to a slot, if it is mapped to a place in an array.
    pub(super) fn to_slot(slot: &ScalarSlot<'a>) -> Option<Self> {
        let original = slot.mapped_to?;
        Some(Access {
            original,
            pointer: original.accessed_pointer()?,
            ty: slot.ty,
            is_slot: true,
        })
    }
}

/// Where the lanes access memory.
pub(super) enum Place<'a> {
    /// At neighbouring elements, from this address up.
    Consecutive(PointerValue<'a>),
    /// At neighbouring elements, the last lane first.
    Reversed(PointerValue<'a>),
    /// At these addresses.
    Scattered(Vec<PointerValue<'a>>),
}

impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    pub(super) fn place(&mut self, access: &Access<'a>) -> Place<'a> {
        let size = self.forms.run.element(access.ty).expect("a lane").size as i64;
        let builder = self.forms.shared.builder;
        let i64 = self.forms.shared.i64;
        if let Some(array) = self.forms.private_array(access.original) {
            return Place::Consecutive(self.copies_of_element(array, access.pointer));
        }
        match self.form(access.pointer) {
            Form::Uniform => unreachable!("lanes access places of their own"),
            Form::Wide if self.is_computed_by_lane(access.pointer) => {
                let lanes = 0..self.lanes;
                let addresses = lanes.map(|lane| self.address_of_lane(access.pointer, lane)).collect();
                Place::Scattered(self.of_active(addresses))
            }
            Form::Wide => {
                let addresses = self.wide(access.pointer);
                let addresses = self.repeated(addresses);
                let lanes = 0..self.lanes;
                Place::Scattered(
                    lanes
                        .map(|lane| self.lane(addresses, lane).into_pointer_value())
                        .collect(),
                )
            }
            Form::Stepped(step) => {
                let first = self.first.value(access.pointer).into_pointer_value();
                match step.as_constant() {
                    Some(step) if step == size => Place::Consecutive(first),
                    Some(step) if step == -size => {
                        let back = i64.const_int((step * i64::from(self.lanes - 1)) as u64, true);
                        Place::Reversed(self.forms.shared.advanced(first, back))
                    }
                    _ => {
                        let step = self.amount(&step);
                        let others = (1..self.lanes).map(|lane| {
                            let lane_number = i64.const_int(u64::from(lane), false);
                            let distance = builder.build_int_mul(step, lane_number, "").expect(BUILDS);
                            let distance = self.if_active(lane, distance.into(), i64.const_zero().into());
                            self.forms.shared.advanced(first, distance.into_int_value())
                        });
                        Place::Scattered(std::iter::once(first).chain(others).collect())
                    }
                }
            }
        }
    }

    /// The addresses of lanes, with that of lane 0 for those that have no iteration.
    pub(super) fn of_active(&self, addresses: Vec<PointerValue<'a>>) -> Vec<PointerValue<'a>> {
        let first = addresses[0];
        let addresses = (0..).zip(addresses);
        let own = addresses.map(|(lane, address)| self.if_active(lane, address.into(), first.into()));
        own.map(BasicValueEnum::into_pointer_value).collect()
    }

    pub(super) fn load(&mut self, access: &Access<'a>) -> VectorValue<'a> {
        let Some((shifts, place)) = self.shifts else {
            return self.load_from_memory(access);
        };
        if let Some(loaded) = shifts.loaded(place, access) {
            return loaded;
        }
        let loaded = match shifts.source(place, access) {
            Some(source) => self.shifted(access, source, (shifts, place)),
            None => self.load_from_memory(access),
        };
        shifts.note(place, access, false, loaded);
        loaded
    }

    /// What a source had for the lanes of a reader. Lanes of other strips are loaded.
    fn shifted(
        &mut self,
        access: &Access<'a>,
        source: Source,
        (shifts, place): (&Shifts<'a>, InBody),
    ) -> VectorValue<'a> {
        let ty = self.vector_type(access.ty);
        let mut at = |vector: usize| match source.iterations {
            0 => match shifts.value(source.access, vector) {
                Some(value) => value,
                // A load of the same statement that comes later.
                None if vector == place.vector => {
                    let mask = self.masks.current.take();
                    let loaded = self.load(&shifts.access(source.access));
                    self.masks.current = mask;
                    loaded
                }
                None => unreachable!("vectors further down come first"),
            },
            age => {
                let register = shifts.register(source.access, vector, age);
                let value = self.forms.shared.builder.build_load(ty, register, "").expect(BUILDS);
                value.into_vector_value()
            }
        };
        let own = at(place.vector);
        if source.lanes == 0 {
            return own;
        }
        let neighbour = match source.lanes > 0 {
            true => place.vector.checked_sub(1),
            false => Some(place.vector + 1).filter(|vector| *vector < shifts.vectors()),
        };
        let neighbour = neighbour.map(at);
        let lanes = i64::from(self.lanes);
        let i32 = self.forms.shared.i64.get_context().i32_type();
        // Lanes of the own vector come first in the pair.
        let from = |lane: i64| match lane - source.lanes {
            own if (0..lanes).contains(&own) => own as u64,
            other => (lanes + other.rem_euclid(lanes)) as u64,
        };
        let mask: Vec<IntValue<'a>> = (0..lanes).map(|lane| i32.const_int(from(lane), false)).collect();
        let other = neighbour.unwrap_or_else(|| ty.get_poison());
        let builder = self.forms.shared.builder;
        let shuffled = builder.build_shuffle_vector(own, other, VectorType::const_vector(&mask), "");
        let mut vector = shuffled.expect(BUILDS);
        if neighbour.is_none() {
            for lane in (0..lanes).filter(|lane| !(0..lanes).contains(&(lane - source.lanes))) {
                vector = match self.masks.current {
                    None => self.insert_loaded(vector, access, (lane as u32, lane as u32)),
                    Some(mask) => self.insert_masked(vector, access, (lane as u32, mask)),
                };
            }
        }
        vector
    }

    /// A vector with what a lane of an access loads in another lane.
    fn insert_loaded(&mut self, vector: VectorValue<'a>, access: &Access<'a>, lanes: (u32, u32)) -> VectorValue<'a> {
        let address = self.address_of_lane(access.pointer, lanes.0);
        let loaded = self.load_at(access, access.ty.inkwell().expect("a first-class type"), address);
        let i32 = self.forms.shared.i64.get_context().i32_type();
        let lane = i32.const_int(u64::from(lanes.1), false);
        let inserted = self.forms.shared.builder.build_insert_element(vector, loaded, lane, "");
        inserted.expect(BUILDS)
    }

    pub(super) fn address_of_lane(&mut self, pointer: Value<'a>, lane: u32) -> PointerValue<'a> {
        match self.form(pointer) {
            Form::Uniform => unreachable!("lanes access places of their own"),
            Form::Wide if self.is_computed_by_lane(pointer) => self.value_of_lane(pointer, lane).into_pointer_value(),
            Form::Wide => {
                let addresses = self.wide(pointer);
                self.lane(addresses, lane).into_pointer_value()
            }
            Form::Stepped(step) => {
                let first = self.first.value(pointer).into_pointer_value();
                let step = self.amount(&step);
                let (builder, i64) = (self.forms.shared.builder, self.forms.shared.i64);
                let lane = i64.const_int(u64::from(lane), false);
                let distance = builder.build_int_mul(step, lane, "").expect(BUILDS);
                self.forms.shared.advanced(first, distance)
            }
        }
    }

    /// Whether an address that differs from lane to lane in no plain way is computed for each lane by itself. In skewed lanes a few values outside of
    /// the loop are enough for rows that take turns, where a vector of addresses would be taken apart in each iteration.
    fn is_computed_by_lane(&self, pointer: Value<'a>) -> bool {
        self.shifts.is_some() && self.forms.reads_nothing(pointer)
    }

    /// Loads a lane of a register before the loop.
    pub(super) fn prefetch(&mut self, prefetch: &Prefetch<'a>) {
        let builder = self.forms.shared.builder;
        let ty = self.vector_type(prefetch.reader.ty);
        let vector = builder.build_load(ty, prefetch.register, "").expect(BUILDS);
        let lanes = (prefetch.lane, prefetch.to);
        let vector = self.insert_loaded(vector.into_vector_value(), &prefetch.reader, lanes);
        builder.build_store(prefetch.register, vector).expect(BUILDS);
    }

    pub(super) fn load_from_memory(&mut self, access: &Access<'a>) -> VectorValue<'a> {
        if let Some(element) = self.kept.element(access) {
            return self.load_kept(access, element);
        }
        if let Some(order) = self.order_in_block(access, false) {
            return self.load_in_block(access, order);
        }
        self.load_lanes(access, self.masks.current, None)
    }

    /// Loads the lanes of a mask; the others are those of `others`, if there are any.
    fn load_lanes(&mut self, access: &Access<'a>, mask: Mask<'a>, others: Option<VectorValue<'a>>) -> VectorValue<'a> {
        if let Some(mask) = mask {
            return self.load_masked(access, mask, others);
        }
        if self.masks.active.is_none()
            && let Some(apart) = self.elements_apart(access)
        {
            return self.load_strided(access, apart);
        }
        let builder = self.forms.shared.builder;
        let ty = self.vector_type(access.ty);
        match self.place(access) {
            Place::Consecutive(_) | Place::Reversed(_) if let Some(active) = self.masks.active => {
                self.load_masked(access, active.mask, others)
            }
            Place::Consecutive(address) => self.load_at(access, ty.into(), address).into_vector_value(),
            Place::Reversed(address) => {
                let loaded = self.load_at(access, ty.into(), address).into_vector_value();
                self.reversed(loaded)
            }
            Place::Scattered(addresses) => {
                let i32 = self.forms.shared.i64.get_context().i32_type();
                let element = access.ty.inkwell().expect("a first-class type");
                let mut vector = ty.get_poison();
                for (lane, address) in addresses.into_iter().enumerate() {
                    let loaded = self.load_at(access, element, address);
                    let lane = i32.const_int(lane as u64, false);
                    let inserted = builder.build_insert_element(vector, loaded, lane, "");
                    vector = inserted.expect(BUILDS);
                }
                vector
            }
        }
    }

    pub(super) fn load_at(
        &self,
        access: &Access<'a>,
        ty: BasicTypeEnum<'a>,
        address: PointerValue<'a>,
    ) -> BasicValueEnum<'a> {
        let loaded = self.forms.shared.builder.build_load(ty, address, "").expect(BUILDS);
        let instruction = Value::from_inkwell(loaded).instruction().expect("a load");
        self.finish(access, instruction);
        loaded
    }

    pub(super) fn store(&mut self, access: &Access<'a>, value: VectorValue<'a>) {
        if let Some((shifts, place)) = self.shifts {
            shifts.note(place, access, true, value);
        }
        if let Some(element) = self.kept.element(access) {
            self.store_kept(element, value);
            return;
        }
        if let Some(order) = self.order_in_block(access, true) {
            self.store_in_block(access, order, value);
            return;
        }
        if let Some(mask) = self.masks.current {
            self.store_masked(access, value, mask);
            return;
        }
        match self.place(access) {
            Place::Consecutive(_) | Place::Reversed(_) if let Some(active) = self.masks.active => {
                self.store_masked(access, value, active.mask);
            }
            Place::Consecutive(address) => self.store_at(access, value.into(), address),
            Place::Reversed(address) => {
                let value = self.reversed(value);
                self.store_at(access, value.into(), address);
            }
            Place::Scattered(addresses) => {
                let value = self.repeated(value);
                for (lane, address) in addresses.into_iter().enumerate() {
                    let value = self.lane(value, lane as u32);
                    self.store_at(access, value, address);
                }
            }
        }
    }

    /// The addresses of scattered lanes.
    pub(super) fn addresses(&mut self, access: &Access<'a>) -> Vec<PointerValue<'a>> {
        match self.place(access) {
            Place::Scattered(addresses) => addresses,
            Place::Consecutive(_) | Place::Reversed(_) => unreachable!("scattered lanes"),
        }
    }

    /// Stores a value for each lane at its address. Those of lanes that have no iteration are the address of lane 0.
    pub(super) fn store_lanes(&self, access: &Access<'a>, addresses: &[PointerValue<'a>], values: &[VectorValue<'a>]) {
        let first = values[0];
        for (lane, (address, value)) in (0..).zip(addresses.iter().zip(values)) {
            let value = self.if_active(lane, (*value).into(), first.into());
            self.store_at(access, value, *address);
        }
    }

    pub(super) fn store_at(&self, access: &Access<'a>, value: BasicValueEnum<'a>, address: PointerValue<'a>) {
        let store = self.forms.shared.builder.build_store(address, value).expect(BUILDS);
        self.finish(access, store);
    }

    /// Gives an access what belongs to the original's. Its alignment holds for every address that an instance accesses.
    fn finish(&self, access: &Access<'a>, new: InstructionValue<'a>) {
        let original = access.original.instruction().expect("a load or a store");
        let alignment = original.get_alignment().expect("a load or a store");
        new.set_alignment(alignment).expect("the alignment of another access");
        self.belongs(access, Value::from_inkwell(new));
    }

    /// Gives an access the original's metadata that holds for vectors, and its location.
    pub(super) fn belongs(&self, access: &Access<'a>, value: Value<'a>) {
        if !access.is_slot {
            for kind in KEPT_METADATA {
                self.forms.run.copy_metadata(access.original, value, kind);
            }
            value.take_location(access.original);
        }
        (self.forms.shared.on_access)(Some(access.original), value);
    }
}
