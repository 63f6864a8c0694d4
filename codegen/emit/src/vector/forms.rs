//! The form of each value along the lanes of a vector: what has to be known to widen a statement.
//!
//! Lane `k` executes the instance whose loop counters are those of lane 0 plus `k` times a constant for each loop. In
//! `s[i] += A[i * n + j] * x[j]` with lanes along `i`:
//!
//! | value | form |
//! |---|---|
//! | `x[j]`, its address | uniform: the same in all lanes |
//! | `i` | stepped by 1 |
//! | the address of `s[i]` | stepped by 8 bytes: one vector access |
//! | the address of `A[i * n + j]` | stepped by `8 * n` bytes: an access for each lane |
//! | the loaded values of `A` and `s`, the product, the sum | wide: a vector |
//! | an element of an array that each lane has a copy of | wide, its address is uniform |
//!
//! A call that may set `errno` is wide, and made for each lane. What a statement executes under conditions on data is computed for all
//! lanes, and their phis are wide: [`masks`](super::masks). A statement without a vector form has a value without a form: `None`
//! everywhere here.

use farkas_llvm::Run;
use farkas_llvm::edit::is_errno_square_root;
use farkas_llvm::inkwell::values::{InstructionOpcode, IntValue};
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Affine, ArrayId, IrStatement, LoopId, RotationId, SlotId, Source, Start, Written};
use farkas_llvm::types::{Type, TypeKind};
use farkas_llvm::value::{Kind, Value};
use indexmap::{IndexMap, IndexSet};

use super::Private;
use super::accesses::Access;
use super::masks::{Conditions, is_division};
use crate::branches::are_convertible;
use crate::statement::Statements;

/// How a value differs from lane to lane.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form<'a> {
    /// It is the same in all lanes.
    Uniform,
    /// It grows by the same amount from lane to lane, modulo its width. Those of addresses are in bytes.
    Stepped(Step<'a>),
    /// Each lane has a value of its own.
    Wide,
}

/// The sum of a constant and of invariants of 64 bits, each times a constant, modulo 2^64. It is not plainly zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Step<'a> {
    pub(super) constant: i64,
    pub(super) terms: Vec<(IntValue<'a>, i64)>,
}

impl<'a> Step<'a> {
    /// The number, if there is nothing else.
    pub(super) fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Adds `factor` times an invariant. `None` where that is not of 64 bits, and no constant.
    fn add_value(&mut self, factor: i64, value: IntValue<'a>) -> Option<()> {
        if factor == 0 {
            return Some(());
        }
        if value.get_type().get_bit_width() <= 64
            && let Some(constant) = value.get_sign_extended_constant()
        {
            self.constant = self.constant.wrapping_add(factor.wrapping_mul(constant));
            return Some(());
        }
        if value.get_type().get_bit_width() != 64 {
            return None;
        }
        match self.terms.iter_mut().find(|(own, _)| *own == value) {
            Some((_, own)) => *own = own.wrapping_add(factor),
            None => self.terms.push((value, factor)),
        }
        self.terms.retain(|(_, own)| *own != 0);
        Some(())
    }

    fn add(&mut self, factor: i64, other: &Step<'a>) {
        self.constant = self.constant.wrapping_add(factor.wrapping_mul(other.constant));
        for (value, own) in &other.terms {
            self.add_value(factor.wrapping_mul(*own), *value)
                .expect("terms are of 64 bits");
        }
    }

    fn form(self) -> Form<'a> {
        match self.constant == 0 && self.terms.is_empty() {
            true => Form::Uniform,
            false => Form::Stepped(self),
        }
    }
}

impl<'a> Form<'a> {
    /// The amount from lane to lane, if it is the same between all lanes.
    fn step(&self) -> Option<Step<'a>> {
        match self {
            Form::Uniform => Some(Step::default()),
            Form::Stepped(step) => Some(step.clone()),
            Form::Wide => None,
        }
    }
}

/// Whether a value is poison where one of its operands is.
fn passes_poison(value: Value<'_>) -> bool {
    use InstructionOpcode::{Add, GetElementPtr, Mul, SExt, Shl, Sub, Trunc, ZExt};
    let opcode = value.instruction().map(|i| i.get_opcode());
    matches!(
        opcode,
        Some(Add | GetElementPtr | Mul | SExt | Shl | Sub | Trunc | ZExt)
    )
}

/// The forms of the values of a statement.
pub(super) struct Forms<'c, 'b, 'a, 'r> {
    pub(super) run: &'a Run<'r>,
    pub(super) shared: &'c Statements<'b, 'a>,
    pub(super) statement: &'c IrStatement<'a>,
    /// By how much the counter of each loop around the statement grows from lane to lane.
    pub(super) strides: IndexMap<LoopId, i64>,
    /// What each lane has a copy of.
    pub(super) private: &'c Private,
    /// The blocks of the statement that are executed under conditions on data.
    pub(super) conditions: Conditions<'a>,
    /// What is computed for lane 0 and may be poison there, although other lanes use what follows from it.
    pub(super) unsure: IndexSet<Value<'a>>,
    known: IndexMap<Value<'a>, Form<'a>>,
}

impl<'c, 'b, 'a, 'r> Forms<'c, 'b, 'a, 'r> {
    /// The forms of a statement's values, if it has a vector form. A loop around it may `diverge`.
    pub(super) fn of(
        run: &'a Run<'r>,
        shared: &'c Statements<'b, 'a>,
        statement: &'c IrStatement<'a>,
        strides: IndexMap<LoopId, i64>,
        (private, diverge): (&'c Private, bool),
    ) -> Option<Self> {
        let mut forms = Forms::along(run, shared, statement, strides, (private, diverge));
        if !forms.complete() {
            return None;
        }
        forms.unsure = forms.unsure();
        Some(forms)
    }

    /// The forms of a statement's values, which need not all have one.
    pub(super) fn along(
        run: &'a Run<'r>,
        shared: &'c Statements<'b, 'a>,
        statement: &'c IrStatement<'a>,
        strides: IndexMap<LoopId, i64>,
        (private, diverge): (&'c Private, bool),
    ) -> Self {
        Forms {
            run,
            shared,
            statement,
            strides,
            private,
            conditions: Conditions::of(run, shared.scop, statement, diverge),
            unsure: IndexSet::new(),
            known: IndexMap::new(),
        }
    }

    /// What lane 0 has in place of all lanes may be poison in lane 0 alone: where it follows from something that differs from lane to
    /// lane, and lane 0 does not use it. It is used for sure if an access that all lanes make has it in its address.
    fn unsure(&self) -> IndexSet<Value<'a>> {
        let statement = self.statement;
        let is_certain = |i: &&Value<'a>| i.is_instruction() && !self.conditions.blocks.contains(&i.block());
        let accesses = statement.instructions.iter().filter(is_certain);
        let slots = statement.reads.iter().map(|(slot, _)| *slot);
        let slots = slots.chain(statement.writes.iter().map(|write| write.slot));
        let places = slots.filter_map(|slot| self.shared.scop.slots[slot.0].mapped_to);
        let accesses = accesses.copied().chain(places).filter(|_| !self.conditions.diverge);
        let mut used: Vec<Value<'a>> = accesses.filter_map(Value::accessed_pointer).collect();
        let mut certain: IndexSet<Value<'a>> = IndexSet::new();
        while let Some(value) = used.pop() {
            if passes_poison(value) && certain.insert(value) {
                used.extend(value.operands());
            }
        }
        let is_step = |value: &Value<'a>| matches!(self.known.get(value), Some(Form::Stepped(_)));
        let is_scalar = |value: &Value<'a>| self.known.get(value) != Some(&Form::Wide) && value.is_instruction();
        let known = self.known.keys().copied();
        let unsure = known.filter(|value| is_scalar(value) && value.operands().iter().any(is_step));
        unsure.filter(|value| !certain.contains(value)).collect()
    }

    /// Whether nothing is read from memory to compute a value, but for addresses of rows that the statement reads in any case.
    pub(super) fn reads_nothing(&self, value: Value<'a>) -> bool {
        let around = |id| self.strides.contains_key(&id);
        match self.shared.scop.source(self.statement, value) {
            _ if self.shared.copies.has((&self.statement.name, value)) => true,
            Source::Outside | Source::Rotation(..) => true,
            Source::ScalarSlot(_) => false,
            _ if self.shared.affine_in(self.statement, value, around).is_some() => true,
            Source::Induction(id, index) => match self.shared.scop.loops[id.0].inductions[index].start {
                Start::Value(start) => self.reads_nothing(start),
                Start::Expression(_) => true,
            },
            Source::Statement | Source::Recomputed => {
                let mut operands = value.operands().into_iter().filter(|operand| operand.is_data());
                let is_row_address = || self.shared.scop.is_row_address(value) && !self.conditions.govern(value);
                let reads = value.facts().may_read() && !is_row_address();
                !value.is_phi() && !reads && operands.all(|operand| self.reads_nothing(operand))
            }
        }
    }

    /// Whether everything that the statement does has a vector form.
    fn complete(&mut self) -> bool {
        let statement = self.statement;
        (statement.blocks.len() == 1 || self.are_masks())
            && statement.reads.iter().all(|(_, value)| self.form(*value).is_some())
            && statement.instructions.iter().all(|i| self.instruction(*i).is_some())
            && statement.writes.iter().all(|write| {
                let is_vector = match &write.value {
                    Written::Always(value) => self.vector(*value).is_some(),
                    Written::From(values) => {
                        statement.blocks.len() > 1 && values.iter().all(|(_, value)| self.vector(*value).is_some())
                    }
                };
                is_vector && self.slot_write(write.slot).is_some()
            })
    }

    /// Whether masks may stand for the branches.
    fn are_masks(&mut self) -> bool {
        let statement = self.statement;
        let mut conditions = statement
            .blocks
            .iter()
            .filter_map(|block| block.terminator().condition());
        are_convertible(statement) && conditions.all(|condition| self.form(condition).is_some())
    }

    /// That the values of all lanes can be a vector.
    fn vector(&mut self, value: Value<'a>) -> Option<()> {
        let is_pointer = matches!(value.ty().kind(), TypeKind::Pointer(_));
        // Addresses with a step have no vector of their own.
        match self.form(value)? {
            Form::Stepped(_) if is_pointer => None,
            _ => Some(()),
        }
    }

    fn instruction(&mut self, instruction: Value<'a>) -> Option<()> {
        match instruction.kind() {
            Kind::Store { value, pointer } => {
                self.vector(value)?;
                match self.private_array(instruction) {
                    Some(array) => self.has_copies(array, (pointer, value.ty()))?,
                    None => self.store_to(pointer)?,
                }
                self.run.is_lane(value.ty()).then_some(())
            }
            _ => self.form(instruction).map(|_| ()),
        }
    }

    fn slot_write(&mut self, slot: SlotId) -> Option<()> {
        let own = &self.shared.scop.slots[slot.0];
        self.run.is_lane(own.ty).then_some(())?;
        match Access::to_slot(own) {
            Some(access) => match self.private_array(access.original) {
                Some(array) => self.has_copies(array, (access.pointer, own.ty)),
                None => self.store_to(access.pointer),
            },
            None if self.shared.slots.is_expanded(slot) => {
                (!self.conditions.diverge && !self.is_uniform(slot)).then_some(())
            }
            None => self.private.slots.contains(&slot).then_some(()),
        }
    }

    /// By how much each counter of the statement grows from lane to lane.
    pub(super) fn moves(&self) -> Vec<i64> {
        let loops = self.statement.loops.iter();
        loops.map(|id| self.strides[id]).collect()
    }

    /// Whether all lanes access the same element of an expanded slot.
    fn is_uniform(&self, slot: SlotId) -> bool {
        let statement = &self.statement.name;
        self.shared.slots.is_uniform(slot, statement, &self.moves())
    }

    /// The array that a load or store accesses, if each lane has a copy of it.
    pub(super) fn private_array(&self, access: Value<'a>) -> Option<ArrayId> {
        self.private.array_of(self.shared.scop, access)
    }

    /// Whether an access to an array that each lane has a copy of is to a whole element, the same one in all lanes.
    fn has_copies(&mut self, array: ArrayId, (pointer, ty): (Value<'a>, Type<'a>)) -> Option<()> {
        let size = self.run.element(ty)?.size;
        let is_whole = size == self.shared.scop.arrays[array.0].element_size;
        (is_whole && self.form(pointer)? == Form::Uniform).then_some(())
    }

    /// Lanes store to places of their own.
    fn store_to(&mut self, pointer: Value<'a>) -> Option<()> {
        (self.form(pointer)? != Form::Uniform).then_some(())
    }

    /// The form of a value.
    pub(super) fn form(&mut self, value: Value<'a>) -> Option<Form<'a>> {
        if let Some(known) = self.known.get(&value) {
            return Some(known.clone());
        }
        let source = self.shared.scop.source(self.statement, value);
        let form = match source {
            _ if let Some(moved) = self.moved_in_copies(value) => self.in_copies(moved)?,
            Source::Outside => Form::Uniform,
            Source::Rotation(id, _) => self.buffer(id),
            Source::ScalarSlot(slot) => self.slot_read(slot, value)?,
            Source::Induction(..) | Source::Statement | Source::Recomputed => {
                let around = |id| self.strides.contains_key(&id);
                match (self.shared.affine_in(self.statement, value, around), source) {
                    (Some(affine), _) => self.affine(affine)?,
                    (None, Source::Induction(id, index)) => self.induction(id, index)?,
                    (None, _) => self.computed(value)?,
                }
            }
        };
        self.known.insert(value, form.clone());
        Some(form)
    }

    /// Whether a value is the address of a buffer that takes turns.
    pub(super) fn takes_turns(&self, value: Value<'a>) -> bool {
        matches!(self.shared.scop.source(self.statement, value), Source::Rotation(..))
    }

    /// How an address in an array that has copies moves from lane to lane. All lanes are in one strip.
    fn moved_in_copies(&self, value: Value<'a>) -> Option<Vec<(IntValue<'a>, i64)>> {
        let access = (&self.statement.name[..], value);
        let copies = self.shared.copies;
        copies
            .has(access)
            .then(|| copies.moved(access, &self.moves()))
            .flatten()
    }

    /// The form of an address that moves so.
    fn in_copies(&self, moved: Vec<(IntValue<'a>, i64)>) -> Option<Form<'a>> {
        let mut step = Step::default();
        for (bytes, factor) in moved {
            step.add_value(factor, bytes)?;
        }
        Some(step.form())
    }

    /// The form of the address of a buffer that takes turns.
    fn buffer(&self, id: RotationId) -> Form<'a> {
        let buffers = self.shared.scop.phis(id).len() as i64;
        match self.strides[&id.0] % buffers {
            0 => Form::Uniform,
            _ => Form::Wide,
        }
    }

    fn slot_read(&mut self, slot: SlotId, value: Value<'a>) -> Option<Form<'a>> {
        let diverge = self.conditions.diverge;
        match Access::to_slot(&self.shared.scop.slots[slot.0]) {
            // What is the same in all lanes would be loaded without a mask.
            Some(access) => {
                let form = self.loaded(access.original, (access.pointer, value));
                form.filter(|form| !diverge || *form == Form::Wide)
            }
            None if diverge && self.shared.slots.is_expanded(slot) => None,
            None if self.shared.slots.is_expanded(slot) && !self.is_uniform(slot) => {
                self.run.is_lane(value.ty()).then_some(Form::Wide)
            }
            None if self.private.slots.contains(&slot) => self.run.is_lane(value.ty()).then_some(Form::Wide),
            None => Some(Form::Uniform),
        }
    }

    fn affine(&self, affine: &Affine<'a>) -> Option<Form<'a>> {
        let mut step = Step::default();
        for (invariant, counter) in affine {
            let Some(counter) = counter else { continue };
            let factor = self.shared.invariants[invariant].into_int_value();
            step.add_value(self.strides[counter], factor)?;
        }
        Some(step.form())
    }

    fn induction(&mut self, id: LoopId, index: usize) -> Option<Form<'a>> {
        let induction = self.shared.scop.loops[id.0].inductions[index];
        let mut step = match induction.start {
            Start::Value(start) => self.form(start)?.step()?,
            Start::Expression(_) => Step::default(),
        };
        if self.bits(induction.phi)? > 64 {
            return None;
        }
        let factor = self.shared.invariants[&induction.step].into_int_value();
        step.add_value(self.strides[&id], factor)?;
        Some(step.form())
    }

    /// The width of an integer or of an address.
    fn bits(&self, value: Value<'a>) -> Option<u32> {
        match value.ty().kind() {
            TypeKind::Integer(bits) => Some(bits),
            TypeKind::Pointer(_) => Some(64),
            _ => None,
        }
    }

    /// The form of what an access reads from an address.
    fn loaded(&mut self, access: Value<'a>, (pointer, value): (Value<'a>, Value<'a>)) -> Option<Form<'a>> {
        if let Some(array) = self.private_array(access) {
            self.has_copies(array, (pointer, value.ty()))?;
            return self.run.is_lane(value.ty()).then_some(Form::Wide);
        }
        match self.form(pointer)? {
            Form::Uniform => Some(Form::Uniform),
            _ => self.run.is_lane(value.ty()).then_some(Form::Wide),
        }
    }

    fn computed(&mut self, value: Value<'a>) -> Option<Form<'a>> {
        if let Kind::Load { pointer } = value.kind() {
            // What is the same for all lanes is loaded by a mask, too.
            let has_form = !self.conditions.govern(value) || self.run.is_lane(value.ty().elements().0);
            return has_form.then(|| self.loaded(value, (pointer, value))).flatten();
        }
        if value.is_phi() {
            return self.phi(value);
        }
        let facts = value.facts();
        let is_governed = self.conditions.govern(value);
        let is_apart = (facts.may_read() || facts.may_write()) && !facts.errno_only();
        let is_call = facts.errno_only() && !is_errno_square_root(value);
        if is_apart || facts.may_throw() || facts.droppable() || is_call && is_governed {
            return None;
        }
        let operands: Vec<Value<'a>> = value.operands().into_iter().filter(|o| o.is_data()).collect();
        let mut forms = Vec::new();
        for operand in &operands {
            forms.push(self.form(*operand)?);
        }
        // A scalar is computed whatever the condition.
        let may_trap = is_division(value) || matches!(value.kind(), Kind::Call(_));
        if forms.iter().all(|form| *form == Form::Uniform) && !(is_governed && may_trap) {
            return Some(Form::Uniform);
        }
        if let Some(step) = self.stepped(value, &forms) {
            return Some(step.form());
        }
        if facts.errno_only() {
            return self.one_by_one(value, &operands);
        }
        if !self.run.is_widenable(value) {
            return None;
        }
        for (index, (operand, form)) in operands.iter().zip(&forms).enumerate() {
            self.vector(*operand)?;
            if self.run.is_scalar_operand(value, index) && *form != Form::Uniform {
                return None;
            }
        }
        Some(Form::Wide)
    }

    /// The form of a phi behind conditions.
    fn phi(&mut self, phi: Value<'a>) -> Option<Form<'a>> {
        let Kind::Phi(incoming) = phi.kind() else { return None };
        if !self.statement.instructions.contains(&phi) || self.statement.blocks.len() == 1 {
            return None;
        }
        for (value, _) in incoming {
            self.vector(value)?;
        }
        let is_truth = phi.ty().kind() == TypeKind::Integer(1);
        (is_truth || self.run.is_lane(phi.ty())).then_some(Form::Wide)
    }

    /// The form of a call that may set `errno`, which has no vector form: it is called for each lane.
    fn one_by_one(&self, call: Value<'a>, operands: &[Value<'a>]) -> Option<Form<'a>> {
        let arguments = &operands[..operands.len() - 1];
        let are_lanes = arguments.iter().all(|argument| self.run.is_lane(argument.ty()));
        (are_lanes && self.run.is_lane(call.ty())).then_some(Form::Wide)
    }

    /// The step of a sum, a difference, a truncation or an address.
    fn stepped(&mut self, value: Value<'a>, operands: &[Form<'a>]) -> Option<Step<'a>> {
        let is_address = matches!(value.ty().kind(), TypeKind::Pointer(_));
        let opcode = value.instruction()?.get_opcode();
        if opcode == InstructionOpcode::GetElementPtr && is_address {
            let mut step = operands[0].step()?;
            for (variable, bytes) in self.run.address_offset(value)?.terms {
                let own = self.form(variable)?.step()?;
                step.add(bytes, &own);
            }
            return Some(step);
        }
        if !matches!(value.ty().kind(), TypeKind::Integer(bits) if bits <= 64) {
            return None;
        }
        let second = match opcode {
            InstructionOpcode::SExt if self.all_are_executed() => return self.step_of(self.run.unwrapped(value)),
            InstructionOpcode::Trunc => {
                return matches!(self.bits(value.operands()[0]), Some(bits) if bits <= 64)
                    .then(|| operands[0].step())
                    .flatten();
            }
            InstructionOpcode::Add => 1,
            InstructionOpcode::Sub => -1,
            _ => return None,
        };
        let mut step = operands[0].step()?;
        step.add(second, &operands[1].step()?);
        Some(step)
    }

    /// Whether all lanes execute all of the statement, so that nothing wraps in lane 0 that does not in others.
    fn all_are_executed(&self) -> bool {
        !self.conditions.diverge && self.conditions.blocks.is_empty()
    }

    /// By how much an expression of 64 bits grows from lane to lane: a sum of what grows with counters, and of what is the same in all lanes.
    ///
    /// ```text
    /// sext(t[i] * n + j)      with a sum that does not wrap: sext(t[i] * n) + j, which grows by 1 along j
    /// ```
    fn step_of(&mut self, scev: Scev<'a>) -> Option<Step<'a>> {
        if self.is_same_in_lanes(scev) {
            return Some(Step::default());
        }
        match scev.kind() {
            ScevKind::Add(parts, _) => {
                let mut step = Step::default();
                for part in parts {
                    step.add(1, &self.step_of(part)?);
                }
                Some(step)
            }
            ScevKind::AddRec(at, operands, _) => {
                let [start, by] = operands[..] else { return None };
                let mut step = self.step_of(start)?;
                let stride = self.stride_along(at)?;
                match by.kind() {
                    ScevKind::Constant(by) => step.constant = step.constant.wrapping_add(stride.wrapping_mul(by)),
                    _ => step.add_value(stride, self.shared.invariants.get(&by)?.into_int_value())?,
                }
                Some(step)
            }
            _ => None,
        }
    }

    /// By how much the counter of a loop grows from lane to lane; `None` if it is not around the statement.
    fn stride_along(&self, handle: Loop<'a>) -> Option<i64> {
        let position = self.shared.scop.loops.iter().position(|l| l.handle == handle)?;
        self.strides.get(&LoopId(position)).copied()
    }

    /// Whether all that an expression is made of is the same in all lanes.
    fn is_same_in_lanes(&mut self, scev: Scev<'a>) -> bool {
        match scev.kind() {
            ScevKind::Constant(_) => true,
            ScevKind::Unknown(value) => self.form(value) == Some(Form::Uniform),
            ScevKind::AddRec(at, operands, _) => {
                self.stride_along(at) == Some(0) && operands.into_iter().all(|operand| self.is_same_in_lanes(operand))
            }
            ScevKind::Truncate(inner) | ScevKind::ZeroExtend(inner) | ScevKind::SignExtend(inner) => {
                self.is_same_in_lanes(inner)
            }
            ScevKind::Add(operands, _) | ScevKind::Mul(operands, _) => {
                operands.into_iter().all(|operand| self.is_same_in_lanes(operand))
            }
            _ => false,
        }
    }
}
