//! Accesses of the lanes of a [mask](super::masks).
//!
//! Only lanes that are on access memory:
//!
//! | lanes | load and store |
//! |---|---|
//! | next to each other | of a vector, by the mask |
//! | apart | gather and scatter, by the mask |
//! | all at one address | the first lane of a vector, if any lane is on; all of a vector of the program's; no store |
//!
//! Where lanes have no iteration, accesses that are apart do not take masks: these lanes repeat lane 0. They load what it loads, and store
//! what it stores once more.
//!
//! An element that [stays in a register](super::keep) may be accessed under conditions only. Then nothing is known to be there before
//! the loop, and it is not known to be written behind it. Beside the register there is a mask of the lanes that hold their element,
//! which are loaded where they are first needed, and one of those that are to be stored back.

use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::types::{BasicTypeEnum, VectorType};
use farkas_llvm::inkwell::values::{BasicValueEnum, PointerValue, VectorValue};
use farkas_llvm::value::Value;
use farkas_llvm::vector::{Lanes as At, Masked};

use super::accesses::{Access, Place};
use super::forms::Form;
use super::keep::Element;
use super::lanes::{Lanes, splat};
use super::masks::any_lane;
use crate::arith::BUILDS;

impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    /// An access to these places: the alignment is that of every element.
    fn masked(&self, access: &Access<'a>, place: At<'a>, mask: VectorValue<'a>) -> Masked<'a> {
        let original = access.original.instruction().expect("a load or a store");
        let own = original.get_alignment().expect("a load or a store");
        let size = self.forms.run.element(access.ty).expect("a lane").size;
        Masked {
            place,
            // More may be true only where the access is executed.
            alignment: own.min(size as u32),
            mask,
        }
    }

    /// One of two values, by whether a lane has an iteration.
    pub(super) fn if_active(&self, lane: u32, on: BasicValueEnum<'a>, off: BasicValueEnum<'a>) -> BasicValueEnum<'a> {
        let Some(active) = self.masks.active.filter(|_| lane > 0) else {
            return on;
        };
        let (builder, i64) = (self.forms.shared.builder, self.forms.shared.i64);
        let lane = i64.const_int(u64::from(lane), false);
        let is_active = builder.build_int_compare(IntPredicate::UGT, active.count, lane, "");
        builder
            .build_select(is_active.expect(BUILDS), on, off, "")
            .expect(BUILDS)
    }

    /// The vector with the value of lane 0 in all lanes that have no iteration.
    pub(super) fn repeated(&self, vector: VectorValue<'a>) -> VectorValue<'a> {
        match self.masks.active {
            None => vector,
            Some(active) => self.choice(active.mask, vector, self.splat(self.lane(vector, 0))),
        }
    }

    /// The addresses of all lanes.
    fn all_addresses(&mut self, access: &Access<'a>) -> At<'a> {
        let builder = self.forms.shared.builder;
        match self.form(access.pointer) {
            Form::Stepped(step) => {
                let first = self.first.value(access.pointer).into_pointer_value();
                let distances = self.distances(self.amount(&step));
                At::at_distances(builder, first, distances)
            }
            _ => At::Scattered(self.wide(access.pointer)),
        }
    }

    /// Loads the lanes of a mask. The others are those of `others`, if there are any.
    pub(super) fn load_masked(
        &mut self,
        access: &Access<'a>,
        mask: VectorValue<'a>,
        others: Option<VectorValue<'a>>,
    ) -> VectorValue<'a> {
        match self.place(access) {
            Place::Consecutive(address) => {
                let masked = self.masked(access, At::Consecutive(address), mask);
                self.masked_load(access, masked, others)
            }
            Place::Reversed(address) => {
                let masked = self.masked(access, At::Consecutive(address), self.reversed(mask));
                let others = others.map(|others| self.reversed(others));
                let loaded = self.masked_load(access, masked, others);
                self.reversed(loaded)
            }
            Place::Scattered(_) => {
                let addresses = self.all_addresses(access);
                let masked = self.masked(access, addresses, mask);
                self.masked_load(access, masked, others)
            }
        }
    }

    fn masked_load(&self, access: &Access<'a>, masked: Masked<'a>, others: Option<VectorValue<'a>>) -> VectorValue<'a> {
        let ty = self.vector_type(access.ty);
        let loaded = masked.load(self.forms.shared.builder, ty, others);
        self.belongs(access, Value::from_inkwell(loaded));
        loaded
    }

    /// Stores the lanes of a mask.
    pub(super) fn store_masked(&mut self, access: &Access<'a>, value: VectorValue<'a>, mask: VectorValue<'a>) {
        let (place, value, mask) = match self.place(access) {
            Place::Consecutive(address) => (At::Consecutive(address), value, mask),
            Place::Reversed(address) => (At::Consecutive(address), self.reversed(value), self.reversed(mask)),
            Place::Scattered(_) => (self.all_addresses(access), value, mask),
        };
        let stored = self.masked(access, place, mask).store(self.forms.shared.builder, value);
        self.belongs(access, stored);
    }

    /// A vector with what a lane loads, if it is on.
    pub(super) fn insert_masked(
        &mut self,
        vector: VectorValue<'a>,
        access: &Access<'a>,
        (lane, mask): (u32, VectorValue<'a>),
    ) -> VectorValue<'a> {
        let (builder, wide) = (self.forms.shared.builder, self.forms.shared.i64);
        let truth = wide.get_context().bool_type();
        let is_own = |other| truth.const_int(u64::from(other == lane), false);
        let own: Vec<_> = (0..mask.get_type().get_size()).map(is_own).collect();
        let mask = builder
            .build_and(mask, VectorType::const_vector(&own), "")
            .expect(BUILDS);
        let size = self.forms.run.element(access.ty).expect("a lane").size as i64;
        let back = wide.const_int((-size * i64::from(lane)) as u64, true);
        let address = self.address_of_lane(access.pointer, lane);
        let first = self.forms.shared.advanced(address, back);
        let masked = self.masked(access, At::Consecutive(first), mask);
        self.masked_load(access, masked, Some(vector))
    }

    /// Loads what is the same for all lanes, if any lane is on: a number or a pointer, or a vector.
    pub(super) fn load_for_all(&mut self, access: &Access<'a>, mask: VectorValue<'a>) -> BasicValueEnum<'a> {
        let builder = self.forms.shared.builder;
        let any = any_lane(builder, mask);
        let place = At::Consecutive(self.first.value(access.pointer).into_pointer_value());
        if let Some(BasicTypeEnum::VectorType(ty)) = access.ty.inkwell() {
            let (element, elements) = access.ty.elements();
            let of_elements = Access { ty: element, ..*access };
            let masked = self.masked(&of_elements, place, splat(builder, any.into(), elements));
            let loaded = masked.load(builder, ty, None);
            self.belongs(access, Value::from_inkwell(loaded));
            return loaded.into();
        }
        let first = self.forms.shared.i64.get_context().i32_type().const_zero();
        let never = mask.get_type().const_zero();
        let mask = builder.build_insert_element(never, any, first, "").expect(BUILDS);
        let masked = self.masked(access, place, mask);
        let loaded = self.masked_load(access, masked, None);
        builder.build_extract_element(loaded, first, "").expect(BUILDS)
    }

    /// The value of an element that stays in a register.
    pub(super) fn load_kept(&mut self, access: &Access<'a>, element: &Element<'a>) -> VectorValue<'a> {
        let builder = self.forms.shared.builder;
        let ty = self.vector_type(access.ty);
        let register = builder.build_load(ty, element.register, "").expect(BUILDS);
        let register = register.into_vector_value();
        let Some(held) = element.held else { return register };
        let held_before = self.mask_in(held);
        let missing = builder.build_not(held_before, "").expect(BUILDS);
        let missing = match self.masks.on() {
            Some(mask) => builder.build_and(mask, missing, "").expect(BUILDS),
            None => missing,
        };
        let value = self.load_masked(access, missing, Some(register));
        builder.build_store(element.register, value).expect(BUILDS);
        self.add_to_mask(held);
        value
    }

    /// Changes an element that stays in a register.
    pub(super) fn store_kept(&mut self, element: &Element<'a>, value: VectorValue<'a>) {
        let builder = self.forms.shared.builder;
        let new = match self.masks.current {
            None => value,
            Some(mask) => {
                let before = builder.build_load(value.get_type(), element.register, "");
                self.choice(mask, value, before.expect(BUILDS).into_vector_value())
            }
        };
        builder.build_store(element.register, new).expect(BUILDS);
        for mask in [element.held, element.written].into_iter().flatten() {
            self.add_to_mask(mask);
        }
    }

    /// The mask in a place on the stack.
    pub(super) fn mask_in(&self, place: PointerValue<'a>) -> VectorValue<'a> {
        let ty = self.mask_type();
        let mask = self.forms.shared.builder.build_load(ty, place, "").expect(BUILDS);
        mask.into_vector_value()
    }

    /// Adds the lanes that are on to a mask on the stack.
    fn add_to_mask(&self, place: PointerValue<'a>) {
        let builder = self.forms.shared.builder;
        let mask = match self.masks.on() {
            None => builder.build_not(self.mask_type().const_zero(), "").expect(BUILDS),
            Some(mask) => builder.build_or(self.mask_in(place), mask, "").expect(BUILDS),
        };
        builder.build_store(place, mask).expect(BUILDS);
    }
}
