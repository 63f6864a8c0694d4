//! The execution of one statement instance: clones of the original instructions.
//!
//! Integers of 64 bits that are affine in the loops' counters are not cloned but computed from the counters: the
//! original's detour through a narrow induction variable and its extension would hide from LLVM that addresses
//! advance by a constant.
//!
//! A statement of several blocks comes with clones of its blocks and branches, and a block behind them where all ways
//! meet: what the original would not execute, the clone does not execute either, but for [accesses](unconditional) that nobody can tell.

mod if_conversion;
mod unconditional;

use farkas_llvm::Run;
use farkas_llvm::edit::{byte_offset, is_errno_square_root};
use farkas_llvm::inkwell::basic_block::BasicBlock;
use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::{BasicTypeEnum, IntType};
use farkas_llvm::inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PhiValue, PointerValue};
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Affine, IrStatement, LoopId, ScopIr, SlotId, Source, Start, Written};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Value};
use farkas_llvm::vector::Offset;
use indexmap::{IndexMap, IndexSet};

use crate::arith::BUILDS;
use crate::array_copies::ArrayCopies;
use crate::errno::Errno;
use crate::rotation;
use crate::slots::Slots;
use crate::value_numbering::{Operation, Sum, ValueNumbers};
use if_conversion::is_convertible;
use unconditional::LateStores;

/// The values of the region that are affine in its counters.
pub(super) fn affine_values<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>) -> IndexMap<Value<'a>, Affine<'a>> {
    let mut result = IndexMap::new();
    for value in scop.region.blocks.values().flatten().copied() {
        if value.ty().kind() == TypeKind::Integer(64) {
            let as_written = run.scev(value).and_then(|scev| affine(run, scop, scev));
            // Where the value is poison, any is right.
            let affine = as_written.or_else(|| affine(run, scop, run.unwrapped(value)));
            let affine = affine.or_else(|| widened(run, scop, value));
            result.extend(affine.map(|affine| (value, affine)));
        }
    }
    result
}

/// The sum that an extended integer is by the assumptions, if all of it can be computed before the region.
fn widened<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, value: Value<'a>) -> Option<Affine<'a>> {
    let sum = scop.widened.get(&value)?;
    let known = |(invariant, _): &(Scev<'a>, Option<LoopId>)| scop.region.is_parameter(run, *invariant);
    sum.iter().all(known).then(|| sum.clone())
}

fn affine<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, scev: Scev<'a>) -> Option<Affine<'a>> {
    let region = &scop.region;
    if region.is_invariant(run, scev) {
        return region.is_parameter(run, scev).then(|| vec![(scev, None)]);
    }
    match scev.kind() {
        ScevKind::AddRec(at, operands, _) => {
            let [start, step] = operands[..] else { return None };
            let id = scop.loops.iter().position(|l| l.handle == at)?;
            let is_known = |factor: &Scev<'a>| region.is_parameter(run, *factor);
            let mut result = affine(run, scop, start)?;
            // In lanes along several counters, parts may add up to nothing: `n + 1` for one, `-n` and `-1` for others.
            let factors = match step.kind() {
                ScevKind::Add(parts, _) if parts.iter().all(is_known) => parts,
                _ => vec![step],
            };
            result.extend(factors.iter().map(|factor| (*factor, Some(LoopId(id)))));
            factors.iter().all(is_known).then_some(result)
        }
        ScevKind::Add(operands, _) => {
            let parts: Option<Vec<_>> = operands.into_iter().map(|operand| affine(run, scop, operand)).collect();
            Some(parts?.concat())
        }
        _ => None,
    }
}

/// What all statement instances share.
pub(super) struct Statements<'b, 'a> {
    /// The offset of an address from its base.
    pub(super) offset: &'b dyn Fn(Value<'a>) -> Option<Offset<'a>>,
    /// What is at hand where the builder stands.
    pub(super) values: &'b ValueNumbers<'a>,
    pub(super) scop: &'b ScopIr<'a>,
    pub(super) builder: &'b Builder<'a>,
    /// The function that blocks are added to.
    pub(super) function: FunctionValue<'a>,
    pub(super) i64: IntType<'a>,
    pub(super) affine: &'b IndexMap<Value<'a>, Affine<'a>>,
    /// Invariants, computed before the new code.
    pub(super) invariants: &'b IndexMap<Scev<'a>, BasicValueEnum<'a>>,
    /// The slots that are in no array of the program.
    pub(super) slots: &'b Slots<'a>,
    /// The arrays that have copies.
    pub(super) copies: &'b ArrayCopies<'a>,
    pub(super) errno: &'b Errno<'a>,
    /// Called with each original load or store and its clone, with the store that a slot is placed at and accesses to
    /// the slot, and with `None` for accesses to stack slots.
    pub(super) on_access: &'b dyn Fn(Option<Value<'a>>, Value<'a>),
    /// What a load of the statement at hand reads in a buffer that stands for its array, if there is one.
    pub(super) in_buffer: &'b dyn Fn(Value<'a>) -> Option<BasicValueEnum<'a>>,
}

/// One instance while it is emitted.
pub(super) struct Instance<'c, 'b, 'a> {
    shared: &'c Statements<'b, 'a>,
    statement: &'c IrStatement<'a>,
    counters: IndexMap<LoopId, IntValue<'a>>,
    /// What was read from slots, and clones of the statement's instructions: at hand wherever the original is.
    own: IndexMap<Value<'a>, BasicValueEnum<'a>>,
    /// What was computed anew, in the first block or in the current one.
    computed: IndexMap<Value<'a>, BasicValueEnum<'a>>,
    /// The blocks that are executed although the original might not do so. What is known of their instructions does not hold then.
    speculated: IndexSet<Block<'a>>,
    /// The values that may be poison, although what follows from them is used. They have no flags.
    unsure: IndexSet<Value<'a>>,
}

impl<'b, 'a> Statements<'b, 'a> {
    /// A product of integers of 64 bits, modulo 2^64.
    fn product(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        match (Value::from_inkwell(a).as_integer(), Value::from_inkwell(b).as_integer()) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.values.operation(Operation::Product, (a, b), || {
                self.builder.build_int_mul(a, b, "").expect(BUILDS)
            }),
        }
    }

    /// A sum of integers of 64 bits, modulo 2^64.
    fn sum(&self, a: IntValue<'a>, b: IntValue<'a>) -> IntValue<'a> {
        match (Value::from_inkwell(a).as_integer(), Value::from_inkwell(b).as_integer()) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.values.operation(Operation::Sum, (a, b), || {
                self.builder.build_int_add(a, b, "").expect(BUILDS)
            }),
        }
    }

    /// An address that is so many bytes further on.
    pub(super) fn advanced(&self, address: PointerValue<'a>, distance: IntValue<'a>) -> PointerValue<'a> {
        let sum = |value: Value<'a>| self.values.sum_of(value);
        let bytes = sum(Value::from_inkwell(distance));
        let sum = self
            .values
            .address(&sum(Value::from_inkwell(address)), &[(bytes, 1)], 0);
        self.values
            .near(&sum, false, (self.builder, self.i64))
            .unwrap_or_else(|| {
                let address = byte_offset(self.builder, address, distance);
                self.values.is_sum(Value::from_inkwell(address), sum);
                address
            })
    }

    /// The sum that a value is in a statement, if it is affine in counters of loops `around` it alone. It may be in those of others,
    /// after them.
    pub(super) fn affine_in<'s>(
        &'s self,
        statement: &'s IrStatement<'a>,
        value: Value<'a>,
        around: impl Fn(LoopId) -> bool,
    ) -> Option<&'s Affine<'a>> {
        let is_around = |(_, counter): &(Scev<'a>, Option<LoopId>)| counter.is_none_or(&around);
        let affine = statement.affine.get(&value).or_else(|| self.affine.get(&value))?;
        affine.iter().all(is_around).then_some(affine)
    }

    /// An instance of which nothing is emitted yet.
    pub(super) fn begin<'c>(
        &'c self,
        statement: &'c IrStatement<'a>,
        counters: &[IntValue<'a>],
    ) -> Instance<'c, 'b, 'a> {
        assert_eq!(
            counters.len(),
            statement.loops.len(),
            "a counter for each loop around {}",
            statement.name
        );
        Instance {
            shared: self,
            statement,
            counters: statement.loops.iter().copied().zip(counters.iter().copied()).collect(),
            own: IndexMap::new(),
            computed: IndexMap::new(),
            speculated: IndexSet::new(),
            unsure: IndexSet::new(),
        }
    }

    /// Emits the instance of a statement with the given values of the counters of the loops around it. The builder
    /// comes to stand behind it.
    pub(super) fn instance(&self, statement: &IrStatement<'a>, counters: &[IntValue<'a>]) {
        let mut instance = self.begin(statement, counters);
        for (slot, value) in &statement.reads {
            instance.read(*slot, *value);
        }
        let written = match statement.blocks[..] {
            [_] => {
                statement.instructions.iter().for_each(|i| instance.instruction(*i));
                instance.written(&IndexMap::new())
            }
            _ => {
                instance.elsewhere();
                instance.blocks()
            }
        };
        for (write, value) in statement.writes.iter().zip(written) {
            let address = instance.address(write.slot);
            let store = self.builder.build_store(address, value).expect(BUILDS);
            instance.accessed(write.slot, Value::from_inkwell(store));
        }
    }
}

impl<'a> Statements<'_, 'a> {
    /// Emits an instance of a copying statement, which stores what it loads at a place.
    pub(super) fn copy(&self, statement: &IrStatement<'a>, counters: &[IntValue<'a>], place: PointerValue<'a>) {
        let mut instance = self.begin(statement, counters);
        let [load] = statement.instructions[..] else {
            unreachable!("a copying statement is a load")
        };
        instance.instruction(load);
        let store = self.builder.build_store(place, instance.own[&load]).expect(BUILDS);
        (self.on_access)(None, Value::from_inkwell(store));
    }
}

/// The values that flow along edges, as phis have them: those of each way in.
type Incoming<'a> = Vec<(BasicValueEnum<'a>, BasicBlock<'a>)>;

impl<'a> Instance<'_, '_, 'a> {
    /// Reads a value from its slot.
    pub(super) fn read(&mut self, slot: SlotId, value: Value<'a>) {
        let address = self.address(slot);
        let loaded = self.shared.builder.build_load(basic_type(value), address, "");
        let loaded = loaded.expect(BUILDS);
        self.accessed(slot, Value::from_inkwell(loaded));
        self.own.insert(value, loaded);
    }

    /// The instance whose counters are so many moves further on, of which nothing is emitted yet.
    pub(super) fn moved(&self, times: i64, moves: &[i64]) -> Self {
        let i64 = self.shared.i64;
        let on =
            |(counter, by): (IntValue<'a>, &i64)| self.shared.sum(counter, i64.const_int((times * by) as u64, true));
        let counters: Vec<IntValue<'a>> = self.counters.values().copied().zip(moves).map(on).collect();
        let mut moved = self.shared.begin(self.statement, &counters);
        moved.speculate(&self.speculated, &self.unsure);
        moved
    }

    /// Has these blocks executed in any case, and these values computed for what does not use them alone.
    pub(super) fn speculate(&mut self, blocks: &IndexSet<Block<'a>>, values: &IndexSet<Value<'a>>) {
        self.speculated.clone_from(blocks);
        self.unsure.clone_from(values);
    }

    fn is_speculated(&self, original: Value<'a>) -> bool {
        let is_executed_early = || original.is_instruction() && self.speculated.contains(&original.block());
        self.unsure.contains(&original) || is_executed_early()
    }

    /// Takes a value for that of an instruction of the statement.
    pub(super) fn set(&mut self, original: Value<'a>, value: BasicValueEnum<'a>) {
        self.own.insert(original, value);
    }

    /// Where the slot is.
    pub(super) fn address(&mut self, slot: SlotId) -> PointerValue<'a> {
        match self.shared.scop.slots[slot.0]
            .mapped_to
            .and_then(Value::accessed_pointer)
        {
            Some(pointer) => self.value(pointer).into_pointer_value(),
            None => self.expanded_address(slot, (0, &[])),
        }
    }

    /// Where a slot that is in no array of the program is, `lane` moves of the counters further on.
    pub(super) fn expanded_address(&self, slot: SlotId, lane: (i64, &[i64])) -> PointerValue<'a> {
        let Statements { builder, i64, .. } = *self.shared;
        let counters: Vec<IntValue<'a>> = self.counters.values().copied().collect();
        let statement = &self.statement.name;
        self.shared
            .slots
            .address(slot, statement, &counters, lane, (builder, i64))
    }

    /// Sees to what belongs to an access to the slot.
    pub(super) fn accessed(&self, slot: SlotId, access: Value<'a>) {
        let place = self.shared.scop.slots[slot.0].mapped_to;
        if let Some((access, place)) = access.instruction().zip(place.and_then(Value::instruction)) {
            let alignment = place.get_alignment().expect("a load or store");
            access
                .set_alignment(alignment)
                .expect("the alignment of another access");
        }
        (self.shared.on_access)(place, access);
    }

    /// Clones the instructions that are of other blocks than the statement's.
    fn elsewhere(&mut self) {
        let statement = self.statement;
        for original in statement
            .instructions
            .iter()
            .filter(|i| !statement.blocks.contains(&i.block()))
        {
            self.instruction(*original);
        }
    }

    /// Clones the instructions of a block, but for accesses that are made in front of the blocks under conditions, or behind them.
    fn block(&mut self, block: Block<'a>) {
        let statement = self.statement;
        let own = |i: &&Value<'a>| i.block() == block && !statement.unconditional.contains(*i);
        for original in statement.instructions.iter().filter(own) {
            self.instruction(*original);
        }
    }

    /// Emits an instruction of the statement.
    pub(super) fn instruction(&mut self, original: Value<'a>) {
        if !original.is_phi()
            && let Some(value) = self.affine(original)
        {
            self.own.insert(original, value);
            return;
        }
        if let Some(value) = (self.shared.in_buffer)(original) {
            self.own.insert(original, value);
            return;
        }
        if let Some(address) = self.in_copy(original) {
            self.own.insert(original, address.into());
            return;
        }
        let clone = if original.is_phi() {
            let phi = self.shared.builder.build_phi(basic_type(original), "");
            Value::from_inkwell(phi.expect(BUILDS))
        } else {
            self.cloned(original)
        };
        if clone.is_load_or_store() {
            (self.shared.on_access)(Some(original), clone);
        }
        self.own.extend(clone.basic().map(|clone| (original, clone)));
    }

    /// Clones blocks and branches; returns the values for the slots, at hand in the block that the builder is left in.
    fn blocks(&mut self) -> Vec<BasicValueEnum<'a>> {
        if is_convertible(self.statement) {
            return self.if_converted();
        }
        let (builder, context) = (self.shared.builder, self.shared.i64.get_context());
        let append = |name| context.append_basic_block(self.shared.function, name);
        let (first, others) = self.statement.blocks.split_first().expect("a statement has a block");
        let mut clones = IndexMap::from([(*first, builder.get_insert_block().expect("a positioned builder"))]);
        clones.extend(others.iter().map(|block| (*block, append("farkas.if"))));
        let join = append("farkas.join");
        let mut phis: IndexMap<Value<'a>, Incoming<'a>> = IndexMap::new();
        let mut leaving: IndexMap<usize, Incoming<'a>> = IndexMap::new();
        let mut late = LateStores::new(self.statement);
        let mut everywhere = 0;
        let values = self.shared.values;
        let mut scope = None;
        for (block, clone) in &clones {
            builder.position_at_end(*clone);
            // What the first block has is at hand behind the statement, too.
            if block != first {
                drop(scope.take());
                scope = Some(values.scope());
            }
            self.computed.truncate(everywhere);
            self.block(*block);
            if block == first {
                self.early_loads();
            }
            let mut targets = block.successors();
            // A branch to one place in both cases becomes a jump; of a switch, each edge counts.
            if targets.len() == 2 {
                targets.dedup();
            }
            for target in &targets {
                if clones.contains_key(target) {
                    for phi in self.own_phis(*target) {
                        let value = phi.incoming_from(*block).expect("a phi knows all ways in");
                        let value = self.value(value);
                        phis.entry(phi).or_default().push((value, *clone));
                    }
                } else if !target.is_never_reached() {
                    self.leave(&mut late, (*block, *clone));
                    for (index, write) in self.statement.writes.iter().enumerate() {
                        if let Written::From(values) = &write.value {
                            let value = values.iter().find(|(from, _)| from == block);
                            let value = self.value(value.expect("a value for each way out").1);
                            leaving.entry(index).or_default().push((value, *clone));
                        }
                    }
                }
            }
            let clone_of = |target: &Block<'a>| match clones.get(target) {
                Some(clone) => *clone,
                None if target.is_never_reached() => self.never(),
                None => join,
            };
            let to: Vec<BasicBlock<'a>> = targets.iter().map(clone_of).collect();
            builder.position_at_end(*clone);
            self.branch(*block, &to);
            if block == first {
                everywhere = self.computed.len();
            }
        }
        for (original, incoming) in phis {
            add_incoming(
                Value::from_inkwell(self.own[&original])
                    .phi()
                    .expect("a clone of a phi"),
                &incoming,
            );
        }
        drop(scope);
        builder.position_at_end(join);
        self.computed.truncate(everywhere);
        // Phis come first.
        let stored = late.phis(builder);
        let written = self.written(&leaving);
        for (store, is_executed, value) in stored {
            self.store_late(store, is_executed, value);
        }
        written
    }

    /// The phis that the statement needs of one of its blocks.
    fn own_phis(&self, block: Block<'a>) -> Vec<Value<'a>> {
        let own = |phi: &Value<'a>| self.statement.instructions.contains(phi);
        block.phis().into_iter().filter(own).collect()
    }

    /// A new block that is never reached.
    fn never(&self) -> BasicBlock<'a> {
        let block = self
            .shared
            .i64
            .get_context()
            .append_basic_block(self.shared.function, "farkas.never");
        self.shared.builder.position_at_end(block);
        self.shared.builder.build_unreachable().expect(BUILDS);
        block
    }

    /// Clones what ends `block`; it goes on to `targets`.
    fn branch(&mut self, block: Block<'a>, targets: &[BasicBlock<'a>]) {
        if let [only] = targets {
            self.shared.builder.build_unconditional_branch(*only).expect(BUILDS);
            return;
        }
        let branch = self.cloned(block.terminator());
        for (index, target) in targets.iter().enumerate() {
            branch.set_target(index, *target);
        }
    }

    /// The values for the slots, where the builder stands. `leaving` has those of the ways there for the writes with a
    /// value for each.
    fn written(&mut self, leaving: &IndexMap<usize, Incoming<'a>>) -> Vec<BasicValueEnum<'a>> {
        let builder = self.shared.builder;
        // Phis come first.
        let phis: IndexMap<usize, BasicValueEnum<'a>> = leaving
            .iter()
            .map(|(index, incoming)| {
                let phi = builder.build_phi(incoming[0].0.get_type(), "").expect(BUILDS);
                add_incoming(phi, incoming);
                (*index, phi.as_basic_value())
            })
            .collect();
        let writes = self.statement.writes.iter().enumerate();
        writes
            .map(|(index, write)| match write.value {
                Written::Always(value) => self.value(value),
                Written::From(_) => phis[&index],
            })
            .collect()
    }
}

fn add_incoming<'a>(phi: PhiValue<'a>, incoming: &Incoming<'a>) {
    for (value, from) in incoming {
        phi.add_incoming(&[(value, *from)]);
    }
}

pub(super) fn basic_type<'a>(value: Value<'a>) -> BasicTypeEnum<'a> {
    value.ty().inkwell().expect("a value of a first-class type")
}

impl<'a> Instance<'_, '_, 'a> {
    /// The value that stands for `original` in this instance.
    pub(super) fn value(&mut self, original: Value<'a>) -> BasicValueEnum<'a> {
        if let Some(value) = self.own.get(&original).or_else(|| self.computed.get(&original)) {
            return *value;
        }
        if let Some(address) = self.in_copy(original) {
            self.computed.insert(original, address.into());
            return address.into();
        }
        let source = self.shared.scop.source(self.statement, original);
        match source {
            Source::Outside => return original.basic().expect("an operand that is data"),
            Source::ScalarSlot(_) => unreachable!("slots are read before the statement's instructions"),
            Source::Induction(..) | Source::Rotation(..) | Source::Statement | Source::Recomputed => {}
        }
        let value = self.affine(original).unwrap_or_else(|| match source {
            Source::Induction(id, index) => self.induction(id, index),
            Source::Rotation(id, position) => {
                let (phis, counter) = (self.shared.scop.phis(id), self.counters[&id.0]);
                rotation::buffer(self.shared.builder, phis, counter, position)
            }
            _ => {
                let clone = self.cloned(original);
                if clone.is_load_or_store() {
                    (self.shared.on_access)(Some(original), clone);
                }
                clone.basic().expect("an operand that is data")
            }
        });
        self.computed.insert(original, value);
        value
    }

    /// What stands for an address in an array that has copies.
    fn in_copy(&self, original: Value<'a>) -> Option<PointerValue<'a>> {
        let Statements {
            copies, builder, i64, ..
        } = *self.shared;
        let access = (&self.statement.name[..], original);
        if !copies.has(access) {
            return None;
        }
        let counters: Vec<IntValue<'a>> = self.counters.values().copied().collect();
        let (copy, distance) = copies.address(access, &counters, (builder, i64))?;
        Some(self.shared.advanced(copy, distance))
    }

    /// The value where it is a sum of invariants times counters.
    fn affine(&self, original: Value<'a>) -> Option<BasicValueEnum<'a>> {
        let around = |id| self.counters.contains_key(&id);
        let affine = self.shared.affine_in(self.statement, original, around)?;
        let mut sum: Option<IntValue<'a>> = None;
        for (invariant, counter) in affine {
            let mut term = self.shared.invariants[invariant].into_int_value();
            if let Some(counter) = counter {
                term = self.shared.product(self.counters[counter], term);
            }
            sum = Some(sum.map_or(term, |sum| self.shared.sum(sum, term)));
        }
        Some(sum.unwrap_or(self.shared.i64.const_zero()).into())
    }

    /// `start + counter * step`, modulo the width of the phi.
    fn induction(&mut self, id: LoopId, index: usize) -> BasicValueEnum<'a> {
        let builder = self.shared.builder;
        let induction = self.shared.scop.loops[id.0].inductions[index];
        let start = match induction.start {
            Start::Value(start) => self.value(start),
            Start::Expression(start) => self.shared.invariants[&start],
        };
        let step = self.shared.invariants[&induction.step].into_int_value();
        let counter = self.counters[&id];
        let distance = match step.get_type().get_bit_width() {
            64 => self.shared.product(counter, step),
            narrow => {
                let counter = match narrow < 64 {
                    true => builder.build_int_truncate(counter, step.get_type(), ""),
                    false => builder.build_int_s_extend(counter, step.get_type(), ""),
                };
                builder.build_int_mul(counter.expect(BUILDS), step, "").expect(BUILDS)
            }
        };
        match start {
            BasicValueEnum::IntValue(start) => builder.build_int_add(start, distance, "").expect(BUILDS).into(),
            BasicValueEnum::PointerValue(start) => self.shared.advanced(start, distance).into(),
            other => unreachable!("an induction is an integer or a pointer, not {other}"),
        }
    }

    /// The sum that an original address is in this instance, if that is known without computing the address.
    pub(super) fn sum_of_address(&mut self, original: Value<'a>) -> Option<Sum> {
        match self.own.get(&original).or_else(|| self.computed.get(&original)) {
            Some(known) => Some(self.shared.values.sum_of(Value::from_inkwell(*known))),
            None => self.address_sum(original),
        }
    }

    /// The sum that an original address is in this instance; `None` if its offset is no sum of integers.
    fn address_sum(&mut self, original: Value<'a>) -> Option<Sum> {
        if self.shared.copies.has((&self.statement.name, original)) {
            let address = self.value(original);
            return Some(self.shared.values.sum_of(Value::from_inkwell(address)));
        }
        let Offset { terms, constant } = (self.shared.offset)(original)?;
        let base = original.operands()[0];
        let is_known = self.own.contains_key(&base) || self.computed.contains_key(&base);
        let base = match self.shared.scop.source(self.statement, base) {
            Source::Statement | Source::Recomputed if !is_known => self.address_sum(base),
            _ => None,
        }
        .unwrap_or_else(|| {
            let base = self.value(base);
            self.shared.values.sum_of(Value::from_inkwell(base))
        });
        let terms = terms.into_iter().map(|(variable, bytes)| {
            let variable = self.value(variable);
            (self.shared.values.sum_of(Value::from_inkwell(variable)), bytes)
        });
        let terms: Vec<(Sum, i64)> = terms.collect();
        Some(self.shared.values.address(&base, &terms, constant))
    }

    /// What computes an original instruction in this instance, at the builder's place: a clone with other operands, or an address
    /// from one that is accessed before.
    fn cloned(&mut self, original: Value<'a>) -> Value<'a> {
        let Some(sum) = self.address_sum(original) else {
            return self.clone_of(original);
        };
        let (values, place) = (self.shared.values, (self.shared.builder, self.shared.i64));
        let is_inbounds = original.is_inbounds() && !self.is_speculated(original);
        if let Some(address) = values.near(&sum, is_inbounds, place) {
            return Value::from_inkwell(address);
        }
        let address = self.clone_of(original);
        values.is_sum(address, sum);
        address
    }

    /// A clone of the instruction at the builder's place, its operands replaced.
    fn clone_of(&mut self, original: Value<'a>) -> Value<'a> {
        let operands: Vec<_> = original
            .operands()
            .into_iter()
            .map(|operand| operand.is_data().then(|| self.value(operand)))
            .collect();
        if is_errno_square_root(original) {
            let Statements { errno, builder, .. } = *self.shared;
            let on_access = |access| (self.shared.on_access)(None, access);
            let argument = operands[0].expect("an argument");
            return Value::from_inkwell(errno.square_root(builder, original, argument, &on_access));
        }
        let clone = original.duplicate();
        if self.statement.updates.contains(&original) || self.is_speculated(original) {
            farkas_llvm::edit::drop_poison_generating(clone);
        }
        self.shared.builder.insert_instruction(&clone, None);
        Value::from_inkwell(clone).take_location(original);
        for (index, operand) in operands.into_iter().enumerate() {
            if let Some(operand) = operand {
                clone.set_operand(index as u32, operand);
            }
        }
        Value::from_inkwell(clone)
    }
}
