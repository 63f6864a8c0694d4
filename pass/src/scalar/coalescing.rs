//! Scalar coalescing: merges scalar slots that hold the same value.
//!
//! ```c
//! double s = 0;
//! for (long i = 0; i < n; i++)
//!   for (long j = 0; j < n; j++)
//!     s += A[i][j];
//! ```
//!
//! Mem2reg splits one source variable into a phi per loop. Each phi becomes a slot, with copies between them: the
//! outer slot is copied to the inner one before the inner loop, and back after it. Two slots are merged where their
//! live ranges do not interfere except through copies, as in register coalescing. In terms of dataflow: the last
//! write of either slot before a read is a write of the slot that is read, or a copy to the other one. The copies
//! then do nothing. What is left of `s` is one statement that reads and writes it, which may be a reduction.

use super::draft::{DraftStatement, ScopDraft};
use super::last_writes::{Place, is_written_before, is_written_between};
use super::reductions::{reductions, uses};
use super::split::is_root;
use farkas_llvm::scop_ir::{IrStatement, LiveOutSource, SlotId, SlotWrite, Written};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::flow;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::program::{Access, AccessKind, Program, Statement};
use farkas_polyhedral::sets::{Aff, Map, MultiAff, Set, SetSpace, Tuple};
use indexmap::IndexSet;

/// Number of pairs of slots that are looked at.
const MOST_PAIRS: usize = 24;

/// Merges slots. Each pair may spend so much `work`.
pub(crate) fn coalesce_slots(draft: &mut ScopDraft<'_>, work: u64, b: &Budget) -> Outcome<()> {
    let mut gone: IndexSet<SlotId> = IndexSet::new();
    let result = coalesce_all(draft, &mut gone, work, b);
    remove(draft, &gone);
    result
}

fn coalesce_all(draft: &mut ScopDraft<'_>, gone: &mut IndexSet<SlotId>, work: u64, b: &Budget) -> Outcome<()> {
    let mut interfering: IndexSet<Pair> = IndexSet::new();
    for _ in 0..MOST_PAIRS {
        let Some(pair) = pairs(draft).into_iter().find(|pair| !interfering.contains(pair)) else {
            break;
        };
        if b.trial(work, |b| can_coalesce(draft, pair, b))? == Ok(true) {
            merge(draft, pair);
            gone.insert(pair.1);
        } else {
            interfering.insert(pair);
        }
    }
    Ok(())
}

/// Two slots, that with the smaller index first.
type Pair = (SlotId, SlotId);

/// Pairs of slots where one gets the value of the other, or both get the same value at once.
fn pairs(draft: &ScopDraft<'_>) -> IndexSet<Pair> {
    let mut pairs = IndexSet::new();
    for statement in draft.statements.iter().map(|statement| &statement.ir) {
        for (position, write) in statement.writes.iter().enumerate() {
            let values = match &write.value {
                Written::Always(value) => vec![*value],
                Written::From(values) => values.iter().map(|(_, value)| *value).collect(),
            };
            let read = statement.reads.iter().filter(|(_, value)| values.contains(value));
            let written = statement.writes[..position].iter();
            let written = written.filter(|other| is_same(&other.value, &write.value));
            let others = read.map(|(slot, _)| *slot).chain(written.map(|other| other.slot));
            let different = others.filter(|other| *other != write.slot);
            pairs.extend(different.map(|other| (other.min(write.slot), other.max(write.slot))));
        }
    }
    pairs
}

fn is_same<'a>(one: &Written<'a>, other: &Written<'a>) -> bool {
    match (one, other) {
        (Written::Always(one), Written::Always(other)) => one == other,
        (Written::From(one), Written::From(other)) => one == other,
        _ => false,
    }
}

/// Whether both slots of the pair hold the value of `slot` after the statement, which writes one of them.
fn has_value(statement: &IrStatement<'_>, slot: SlotId, (one, other): Pair) -> bool {
    statement.writes.iter().any(|write| {
        let copied = |(from, value): &(SlotId, _)| *from == slot && is_same(&write.value, &Written::Always(*value));
        write.slot == slot || [one, other].contains(&write.slot) && statement.reads.iter().any(copied)
    })
}

/// Whether a merged slot has, for each reader, the value that the reader had before.
fn can_coalesce(draft: &ScopDraft<'_>, pair: Pair, b: &Budget) -> Outcome<bool> {
    let (one, other) = (&draft.slots[pair.0.0], &draft.slots[pair.1.0]);
    let both_come_in = one.initial.is_some() && other.initial.is_some() && one.initial != other.initial;
    if one.ty != other.ty || both_come_in {
        return Ok(false);
    }
    let of_pair = |slot: &SlotId| *slot == pair.0 || *slot == pair.1;
    let merged = Set::universe(SetSpace::new(draft.context.params().clone(), Tuple::new("merged", 0)));
    let access = |kind, domain: &Set| Access {
        kind,
        relation: Map::from_domain_and_range(domain, &merged),
        reduction: None,
    };
    let mut part = Program::of_statements(draft.context.clone(), Vec::new()).without_far_bounds();
    // What each statement reads, and where it is in the region unless it stands for what is behind.
    let mut readers: Vec<(Tuple, Vec<SlotId>)> = Vec::new();
    for statement in &draft.statements {
        let ir = &statement.ir;
        let read: Vec<SlotId> = ir.reads.iter().map(|(slot, _)| *slot).filter(of_pair).collect();
        let mut written = ir.writes.iter().filter(|write| of_pair(&write.slot));
        let mut accesses = Vec::new();
        if !read.is_empty() {
            accesses.push(access(AccessKind::Read, &statement.domain));
            readers.push((statement.tuple().clone(), read));
        }
        if let Some(first) = written.next() {
            if written.any(|write| !is_same(&first.value, &write.value)) {
                return Ok(false);
            }
            accesses.push(access(AccessKind::MustWrite, &statement.domain));
        }
        if !accesses.is_empty() {
            let (domain, schedule) = (statement.domain.clone(), statement.schedule.clone());
            part.statements.push(Statement::new(domain, schedule, accesses));
        }
    }
    let behind: Vec<SlotId> = draft.slots_read_after().filter(of_pair).collect();
    if plainly_coalesce(draft, pair, &behind, b)? {
        return Ok(true);
    }
    if !behind.is_empty() {
        let Some(end) = end(draft) else { return Ok(false) };
        readers.push((end.tuple().clone(), behind));
        part.statements.push(Statement {
            accesses: vec![access(AccessKind::Read, &end.domain)],
            ..end
        });
    }
    let found = flow::analyze_reads(&part, b)?;
    for (reader, slots) in readers {
        for slot in slots {
            for map in found.live_in.maps().filter(|map| *map.domain_tuple() == reader) {
                if draft.slots[slot.0].initial.is_none() && !map.is_empty(b)? {
                    return Ok(false);
                }
            }
            for map in found.flow.maps().filter(|map| *map.range_tuple() == reader) {
                let writer = draft.statements.iter().find(|s| s.tuple() == map.domain_tuple());
                let writer = writer.expect("a statement of the draft");
                if !has_value(&writer.ir, slot, pair) && !map.is_empty(b)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Whether it is plain from the text that a merged slot has the values that readers of the two slots had.
fn plainly_coalesce(draft: &ScopDraft<'_>, pair: Pair, behind: &[SlotId], b: &Budget) -> Outcome<bool> {
    for slot in [pair.0, pair.1] {
        let writes_to_pair = |s: &&DraftStatement<'_>| s.ir.writes.iter().any(|w| w.slot == pair.0 || w.slot == pair.1);
        let writers = draft.statements.iter().filter(writes_to_pair);
        let (fit, others): (Vec<_>, Vec<_>) = writers.partition(|writer| has_value(&writer.ir, slot, pair));
        let fit: Vec<Place<'_>> = fit.into_iter().map(Place::of).collect();
        let reads = |s: &&DraftStatement<'_>| s.ir.reads.iter().any(|(read, _)| *read == slot);
        let readers = draft.statements.iter().filter(reads).map(Place::of);
        let readers = readers.chain(behind.contains(&slot).then(Place::behind));
        for reader in readers {
            let has_initial = draft.slots[slot.0].initial.is_some();
            if !has_initial && !is_written_before(&reader, &fit, &draft.context, b)? {
                return Ok(false);
            }
            for other in &others {
                if !is_written_between(&Place::of(other), &reader, &fit, b)? {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// A statement after all others, if all schedules begin with constants.
fn end(draft: &ScopDraft<'_>) -> Option<Statement> {
    let first = draft.statements.iter().map(|s| s.schedule.affs()[0].as_constant());
    let times: Option<Vec<Int>> = first.collect();
    let last = times?.into_iter().max()?;
    let dims = draft.statements[0].schedule.affs().len();
    let space = SetSpace::new(draft.context.params().clone(), Tuple::new("merged.end", 0));
    let mut time = vec![Aff::constant(space.clone(), Int::ZERO); dims];
    time[0] = Aff::constant(space.clone(), last + Int::ONE);
    let schedule = MultiAff::new(space.clone(), Tuple::anonymous(dims), time);
    Some(Statement::new(Set::universe(space), schedule, Vec::new()))
}

/// Replaces the second slot of the pair by the first. Statements that do nothing then are removed.
fn merge(draft: &mut ScopDraft<'_>, (kept, gone): Pair) {
    let initial = draft.slots[gone.0].initial;
    let slot = &mut draft.slots[kept.0];
    slot.initial = slot.initial.or(initial);
    for live_out in &mut draft.live_outs {
        if let LiveOutSource::ScalarSlot(slot) = &mut live_out.source
            && *slot == gone
        {
            *slot = kept;
        }
    }
    draft.statements.retain_mut(|statement| {
        let ir = &mut statement.ir;
        !rename(ir, (kept, gone)) || !ir.writes.is_empty() || ir.instructions.iter().any(|i| is_root(*i))
    });
}

/// Replaces the second slot of the pair by the first in a statement, and drops copies from the slot to itself. Returns false
/// if the statement does not use the second slot.
fn rename(ir: &mut IrStatement<'_>, (kept, gone): Pair) -> bool {
    let read = ir.reads.iter_mut().map(|(slot, _)| slot);
    let used = read.chain(ir.writes.iter_mut().map(|write| &mut write.slot));
    let renamed = used.filter(|slot| **slot == gone).map(|slot| *slot = kept).count();
    if renamed == 0 {
        return false;
    }
    let mut own: Vec<SlotWrite<'_>> = Vec::new();
    for write in std::mem::take(&mut ir.writes) {
        let copies = matches!(write.value, Written::Always(value) if ir.reads.contains(&(write.slot, value)));
        let again = own.iter().any(|other| other.slot == write.slot);
        if !copies && !again {
            own.push(write);
        }
    }
    ir.writes = own;
    let needed: Vec<bool> = ir.reads.iter().map(|(_, value)| uses(ir, *value) > 0).collect();
    let mut needed = needed.into_iter();
    ir.reads.retain(|_| needed.next().expect("one for each"));
    ir.updates = reductions(ir).into_iter().flat_map(|r| r.updates).collect();
    true
}

/// Removes these slots, which nothing uses.
fn remove(draft: &mut ScopDraft<'_>, gone: &IndexSet<SlotId>) {
    let left: Vec<SlotId> = (0..draft.slots.len())
        .map(SlotId)
        .filter(|slot| !gone.contains(slot))
        .collect();
    let new = |slot: &mut SlotId| {
        let position = left.iter().position(|other| other == slot);
        *slot = SlotId(position.expect("a slot that is used"));
    };
    draft.slots = left.iter().map(|slot| draft.slots[slot.0].clone()).collect();
    for DraftStatement { ir, .. } in &mut draft.statements {
        ir.reads.iter_mut().for_each(|(slot, _)| new(slot));
        ir.writes.iter_mut().for_each(|write| new(&mut write.slot));
    }
    for live_out in &mut draft.live_outs {
        if let LiveOutSource::ScalarSlot(slot) = &mut live_out.source {
            new(slot);
        }
    }
}
