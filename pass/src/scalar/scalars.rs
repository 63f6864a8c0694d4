//! Statements, and the scalar slots that carry values between them.
//!
//! A statement uses a value that is computed in the region in one of these ways:
//!
//! - The value is an *induction*: a phi in the header of a loop around the statement, affine in the loop's counter.
//! - It is the address of one of several buffers that [take turns](crate::control::rotations) in a loop around the statement.
//! - The same statement computes it.
//! - It is *recomputed*: instructions without effects compute it from such values, and read no memory.
//! - It is [forwarded](super::operand_tree_forwarding): the statement repeats the load.
//! - It is [hoisted](super::invariant_divisions): a statement outside of the loop computes it, and writes it to a slot.
//! - A *scalar slot* carries it: the statement that computes the value writes the slot, and this statement reads it.
//!   A phi that is no induction has a slot. The statements of its predecessors write the next value of the phi to it.
//!
//! Later users of a phi can read the phi's own slot: it keeps its value until a predecessor of the phi is executed
//! again, and by then the old value has no more uses. There is one exception, a header phi of a loop that is left
//! from its latch. The latch writes the next value before the loop is left. Users outside the loop get a second slot,
//! which the header writes.
//!
//! A statement is a block or a [`Subregion`]. Within a subregion values stay where the original has them, and phis
//! are phis. For a phi behind it, the subregion writes the value of the edge on which it is left. A block may be
//! [split](super::split) into several statements.
//!
//! What the inspector evaluates of [assumed conditions](crate::domain::assumed_conditions) is kept apart, in the form of statements that
//! write nothing.

use super::invariant_divisions::InvariantDivisions;
use super::reductions::reductions;
use super::split::{StatementBody, is_root};
use super::stored_reductions::stored_reduction;
use crate::control::nest::{Nest, NestLoop};
use crate::control::subregion::Subregion;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::domain::assumed_conditions::{AssumedCondition, inspected_instructions};
use crate::domain::domains::{Domains, Subregions};
use crate::scev::names::Names;
use farkas_llvm::Run;
use farkas_llvm::scev::ScevKind;
use farkas_llvm::scop_ir::{
    Induction, IrStatement, LiveOut, LiveOutSource, LoopId, ScalarSlot, SlotId, SlotWrite, Start, Written,
};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

/// The statements of a region, and its slots.
#[derive(Debug)]
pub(crate) struct Scalars<'a> {
    /// For each loop, the inductions of its header.
    pub(crate) inductions: Vec<Vec<Induction<'a>>>,
    pub(crate) slots: Vec<ScalarSlot<'a>>,
    /// In program order.
    pub(crate) statements: Vec<IrStatement<'a>>,
    /// For each statement that only writes phis of one successor: that successor. It is executed only on the edge to
    /// it.
    pub(crate) before: Vec<Option<Block<'a>>>,
    /// For each assumed condition, what the inspector repeats.
    pub(crate) conditions: Vec<IrStatement<'a>>,
    pub(crate) live_outs: Vec<LiveOut<'a>>,
}

/// Finds the statements and slots of the nest, whose blocks have these domains; any statement may compute the
/// values `forwarded` itself.
///
/// # Errors
/// If a value cannot be carried, or there is nothing to do.
pub(crate) fn scalars<'a>(
    run: &'a Run<'_>,
    nest: &Nest<'a>,
    domains: &Domains<'a>,
    forwarded: &IndexSet<Value<'a>>,
    names: &mut Names,
) -> Modelled<'a, Scalars<'a>> {
    let subregions: &Subregions<'a> = &domains.subregions;
    let members = subregions
        .values()
        .flat_map(|s| s.blocks.iter().map(|b| (*b, s.start())));
    let starts: IndexMap<Block<'a>, Block<'a>> = members.collect();
    let mut builder = StatementBuilder {
        run,
        nest,
        names,
        forwarded,
        inductions: vec![Vec::new(); nest.loops.len()],
        recomputable: IndexMap::new(),
        slots: Vec::new(),
        slot_of: IndexMap::new(),
        units: nest
            .blocks
            .keys()
            .filter(|b| starts.get(*b).is_none_or(|start| start == *b))
            .map(|b| (*b, Needs::of(subregions.get(b).cloned())))
            .collect(),
        starts,
        hoisted: InvariantDivisions::default(),
    };
    builder.classify();
    builder.hoisted = builder.invariant_divisions();
    let live_outs = builder.live_outs()?;
    builder.roots();
    builder.saturate()?;
    let (statements, before) = builder.statements()?;
    if statements.is_empty() {
        return Err(Reason::Empty.into());
    }
    let conditions = domains.conditions.iter().map(|assumed| builder.condition(assumed));
    let conditions = conditions.collect::<Modelled<'a, Vec<_>>>()?;
    Ok(Scalars {
        inductions: builder.inductions,
        slots: builder.slots,
        statements,
        before,
        conditions,
        live_outs,
    })
}

/// The instructions, reads and writes that a block or a subregion needs.
#[derive(Debug)]
struct Needs<'a> {
    subregion: Option<Subregion<'a>>,
    /// Instructions to be executed.
    instructions: IndexSet<Value<'a>>,
    reads: IndexMap<Value<'a>, SlotId>,
    /// With the block that the value is for, where it is one that a phi there is to have.
    writes: Vec<(SlotWrite<'a>, Option<Block<'a>>)>,
    /// Requested values that were not looked at yet.
    pending: Vec<Value<'a>>,
}

impl<'a> Needs<'a> {
    fn of(subregion: Option<Subregion<'a>>) -> Self {
        Needs {
            subregion,
            instructions: IndexSet::new(),
            reads: IndexMap::new(),
            writes: Vec::new(),
            pending: Vec::new(),
        }
    }

    /// Requests the value. A statement of several blocks then needs the conditions of its branches as well.
    fn keep(&mut self, value: Value<'a>) {
        self.pending.push(value);
        if let Some(subregion) = &self.subregion {
            let conditions = subregion.blocks.iter().filter_map(|b| b.terminator().condition());
            self.pending.extend(conditions);
        }
    }
}

struct StatementBuilder<'f, 'a, 'r> {
    run: &'a Run<'r>,
    nest: &'f Nest<'a>,
    names: &'f mut Names,
    /// Values that are computed, and loaded, where they are used.
    forwarded: &'f IndexSet<Value<'a>>,
    inductions: Vec<Vec<Induction<'a>>>,
    /// Inductions, and what can be computed from them and from values of outside; with the innermost loop on whose
    /// counter the value depends.
    recomputable: IndexMap<Value<'a>, Option<LoopId>>,
    slots: Vec<ScalarSlot<'a>>,
    slot_of: IndexMap<Value<'a>, PhiSlots>,
    /// Blocks and subregions that may become statements, by their first blocks, in program order.
    units: IndexMap<Block<'a>, Needs<'a>>,
    /// The first block of the subregion that a block is in.
    starts: IndexMap<Block<'a>, Block<'a>>,
    /// What is computed outside of the loops that it is in.
    hoisted: InvariantDivisions<'a>,
}

/// The slots of a value.
#[derive(Clone, Copy, Debug)]
struct PhiSlots {
    /// The slot that users read.
    own: SlotId,
    /// For a phi of a loop that is left from its latch: the slot that users outside the loop read.
    after: Option<SlotId>,
}

impl<'a> StatementBuilder<'_, 'a, '_> {
    /// The first block of the unit that a block is in.
    fn start(&self, block: Block<'a>) -> Block<'a> {
        self.starts.get(&block).copied().unwrap_or(block)
    }

    /// Finds the inductions and the values that can be recomputed. Operands come before their users in program order,
    /// except for those of phis.
    fn classify(&mut self) {
        for block in self.nest.blocks.keys() {
            let header_of = self.nest.loops.iter().position(|l| l.header == *block);
            for value in self.nest.instructions(*block).iter().copied() {
                if value.is_phi() {
                    let is_known = |index| self.nest.rotation(value).is_some() || self.find_induction(index, value);
                    if header_of.is_some_and(is_known) {
                        self.recomputable.insert(value, header_of.map(LoopId));
                    }
                    continue;
                }
                let operands = value.operands();
                let recomputable = value.facts().pure()
                    && value.kind() != Kind::Freeze
                    && value.ty().is_single_value()
                    && operands.iter().all(|operand| self.is_recomputable(*operand, *block));
                if recomputable {
                    // The loops are all around the block, so that the innermost one has the largest index.
                    let loops = operands.iter().filter_map(|operand| self.recomputable.get(operand));
                    let innermost = loops.copied().max().flatten();
                    self.recomputable.insert(value, innermost);
                }
            }
        }
    }

    /// The divisions of the nest that are hoisted.
    fn invariant_divisions(&self) -> InvariantDivisions<'a> {
        let blocks: Vec<Block<'a>> = self.nest.blocks.keys().copied().collect();
        // A subregion has its values where the original has them.
        let plain = |block: Block<'a>| !self.starts.contains_key(&block);
        InvariantDivisions::of(
            self.run,
            blocks.iter().map(|block| (*block, self.nest.instructions(*block))),
            &|value| value.is_data() && self.nest.defines(value),
            &|value, block| self.is_recomputable(value, block),
            &plain,
        )
    }

    fn find_induction(&mut self, index: usize, phi: Value<'a>) -> bool {
        let l = &self.nest.loops[index];
        let (Some(scev), Some(start)) = (self.run.scev(phi), phi.incoming_from(l.entering)) else {
            return false;
        };
        let ScevKind::AddRec(of, operands, _) = scev.kind() else {
            return false;
        };
        let [_, step] = operands[..] else { return false };
        let is_plain = of == l.handle
            && self.nest.region.is_parameter(self.run, step)
            && matches!(step.ty().map(|t| t.kind()), Some(TypeKind::Integer(..=64)));
        let start = self.start_of(start, l.header).filter(|_| is_plain);
        if let Some(start) = start {
            self.inductions[index].push(Induction { phi, start, step });
        }
        start.is_some()
    }

    /// How the start value of an induction of a loop with this header is computed; `None` if it has to be carried in
    /// a slot.
    fn start_of(&self, value: Value<'a>, header: Block<'a>) -> Option<Start<'a>> {
        if self.is_recomputable(value, header) {
            return Some(Start::Value(value));
        }
        let around = self.run.loop_of(header).and_then(|l| l.parent());
        let left = self.run.scev_at_scope(self.run.scev(value)?, around);
        self.nest
            .region
            .is_parameter(self.run, left)
            .then_some(Start::Expression(left))
    }

    /// Whether the value can be recomputed in any instance of a statement in `block`, which comes after it: its
    /// counters have to be those of loops around the block.
    fn is_recomputable(&self, value: Value<'a>, block: Block<'a>) -> bool {
        // Functions that are called are operands, too; metadata and the like are no values.
        if !value.is_data() || !self.nest.defines(value) {
            return value.is_data();
        }
        match self.recomputable.get(&value) {
            Some(Some(innermost)) => self.nest.at(*innermost).handle.contains(block),
            Some(None) => true,
            None => false,
        }
    }

    /// Values that are used outside the nest.
    fn live_outs(&mut self) -> Modelled<'a, Vec<LiveOut<'a>>> {
        let mut live_outs = Vec::new();
        let blocks: Vec<Block<'a>> = self.nest.blocks.keys().copied().collect();
        let region = &self.nest.region;
        for value in blocks
            .into_iter()
            .flat_map(|block| self.nest.instructions(block))
            .copied()
        {
            if !value.users().into_iter().any(|user| region.is_after(user)) {
                continue;
            }
            let expression = self.run.scev(value).map(|s| self.run.scev_at_scope(s, region.around));
            let source = match expression {
                Some(s) if region.is_parameter(self.run, s) => LiveOutSource::Expression(s),
                _ => match self.last_turn(value) {
                    Some(source) => source,
                    None => LiveOutSource::ScalarSlot(self.slot_outside(value)?),
                },
            };
            live_outs.push(LiveOut { value, source });
        }
        Ok(live_outs)
    }

    /// The address of a buffer that takes turns in an outermost loop of the nest, after its last iteration.
    fn last_turn(&self, value: Value<'a>) -> Option<LiveOutSource<'a>> {
        let (id, position) = self.nest.rotation(value)?;
        let l = self.nest.at(id.0);
        let [exiting] = l.exiting[..] else { return None };
        let last = self.run.exit_count(l.handle, exiting);
        let is_counted = last.kind() != ScevKind::CouldNotCompute && self.run.bits(last) <= 64;
        let is_known = is_counted && l.parent.is_none() && self.nest.region.is_parameter(self.run, last);
        is_known.then_some(LiveOutSource::Rotation { id, position, last })
    }

    /// The slot that has the value after the nest.
    fn slot_outside(&mut self, value: Value<'a>) -> Modelled<'a, SlotId> {
        let slots = self.slots_of(value)?;
        match self
            .nest
            .loops
            .iter()
            .find(|l| l.header == value.block() && value.is_phi())
        {
            Some(_) => self.slot_after(value, slots),
            None => Ok(slots.own),
        }
    }

    /// Requests all instructions with effects.
    fn roots(&mut self) {
        let blocks: Vec<Block<'a>> = self.nest.blocks.keys().copied().collect();
        for block in blocks {
            for i in self.nest.instructions(block).iter().copied() {
                if self.nest.has_effect(i) {
                    let start = self.start(block);
                    self.units[&start].keep(i);
                }
            }
        }
    }

    /// Processes requests until there are none.
    fn saturate(&mut self) -> Modelled<'a, ()> {
        while let Some(index) = self.units.values().position(|needs| !needs.pending.is_empty()) {
            let (start, needs) = self.units.get_index_mut(index).expect("an index that was found");
            let start = *start;
            let value = needs.pending.pop().expect("something is pending");
            self.need(start, value)?;
        }
        Ok(())
    }

    /// Makes `value` available to the statement of the unit that starts with `start`.
    fn need(&mut self, start: Block<'a>, value: Value<'a>) -> Modelled<'a, ()> {
        if !value.is_data() || !self.nest.defines(value) || value.is_phi() && self.is_recomputable(value, start) {
            return Ok(());
        }
        let own = self.start(self.hoisted.home(value)) == start && !(value.is_phi() && value.block() == start);
        if own
            || self.hoisted.is_operand_in(value, start)
            || self.forwarded.contains(&value) && !self.is_recomputable(value, start)
        {
            if self.units[&start].instructions.insert(value) {
                self.units[&start].pending.extend(value.operands());
            }
            return Ok(());
        }
        if self.is_recomputable(value, start) || self.units[&start].reads.contains_key(&value) {
            return Ok(());
        }
        let slots = self.slots_of(value)?;
        let slot = match self
            .nest
            .loops
            .iter()
            .find(|l| l.header == value.block() && value.is_phi())
        {
            Some(l) if !l.handle.contains(start) => self.slot_after(value, slots)?,
            // A latch that is in an inner loop, too, writes the next value before this one is last used there.
            Some(l)
                if self
                    .run
                    .loop_of(l.latch)
                    .is_some_and(|inner| inner != l.handle && inner.contains(start)) =>
            {
                return Err(Stop::at(Reason::LatchInside, value));
            }
            _ => slots.own,
        };
        self.units[&start].reads.insert(value, slot);
        Ok(())
    }

    fn new_slot(&mut self, value: Value<'a>, initial: Option<Value<'a>>) -> Modelled<'a, SlotId> {
        let ty = value.ty();
        if !ty.is_single_value() {
            return Err(Stop::at(Reason::OddScalar(ty.to_string()), value));
        }
        let name = self.names.fresh(&value.name(), "s");
        self.slots.push(ScalarSlot {
            name,
            ty,
            initial,
            mapped_to: None,
        });
        Ok(SlotId(self.slots.len() - 1))
    }

    /// The slots of a value; they are made, and written, when they are first asked for.
    fn slots_of(&mut self, value: Value<'a>) -> Modelled<'a, PhiSlots> {
        if let Some(slots) = self.slot_of.get(&value) {
            return Ok(*slots);
        }
        let block = self.hoisted.home(value);
        let Kind::Phi(incoming) = value.kind() else {
            let own = self.new_slot(value, None)?;
            self.write(self.start(block), own, Written::Always(value), None);
            self.slot_of.insert(value, PhiSlots { own, after: None });
            return Ok(PhiSlots { own, after: None });
        };
        let nest = self.nest;
        let inside = |from: Block<'a>| nest.blocks.contains_key(&from);
        let initial = incoming
            .iter()
            .find(|(_, from)| !inside(*from))
            .map(|(value, _)| *value);
        let own = self.new_slot(value, initial)?;
        self.slot_of.insert(value, PhiSlots { own, after: None });
        // A predecessor may be there twice, with the same value.
        let edges: IndexMap<Block<'a>, Value<'a>> = incoming.into_iter().map(|(value, from)| (from, value)).collect();
        let edges = edges.into_iter().filter(|(from, _)| inside(*from));
        let mut by_unit: IndexMap<Block<'a>, Vec<(Block<'a>, Value<'a>)>> = IndexMap::new();
        for (from, value) in edges {
            by_unit.entry(self.start(from)).or_default().push((from, value));
        }
        for (unit, values) in by_unit {
            if let [(from, value)] = values[..]
                && let Some((entering, header)) = self.in_front(from, value, block)
            {
                self.write(entering, own, Written::Always(value), Some(header));
                continue;
            }
            let first = values[0].1;
            let written = if values.iter().all(|(_, value)| *value == first) {
                Written::Always(first)
            } else {
                Written::From(values)
            };
            self.write(unit, own, written, Some(block));
        }
        Ok(PhiSlots { own, after: None })
    }

    /// The edge into the loop that is left from the block `from` to a phi's block, where the value of the phi may as well be written there:
    /// `for (..) m = ..; s = 0; for (..) s += ..` may have no block between the loops. On the edge between them `s` would be written by the
    /// last iteration of the first one.
    ///
    /// The value is the same in all iterations. The phi has no use in the loop: what uses it has the phi's block in front of it,
    /// which comes behind the loop.
    fn in_front(&self, from: Block<'a>, value: Value<'a>, to: Block<'a>) -> Option<(Block<'a>, Block<'a>)> {
        let nest = self.nest;
        let l = nest.loops.iter().rfind(|l| l.handle.contains(from))?;
        let is_around = |around: &NestLoop<'a>| around.header == to && around.handle.contains(from);
        let varies = value.is_data() && nest.defines(value) && l.handle.contains(value.block());
        let is_plain = l.exiting == [from] && !l.handle.contains(to) && !nest.loops.iter().any(is_around);
        let is_entered = nest.blocks.contains_key(&l.entering)
            && l.entering.successors() == [l.header]
            && !self.is_in_subregion(l.entering);
        (is_plain && is_entered && !varies).then_some((l.entering, l.header))
    }

    /// Whether a block is in a statement of several blocks.
    fn is_in_subregion(&self, block: Block<'a>) -> bool {
        self.units
            .get(&self.start(block))
            .is_some_and(|needs| needs.subregion.is_some())
    }

    /// The slot that has the value of a header's phi after its loop has ended.
    fn slot_after(&mut self, phi: Value<'a>, slots: PhiSlots) -> Modelled<'a, SlotId> {
        let l = self
            .nest
            .loops
            .iter()
            .find(|l| l.header == phi.block())
            .expect("the phi of a loop's header");
        if !l.exiting.contains(&l.latch) {
            return Ok(slots.own);
        }
        if let Some(after) = slots.after {
            return Ok(after);
        }
        let after = self.new_slot(phi, None)?;
        self.slot_of.insert(
            phi,
            PhiSlots {
                after: Some(after),
                ..slots
            },
        );
        self.write(self.start(phi.block()), after, Written::Always(phi), None);
        Ok(after)
    }

    fn write(&mut self, start: Block<'a>, slot: SlotId, value: Written<'a>, for_phi_in: Option<Block<'a>>) {
        let needs = &mut self.units[&start];
        match &value {
            Written::Always(value) => needs.keep(*value),
            Written::From(values) => values.iter().for_each(|(_, value)| needs.keep(*value)),
        }
        needs.writes.push((SlotWrite { slot, value }, for_phi_in));
    }

    /// The statements of the units, and the successor that each is only executed before.
    fn statements(&mut self) -> Modelled<'a, (Vec<IrStatement<'a>>, Vec<Option<Block<'a>>>)> {
        let (mut statements, mut before) = (Vec::new(), Vec::new());
        for (start, needs) in std::mem::take(&mut self.units) {
            let has_root = needs.instructions.iter().any(|i| is_root(*i));
            if !has_root && needs.writes.is_empty() {
                continue;
            }
            let several = needs.subregion.is_some();
            let blocks = needs.subregion.map_or(vec![start], |s| s.blocks);
            let elsewhere = self.nest.blocks.keys().filter(|block| !blocks.contains(*block));
            let elsewhere = elsewhere.flat_map(|block| self.nest.instructions(*block));
            let is_hoisted = |i: &&Value<'a>| self.hoisted.is_operand_in(**i, start);
            let (hoisted, repeated): (Vec<&Value<'a>>, Vec<&Value<'a>>) = elsewhere.partition(is_hoisted);
            let own = blocks.iter().flat_map(|block| self.nest.instructions(*block));
            let instructions = repeated.into_iter().chain(own).chain(hoisted);
            let instructions = instructions
                .copied()
                .filter(|i| needs.instructions.contains(i))
                .collect();
            let whole = StatementBody {
                instructions,
                reads: needs.reads,
                writes: needs.writes,
            };
            let parts = match several {
                true => vec![whole],
                false => self.split(whole, start)?,
            };
            for part in parts {
                let targets: IndexSet<Option<Block<'a>>> = part.writes.iter().map(|(_, target)| *target).collect();
                let has_root = part.instructions.iter().any(|i| is_root(*i));
                before.push(if has_root || several || targets.len() != 1 {
                    None
                } else {
                    targets[0]
                });
                let mut statement = IrStatement {
                    reads: part.reads.iter().map(|(value, slot)| (*slot, *value)).collect(),
                    writes: part.writes.into_iter().map(|(write, _)| write).collect(),
                    ..self.statement(("S", statements.len()), blocks.clone(), part.instructions)
                };
                statement.updates = reductions(&statement).into_iter().flat_map(|r| r.updates).collect();
                statements.push(statement);
            }
        }
        Ok((statements, before))
    }

    /// The statements that a block becomes.
    fn split(&mut self, whole: StatementBody<'a>, block: Block<'a>) -> Modelled<'a, Vec<StatementBody<'a>>> {
        let (run, nest) = (self.run, self.nest);
        let is_defined = |value: Value<'a>| nest.defines(value);
        let (mut whole, mut apart) = (whole, Vec::new());
        while nest.blocks[&block].len() > 1
            && let Some(reduction) = stored_reduction(run, &whole, &is_defined)
        {
            let slot = self.new_slot(reduction.stored, None)?;
            let [rest, own] = whole.without_reduction(reduction, slot);
            whole = rest;
            apart.push(own);
        }
        let mut parts = whole.split(run, &is_defined);
        parts.extend(apart);
        Ok(parts)
    }

    /// A statement of these blocks that executes these instructions, and neither reads nor writes slots.
    fn statement(
        &mut self,
        (hint, number): (&str, usize),
        blocks: Vec<Block<'a>>,
        instructions: Vec<Value<'a>>,
    ) -> IrStatement<'a> {
        IrStatement {
            name: self.names.fresh(&format!("{hint}{number}"), hint),
            loops: self.nest.blocks[&blocks[0]].clone(),
            blocks,
            instructions,
            reads: Vec::new(),
            writes: Vec::new(),
            updates: IndexSet::new(),
            unconditional: IndexSet::new(),
            left_out: Vec::new(),
            is_uncut: false,
            affine: IndexMap::new(),
        }
    }

    /// What the inspector repeats of an assumed condition.
    fn condition(&mut self, assumed: &AssumedCondition<'a>) -> Modelled<'a, IrStatement<'a>> {
        let conditions = assumed.conjuncts.iter().map(|(condition, _)| *condition);
        let is_at_hand = |value| self.is_recomputable(value, assumed.block);
        let instructions = inspected_instructions(self.nest, conditions, &is_at_hand)
            .ok_or_else(|| Stop::at(Reason::NonAffineCondition, assumed.block.terminator()))?;
        Ok(self.statement(("C", 0), vec![assumed.block], instructions))
    }
}
