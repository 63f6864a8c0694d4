//! The execution of neighbouring instances of a statement in the lanes of vectors.
//!
//! Each instruction of the statement is emitted once, for all lanes, in the order of the statement. What is uniform or
//! stepped ([`Form`]) is computed for lane 0 only, by [`Instance`]. [Accesses](super::accesses) are
//! made for all lanes at once where they are next to each other.

use farkas_llvm::edit::is_errno_square_root;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{BasicType, BasicTypeEnum, VectorType};
use farkas_llvm::inkwell::values::{BasicValueEnum, IntValue, PointerValue, VectorValue};
use farkas_llvm::scop_ir::{ArrayId, SlotId};
use farkas_llvm::types::{Type, TypeKind};
use farkas_llvm::value::{Kind, Value};
use indexmap::IndexMap;

use super::PrivateCopies;
use super::accesses::Access;
use super::block::InBlock;
use super::forms::{Form, Forms, Step};
use super::keep::Kept;
use super::masks::{Active, Mask, Masks, is_division};
use super::private::CopyKey;
use super::shift::{Place as InBody, Shifts};
use crate::arith::BUILDS;
use crate::statement::{Instance, Statements};

/// The instances of a statement while they are emitted.
pub(super) struct Lanes<'w, 'c, 'b, 'a, 'r> {
    pub(super) forms: &'w mut Forms<'c, 'b, 'a, 'r>,
    /// The iteration of a block that they are, with what is at hand for the block.
    pub(super) block: Option<(u32, &'w mut InBlock<'a>)>,
    /// What is in registers.
    pub(super) kept: &'w Kept<'a>,
    /// What lanes hand on, and where in the body the statement is.
    pub(super) shifts: Option<(&'w Shifts<'a>, InBody)>,
    /// Lane 0.
    pub(super) first: Instance<'c, 'b, 'a>,
    /// Lanes of which something is computed by itself.
    single: IndexMap<u32, Instance<'c, 'b, 'a>>,
    pub(super) lanes: u32,
    /// The vectors at hand.
    pub(super) wide: IndexMap<Value<'a>, VectorValue<'a>>,
    /// The lanes that execute what.
    pub(super) masks: Masks<'a>,
    /// Where their copies are.
    private: (&'w PrivateCopies<'a>, CopyKey),
    /// What is read in a buffer that stands for an array, or for what is computed of its elements.
    in_buffer: &'w dyn Fn(Value<'a>) -> Option<BasicValueEnum<'a>>,
}

/// What is at hand: the iteration of a block, what is in registers, and what lanes hand on.
pub(super) type AtHand<'w, 'a> = (
    Option<(u32, &'w mut InBlock<'a>)>,
    &'w Kept<'a>,
    Option<(&'w Shifts<'a>, InBody)>,
);

impl<'w, 'c, 'b, 'a, 'r> Lanes<'w, 'c, 'b, 'a, 'r> {
    /// The instances of a statement with these forms; `counters` are those of lane 0. There are so many lanes, all of them active or some, and a
    /// mask of those that have an instance.
    pub(super) fn new(
        forms: &'w mut Forms<'c, 'b, 'a, 'r>,
        counters: &[IntValue<'a>],
        (lanes, active, own): (u32, Option<Active<'a>>, Mask<'a>),
        (block, kept, shifts): AtHand<'w, 'a>,
        private: (&'w PrivateCopies<'a>, CopyKey),
        in_buffer: &'w dyn Fn(Value<'a>) -> Option<BasicValueEnum<'a>>,
    ) -> Self {
        let mut first = forms.shared.begin(forms.statement, counters);
        first.speculate(&forms.conditions.speculated(forms.statement), &forms.unsure);
        Lanes {
            first,
            single: IndexMap::new(),
            forms,
            lanes,
            block,
            kept,
            shifts,
            wide: IndexMap::new(),
            masks: Masks::of(active, own),
            private,
            in_buffer,
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

    /// The copies of a slot.
    fn copies_of(&self, slot: SlotId) -> PointerValue<'a> {
        let (private, place) = self.private;
        private.slot(self.forms.shared.scop, slot, place)
    }

    /// The copies of an element of an array that each lane has a copy of.
    pub(super) fn copies_of_element(&mut self, array: ArrayId, pointer: Value<'a>) -> PointerValue<'a> {
        let (private, place) = self.private;
        let first = self.first.value(pointer).into_pointer_value();
        let (builder, i64) = (self.forms.shared.builder, self.forms.shared.i64);
        let base = self.forms.shared.scop.arrays[array.0].base.pointer();
        let base = base.and_then(Value::basic).expect("an address").into_pointer_value();
        let number = |address| builder.build_ptr_to_int(address, i64, "").expect(BUILDS);
        let distance = builder
            .build_int_nsw_sub(number(first), number(base), "")
            .expect(BUILDS);
        let lanes = i64.const_int(u64::from(place.lanes), false);
        let distance = builder.build_int_nsw_mul(distance, lanes, "").expect(BUILDS);
        let copies = private.array(self.forms.shared.scop, array, place);
        self.forms.shared.advanced(copies, distance)
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
                let loaded = self.forms.shared.builder.build_load(ty, self.copies_of(slot), "");
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
                let (builder, copies) = (self.forms.shared.builder, self.copies_of(slot));
                let value = match self.masks.current {
                    None => value,
                    Some(mask) => {
                        let before = builder.build_load(value.get_type(), copies, "").expect(BUILDS);
                        self.choice(mask, value, before.into_vector_value())
                    }
                };
                builder.build_store(copies, value).expect(BUILDS);
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
        match self.forms.statement.loads_in_any_case(original) {
            true => self.in_any_case(|lanes| lanes.under_mask(original)),
            false => self.under_mask(original),
        }
    }

    /// Emits an instruction for the lanes of the mask at hand.
    fn under_mask(&mut self, original: Value<'a>) {
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
            // Lanes that read different elements load them from the array, which has the same.
            _ if self.form(original) == Form::Uniform
                && let Some(value) = (self.in_buffer)(original) =>
            {
                self.first.set(original, value);
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
            _ if self.forms.statement.loads_in_any_case(original) => self.first.load_in_any_case(original),
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

    /// A value of a lane, computed from its counters alone.
    pub(super) fn value_of_lane(&mut self, value: Value<'a>, lane: u32) -> BasicValueEnum<'a> {
        let moves = self.forms.moves();
        let first = &self.first;
        let own = self.single.entry(lane);
        own.or_insert_with(|| first.moved(i64::from(lane), &moves)).value(value)
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
            Form::Wide if self.forms.takes_turns(value) => {
                let mut vector = self.vector_type(value.ty()).get_poison();
                for lane in 0..self.lanes {
                    let address = self.value_of_lane(value, lane);
                    let (builder, context) = (self.forms.shared.builder, self.forms.shared.i64.get_context());
                    let lane = context.i32_type().const_int(u64::from(lane), false);
                    vector = builder.build_insert_element(vector, address, lane, "").expect(BUILDS);
                }
                vector
            }
            Form::Wide => match value.kind() {
                // The addresses of rows of an access that comes early.
                Kind::Load { pointer } => self.load_from_memory(&Access {
                    original: value,
                    pointer,
                    ty: value.ty(),
                    is_slot: false,
                }),
                _ => self.widened(value),
            },
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

    /// The values of a call for each lane.
    fn one_by_one(&mut self, call: Value<'a>) -> VectorValue<'a> {
        let operands = call.operands();
        if is_errno_square_root(call) {
            let argument = self.wide(operands[0]);
            // The root of zero sets nothing.
            let argument = match self.masks.current {
                Some(mask) => self.choice(mask, argument, argument.get_type().const_zero()),
                None => self.repeated(argument),
            };
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
