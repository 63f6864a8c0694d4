//! The execution of neighbouring instances of a statement in the lanes of vectors.
//!
//! Each instruction of the statement is emitted once, for all lanes, in the order of the statement. What is uniform or
//! stepped ([`Form`]) is computed for lane 0 only, by [`Instance`]. Of accesses, the step of the address says how they are
//! made:
//!
//! | step | load | store |
//! |---|---|---|
//! | none | one scalar, for all lanes | has no vector form |
//! | the size of an element | a vector | a vector |
//! | minus the size of an element | a vector, reversed | a vector, reversed |
//! | any other, or an address for each lane | a scalar for each lane | a scalar for each lane |
//!
//! In a block of iterations, what each lane accesses of consecutive elements in all of them is accessed [at
//! once](super::block). Under conditions, only the lanes of a [mask](super::masks) access memory: of a vector those, and one by one
//! the others access a place on the stack.

use farkas_llvm::edit::is_errno_square_root;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{BasicType, BasicTypeEnum, VectorType};
use farkas_llvm::inkwell::values::{BasicValueEnum, InstructionValue, IntValue, PointerValue, VectorValue};
use farkas_llvm::scop_ir::{ScalarSlot, SlotId};
use farkas_llvm::value::{Kind, Type, TypeKind, Value};
use indexmap::IndexMap;

use super::block::{InBlock, Order};
use super::forms::{Form, Forms, Step};
use super::keep::Kept;
use super::masks::{Active, Mask, Masks, is_division};
use super::shift::{Place as InBody, Prefetch, Shifts, Source};
use super::transpose;
use crate::arith::BUILDS;
use crate::statement::{Instance, Statements};

/// What metadata of a scalar access holds for the vector access in its place.
const KEPT_METADATA: [&str; 1] = ["tbaa"];

/// The instances of a statement while they are emitted.
pub(super) struct Lanes<'w, 'c, 'b, 'a, 'r> {
    pub(super) forms: &'w mut Forms<'c, 'b, 'a, 'r>,
    /// The iteration of a block that they are, with what is at hand for the block.
    block: Option<(u32, &'w mut InBlock<'a>)>,
    /// What is in registers.
    kept: &'w Kept<'a>,
    /// What lanes hand on, and where in the body the statement is.
    shifts: Option<(&'w Shifts<'a>, InBody)>,
    /// Lane 0.
    pub(super) first: Instance<'c, 'b, 'a>,
    lanes: u32,
    /// The vectors at hand.
    pub(super) wide: IndexMap<Value<'a>, VectorValue<'a>>,
    /// The lanes that execute what.
    pub(super) masks: Masks<'a>,
    /// Where the private slots are.
    slots: &'w dyn Fn(SlotId) -> PointerValue<'a>,
}

/// What is at hand: the iteration of a block, what is in registers, and what lanes hand on.
pub(super) type AtHand<'w, 'a> = (
    Option<(u32, &'w mut InBlock<'a>)>,
    &'w Kept<'a>,
    Option<(&'w Shifts<'a>, InBody)>,
);

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
        match original.kind() {
            Kind::Store { pointer, .. } => Some(Access {
                original,
                pointer,
                ty: slot.ty,
                is_slot: true,
            }),
            _ => unreachable!("a slot is placed where a store stores to"),
        }
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

impl<'w, 'c, 'b, 'a, 'r> Lanes<'w, 'c, 'b, 'a, 'r> {
    /// The instances of a statement with these forms; `counters` are those of lane 0. There are so many lanes, all of them active or some.
    pub(super) fn new(
        forms: &'w mut Forms<'c, 'b, 'a, 'r>,
        counters: &[IntValue<'a>],
        (lanes, active): (u32, Option<Active<'a>>),
        (block, kept, shifts): AtHand<'w, 'a>,
        slots: &'w dyn Fn(SlotId) -> PointerValue<'a>,
    ) -> Self {
        let mut first = forms.shared.begin(forms.statement, counters);
        first.speculate(&forms.conditions.blocks, &forms.unsure);
        Lanes {
            first,
            forms,
            lanes,
            block,
            kept,
            shifts,
            wide: IndexMap::new(),
            masks: Masks::of(active),
            slots,
        }
    }

    /// Emits them where the builder stands.
    pub(super) fn emit(&mut self) {
        let statement = self.forms.statement;
        for (slot, value) in &statement.reads {
            self.read(*slot, *value);
        }
        match statement.blocks[..] {
            [_] => statement.instructions.iter().for_each(|i| self.instruction(*i)),
            _ => self.blocks(),
        }
        let writes = statement.writes.iter();
        let written: Vec<_> = writes.map(|write| (write.slot, self.written(&write.value))).collect();
        for (slot, value) in written {
            self.write(slot, value);
        }
    }

    pub(super) fn form(&mut self, value: Value<'a>) -> Form<'a> {
        self.forms.form(value).expect("all values of the statement have forms")
    }

    fn slot_access(&self, slot: SlotId) -> Option<Access<'a>> {
        Access::to_slot(&self.forms.shared.scop.slots[slot.0])
    }

    fn read(&mut self, slot: SlotId, value: Value<'a>) {
        if self.form(value) == Form::Uniform {
            self.first.read(slot, value);
            return;
        }
        let loaded = match self.slot_access(slot) {
            Some(access) => self.load(&access),
            None if self.forms.shared.slots.is_expanded(slot) => self.load_expanded(slot, value),
            None => {
                let ty = self.vector_type(value.ty());
                let loaded = self.forms.shared.builder.build_load(ty, (self.slots)(slot), "");
                loaded.expect(BUILDS).into_vector_value()
            }
        };
        self.wide.insert(value, loaded);
    }

    fn write(&mut self, slot: SlotId, value: VectorValue<'a>) {
        match self.slot_access(slot) {
            Some(access) => self.store(&access, value),
            None if self.forms.shared.slots.is_expanded(slot) => self.store_expanded(slot, value),
            None => {
                let store = self.forms.shared.builder.build_store((self.slots)(slot), value);
                store.expect(BUILDS);
            }
        }
    }

    /// Where each lane accesses an expanded slot.
    fn elements(&self, slot: SlotId) -> Vec<PointerValue<'a>> {
        let moves = self.forms.moves();
        let lanes = (0..self.lanes).map(i64::from);
        let addresses: Vec<PointerValue<'a>> = lanes
            .map(|lane| self.first.expanded_address(slot, (lane, &moves)))
            .collect();
        self.of_active(addresses)
    }

    fn load_expanded(&mut self, slot: SlotId, value: Value<'a>) -> VectorValue<'a> {
        let ty = value.ty().inkwell().expect("a first-class type");
        let (elements, builder) = (self.elements(slot), self.forms.shared.builder);
        let mut vector = self.vector_type(value.ty()).get_poison();
        let i32 = self.forms.shared.i64.get_context().i32_type();
        for (lane, address) in (0..).zip(elements) {
            let loaded = builder.build_load(ty, address, "").expect(BUILDS);
            let inserted = builder.build_insert_element(vector, loaded, i32.const_int(lane, false), "");
            vector = inserted.expect(BUILDS);
        }
        vector
    }

    fn store_expanded(&mut self, slot: SlotId, value: VectorValue<'a>) {
        let (elements, builder) = (self.elements(slot), self.forms.shared.builder);
        let value = self.repeated(value);
        for (lane, address) in (0..).zip(elements) {
            builder.build_store(address, self.lane(value, lane)).expect(BUILDS);
        }
    }

    pub(super) fn instruction(&mut self, original: Value<'a>) {
        let access = |pointer, ty| Access {
            original,
            pointer,
            ty,
            is_slot: false,
        };
        match original.kind() {
            Kind::Store { value, .. } => {
                let stored = self.wide(value);
                if !self.store_late(original, stored) {
                    self.store(&Access::of_store(original), stored);
                }
            }
            Kind::Load { pointer } if self.form(original) == Form::Wide => {
                let loaded = self.load(&access(pointer, original.ty()));
                self.wide.insert(original, loaded);
            }
            Kind::Load { pointer } if let Some(mask) = self.masks.current => {
                let loaded = self.load_for_all(&access(pointer, original.ty()), mask);
                self.first.set(original, loaded);
            }
            _ if self.form(original) == Form::Wide => {
                self.wide(original);
            }
            _ => self.first.instruction(original),
        }
    }
}

/// Values.
impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    pub(super) fn vector_type(&self, ty: Type<'a>) -> VectorType<'a> {
        vector_of(ty.inkwell().expect("a first-class type"), self.lanes)
    }

    pub(super) fn mask_type(&self) -> VectorType<'a> {
        self.forms.shared.i64.get_context().bool_type().vec_type(self.lanes)
    }

    /// The value of all lanes as a vector.
    pub(super) fn wide(&mut self, value: Value<'a>) -> VectorValue<'a> {
        if let Some(wide) = self.wide.get(&value) {
            return *wide;
        }
        let wide = match self.form(value) {
            Form::Uniform => {
                let value = self.first.value(value);
                self.splat(value)
            }
            Form::Stepped(step) => self.sequence(value, &step),
            Form::Wide => self.widened(value),
        };
        self.wide.insert(value, wide);
        wide
    }

    pub(super) fn splat(&self, value: BasicValueEnum<'a>) -> VectorValue<'a> {
        splat(self.forms.shared.builder, value, self.lanes)
    }

    /// The value of lane 0 and those that follow it in steps.
    fn sequence(&mut self, value: Value<'a>, step: &Step<'a>) -> VectorValue<'a> {
        let first = self.first.value(value).into_int_value();
        let ty = first.get_type();
        let step = self.amount(step);
        let builder = self.forms.shared.builder;
        let step = match ty.get_bit_width() {
            64 => step,
            _ => builder.build_int_truncate(step, ty, "").expect(BUILDS),
        };
        let distances = self.distances(step);
        builder
            .build_int_add(self.splat(first.into()), distances, "")
            .expect(BUILDS)
    }

    /// By how much each lane is ahead of the first one.
    pub(super) fn distances(&self, step: IntValue<'a>) -> VectorValue<'a> {
        let ty = step.get_type();
        let numbers: Vec<IntValue<'a>> = (0..self.lanes)
            .map(|lane| ty.const_int(u64::from(lane), false))
            .collect();
        let numbers = VectorType::const_vector(&numbers);
        let distances = self
            .forms
            .shared
            .builder
            .build_int_mul(numbers, self.splat(step.into()), "");
        distances.expect(BUILDS)
    }

    /// The amount of a step.
    pub(super) fn amount(&self, step: &Step<'a>) -> IntValue<'a> {
        let (builder, i64) = (self.forms.shared.builder, self.forms.shared.i64);
        let mut sum = i64.const_int(step.constant as u64, true);
        for (value, factor) in &step.terms {
            let factor = i64.const_int(*factor as u64, true);
            let term = builder.build_int_mul(*value, factor, "").expect(BUILDS);
            sum = builder.build_int_add(sum, term, "").expect(BUILDS);
        }
        sum
    }

    /// The values of a call for each lane.
    fn one_by_one(&mut self, call: Value<'a>) -> VectorValue<'a> {
        let operands = call.operands();
        if is_errno_square_root(call) {
            let argument = self.wide(operands[0]);
            let argument = self.repeated(argument);
            let Statements {
                errno,
                builder,
                on_access,
                ..
            } = *self.forms.shared;
            let root = errno.square_root(builder, call, argument.into(), &|access| on_access(None, access));
            return root.into_vector_value();
        }
        let arguments: Vec<VectorValue<'a>> = operands[..operands.len() - 1]
            .iter()
            .map(|own| {
                let argument = self.wide(*own);
                self.repeated(argument)
            })
            .collect();
        let builder = self.forms.shared.builder;
        let i32 = self.forms.shared.i64.get_context().i32_type();
        let mut vector = self.vector_type(call.ty()).get_poison();
        for lane in 0..self.lanes {
            let own: Vec<BasicValueEnum<'a>> = arguments.iter().map(|argument| self.lane(*argument, lane)).collect();
            let clone = call.duplicate();
            builder.insert_instruction(&clone, None);
            Value::from_inkwell(clone).take_location(call);
            for (index, argument) in own.into_iter().enumerate() {
                clone.set_operand(index as u32, argument);
            }
            let value = Value::from_inkwell(clone).basic().expect("the result of a function");
            let place = i32.const_int(u64::from(lane), false);
            let inserted = builder.build_insert_element(vector, value, place, "");
            vector = inserted.expect(BUILDS);
        }
        vector
    }

    /// The vector form of an instruction.
    fn widened(&mut self, original: Value<'a>) -> VectorValue<'a> {
        if original.facts().errno_only() {
            return self.one_by_one(original);
        }
        let is_address = matches!(original.ty().kind(), TypeKind::Pointer(_));
        let mut operands: Vec<BasicValueEnum<'a>> = Vec::new();
        let is_call = matches!(original.kind(), Kind::Call(_));
        let all = original.operands();
        let count = all.len() - usize::from(is_call);
        for (index, operand) in all.into_iter().take(count).enumerate() {
            let scalar = self.forms.run.is_scalar_operand(original, index)
                || is_address && !is_call && self.form(operand) == Form::Uniform;
            operands.push(match scalar {
                true => self.first.value(operand),
                false if index == 1 && is_division(original) => {
                    let divisor = self.wide(operand);
                    self.divisor(divisor).into()
                }
                false => self.wide(operand).into(),
            });
        }
        let shared = self.forms.shared;
        let wide = self.forms.run.widen(shared.builder, original, &operands, self.lanes);
        // Of several stores in one, the address is that of the last, which some lanes do not come by.
        let is_joined = || self.forms.conditions.govern(original) && original.ty().kind() != TypeKind::Float;
        if (self.forms.statement.updates.contains(&original) || is_joined())
            && let Some(instruction) = Value::from_inkwell(wide).instruction()
        {
            farkas_llvm::edit::drop_poison_generating(instruction);
        }
        wide.into_vector_value()
    }
}

/// Accesses.
impl<'a> Lanes<'_, '_, '_, 'a, '_> {
    pub(super) fn place(&mut self, access: &Access<'a>) -> Place<'a> {
        let size = self.forms.run.element(access.ty).expect("a lane").size as i64;
        let builder = self.forms.shared.builder;
        let i64 = self.forms.shared.i64;
        match self.form(access.pointer) {
            Form::Uniform => unreachable!("lanes access places of their own"),
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
    fn of_active(&self, addresses: Vec<PointerValue<'a>>) -> Vec<PointerValue<'a>> {
        let first = addresses[0];
        let addresses = (0..).zip(addresses);
        let own = addresses.map(|(lane, address)| self.if_active(lane, address.into(), first.into()));
        own.map(BasicValueEnum::into_pointer_value).collect()
    }

    pub(super) fn lane(&self, vector: VectorValue<'a>, lane: u32) -> BasicValueEnum<'a> {
        let index = self
            .forms
            .shared
            .i64
            .get_context()
            .i32_type()
            .const_int(u64::from(lane), false);
        let element = self.forms.shared.builder.build_extract_element(vector, index, "");
        element.expect(BUILDS)
    }

    pub(super) fn reversed(&self, vector: VectorValue<'a>) -> VectorValue<'a> {
        let i32 = self.forms.shared.i64.get_context().i32_type();
        let mask: Vec<IntValue<'a>> = (0..self.lanes)
            .rev()
            .map(|lane| i32.const_int(u64::from(lane), false))
            .collect();
        let poison = vector.get_type().get_poison();
        let shuffled =
            self.forms
                .shared
                .builder
                .build_shuffle_vector(vector, poison, VectorType::const_vector(&mask), "");
        shuffled.expect(BUILDS)
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
        let address = self.address_of_lane(access, lanes.0);
        let loaded = self.load_at(access, access.ty.inkwell().expect("a first-class type"), address);
        let i32 = self.forms.shared.i64.get_context().i32_type();
        let lane = i32.const_int(u64::from(lanes.1), false);
        let inserted = self.forms.shared.builder.build_insert_element(vector, loaded, lane, "");
        inserted.expect(BUILDS)
    }

    pub(super) fn address_of_lane(&mut self, access: &Access<'a>, lane: u32) -> PointerValue<'a> {
        match self.form(access.pointer) {
            Form::Uniform => unreachable!("lanes access places of their own"),
            Form::Wide => {
                let addresses = self.wide(access.pointer);
                self.lane(addresses, lane).into_pointer_value()
            }
            Form::Stepped(step) => {
                let first = self.first.value(access.pointer).into_pointer_value();
                let step = self.amount(&step);
                let (builder, i64) = (self.forms.shared.builder, self.forms.shared.i64);
                let lane = i64.const_int(u64::from(lane), false);
                let distance = builder.build_int_mul(step, lane, "").expect(BUILDS);
                self.forms.shared.advanced(first, distance)
            }
        }
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

    fn load_from_memory(&mut self, access: &Access<'a>) -> VectorValue<'a> {
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

    /// How an access goes through a block, if it is made for all iterations at once.
    fn order_in_block(&self, access: &Access<'a>, writes: bool) -> Option<Order> {
        let (_, block) = self.block.as_ref()?;
        block.accesses.get(&(access.original, writes)).copied()
    }

    /// The bits of an element, and the bytes from the first to the last one that a lane accesses in a block.
    fn extent(&self, access: &Access<'a>, iterations: u32) -> (u32, i64) {
        let size = self.forms.run.element(access.ty).expect("a lane").size;
        (8 * size as u32, (size * u64::from(iterations - 1)) as i64)
    }

    /// The addresses of lanes that are apart.
    pub(super) fn addresses(&mut self, access: &Access<'a>) -> Vec<PointerValue<'a>> {
        match self.place(access) {
            Place::Scattered(addresses) => addresses,
            Place::Consecutive(_) | Place::Reversed(_) => unreachable!("lanes that are apart"),
        }
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
    fn load_in_block(&mut self, access: &Access<'a>, order: Order) -> VectorValue<'a> {
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
    fn store_in_block(&mut self, access: &Access<'a>, order: Order, value: VectorValue<'a>) {
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

    /// Stores a value for each lane at its address. Those of lanes that have no iteration are the address of lane 0.
    pub(super) fn store_lanes(&self, access: &Access<'a>, addresses: &[PointerValue<'a>], values: &[VectorValue<'a>]) {
        let first = values[0];
        for (lane, (address, value)) in (0..).zip(addresses.iter().zip(values)) {
            let value = self.if_active(lane, (*value).into(), first.into());
            self.store_at(access, value, *address);
        }
    }

    fn in_block<T>(&mut self, with: impl FnOnce(u32, &mut InBlock<'a>) -> T) -> T {
        let (index, block) = self.block.as_mut().expect("an access in a block");
        with(*index, block)
    }

    pub(super) fn store_at(&self, access: &Access<'a>, value: BasicValueEnum<'a>, address: PointerValue<'a>) {
        let store = self.forms.shared.builder.build_store(address, value).expect(BUILDS);
        self.finish(access, store);
    }

    /// Gives an access what belongs to the original's: every address is one that an instance accesses.
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

/// A vector with the same value in all of so many lanes.
pub(super) fn splat<'a>(builder: &Builder<'a>, value: BasicValueEnum<'a>, lanes: u32) -> VectorValue<'a> {
    let ty = vector_of(value.get_type(), lanes);
    let i32 = ty.get_context().i32_type();
    let poison = ty.get_poison();
    let one = builder.build_insert_element(poison, value, i32.const_zero(), "");
    let zeros = i32.vec_type(lanes).const_zero();
    let all = builder.build_shuffle_vector(one.expect(BUILDS), poison, zeros, "");
    all.expect(BUILDS)
}

/// The type of vectors of so many lanes.
///
/// # Panics
///
/// If the type is that of no lane.
pub(super) fn vector_of(ty: BasicTypeEnum<'_>, lanes: u32) -> VectorType<'_> {
    match ty {
        BasicTypeEnum::IntType(ty) => ty.vec_type(lanes),
        BasicTypeEnum::FloatType(ty) => ty.vec_type(lanes),
        BasicTypeEnum::PointerType(ty) => ty.vec_type(lanes),
        other => unreachable!("vectors of {}", other.as_basic_type_enum()),
    }
}
