//! DeLICM: maps a scalar slot to an array element that a store of the same iteration overwrites, or gave the same value, as Polly's
//! DeLICM does for the former.
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double s = 0;                       // is kept in y[i] from here on
//!   for (long j = 0; j < n; j++)
//!     s += A[i][j];
//!   y[i] = s;                           // certainly overwrites y[i]
//! }
//! ```
//!
//! A slot without dimensions is written anew in each iteration of the loops around it, which keeps these loops in
//! order. The element is another one in another iteration. Several stores under conditions may overwrite it together:
//!
//! ```c
//! for (long j = 0; j <= i; j++) {
//!   double s = a[i][j];                 // names the element where no store is always executed
//!   for (long k = 0; k < j; k++)
//!     s -= a[i][k] * a[j][k];
//!   if (i == j) a[i][i] = sqrt(s);      // one of both certainly overwrites a[i][j]
//!   else        a[i][j] = s / a[j][j];
//! }
//! ```
//!
//! Legal if
//!
//! - in each iteration, one of the stores comes after all uses of the slot, and no use comes after one of them, but for reads behind the only
//!   store, which is of the slot's own value: `y[i] = s; for (..) A[i][j] -= s;`;
//! - nothing else reads or writes the element between the slot's first write and the last of the stores, and nothing writes it before the last
//!   use.
//!
//! The stored values do not matter otherwise.
//!
//! Or an element has the value already, since the statement that computes it stores it. LLVM has the store's value in a register where
//! nothing else may write the element:
//!
//! ```c
//! for (long i = 0; i < n; i++) {
//!   double s = w[i] = 2 * w[i] + x[i];  // is kept in w[i]
//!   for (long j = 0; j < m; j++)
//!     a[i][j] += s * b[j];
//! }
//! ```
//!
//! Legal if no other statement writes the slot, and nothing writes the element between the store and a use of the slot. A statement that uses it may
//! store to the element itself. If it combines the slot's value with another one, it is a [reduction](super::reductions) in the element from then on.
//!
//! The element has accesses that the program does not have there. So what types of accesses say of other arrays counts for nothing
//! (`scop_builder/aliases.rs`): an array that overlaps it only if the type of an object changes is checked not to.
//!
//! A store in a loop around the uses may [keep the slot's value](merged_store) at each moment.
//!
//! Not done: slots that have a value before the region or after it, and stores in other iterations than the uses of the slot.

mod merged_store;
mod targets;

use super::draft::ScopDraft;
use super::execution_order::ExecutionOrder;
use farkas_llvm::scop_ir::{LoopId, SlotId};
use farkas_llvm::value::Value;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::{Map, Set};
use merged_store::{can_keep, merged_stores};
use std::collections::BTreeSet;
use targets::{Candidates, MOST_STORES, Target};

/// Number of slots that are looked at.
const MOST_CELLS: usize = 16;

/// A load or store, with its statement.
type Site<'a> = (usize, Value<'a>);

/// Which elements slots may be mapped to.
pub(crate) struct Mappable<'m, 'a> {
    /// Whether an array may have more accesses, by its name.
    pub(crate) array: &'m dyn Fn(&str) -> bool,
    /// Whether a value is the address of a row, which is loaded from a table that the region does not write. It can be loaded in other
    /// statements, too.
    pub(crate) is_row_address: &'m dyn Fn(Value<'a>) -> bool,
}

/// Maps slots to elements of arrays. Each target may spend so much `work`.
pub(crate) fn map_slots<'a>(
    draft: &mut ScopDraft<'a>,
    mappable: &Mappable<'_, 'a>,
    work: u64,
    b: &Budget,
) -> Outcome<()> {
    let mut accesses = draft.all_accesses();
    for slot in (0..draft.slots.len().min(MOST_CELLS)).map(SlotId) {
        let order = ExecutionOrder {
            draft,
            accesses: &accesses,
        };
        let may_map = |(index, access): &Site<'_>| {
            let array = order.access(*index, *access).array().name();
            array.is_some_and(|name| (mappable.array)(name.as_str()))
        };
        let candidates = Candidates {
            order,
            slot,
            is_row_address: mappable.is_row_address,
        };
        if let Some((writer, store)) = candidates.stored_value()
            && may_map(&(writer, store))
            && let Ok(Some(relations)) = b.trial(work, |b| readers_of_stored(order, slot, (writer, store), b))?
        {
            draft.slots[slot.0].mapped_to = Some(store);
            draft.statements[writer].ir.writes.retain(|write| write.slot != slot);
            // What it stores was used otherwise until now.
            draft.statements[writer].loosen_reductions();
            accesses[writer] = draft.accesses(&draft.statements[writer]);
            map_to(draft, &mut accesses, slot, relations, b);
            continue;
        }
        let mut found = None;
        for target in candidates.targets().iter().filter(|target| may_map(&target.element)) {
            if let Ok(Some(relations)) = b.trial(work, |b| can_map(order, slot, target, b))? {
                found = Some((target.element.1, relations));
                break;
            }
        }
        if found.is_none() {
            for site in merged_stores(&candidates).into_iter().filter(may_map).take(MOST_STORES) {
                if let Ok(Some(relations)) = b.trial(work, |b| can_keep(order, slot, site, b))? {
                    found = Some((site.1, relations));
                    break;
                }
            }
        }
        let Some((element, relations)) = found else { continue };
        draft.slots[slot.0].mapped_to = Some(element);
        map_to(draft, &mut accesses, slot, relations, b);
    }
    Ok(())
}

/// Lets the statements access these elements in place of the slot.
fn map_to(
    draft: &mut ScopDraft<'_>,
    accesses: &mut [Vec<Access>],
    slot: SlotId,
    elements: Vec<(usize, Map)>,
    b: &Budget,
) {
    for (index, relation) in elements {
        // All statements have to use the element now: without a budget, this one is no reduction.
        let store = store_to(draft, index, &relation, b).unwrap_or(None);
        let others = kept_together(draft, index, &relation, b).unwrap_or_default();
        let statement = &mut draft.statements[index];
        statement.elements.insert(slot, relation);
        let reads = |slot: SlotId| statement.ir.reads.iter().any(|(read, _)| *read == slot);
        let writes = |slot: SlotId| statement.ir.writes.iter().any(|write| write.slot == slot);
        let pairs = others.iter().flat_map(|other| [(slot, *other), (*other, slot)]);
        let shared: Vec<(SlotId, SlotId)> = pairs.filter(|(one, other)| reads(*one) && writes(*other)).collect();
        if store.is_some() || !shared.is_empty() {
            statement.stores.extend(store.map(|store| (slot, store)));
            statement.shared.extend(shared);
            statement.loosen_reductions();
        }
        accesses[index] = draft.accesses(&draft.statements[index]);
    }
}

/// A store by which a statement certainly overwrites the element of each of its instances.
fn store_to<'a>(draft: &ScopDraft<'a>, index: usize, element: &Map, b: &Budget) -> Outcome<Option<Value<'a>>> {
    let statement = &draft.statements[index];
    for (access, instruction) in statement.array_accesses.iter().zip(statement.loads_and_stores()) {
        if access.kind == AccessKind::MustWrite && are_equal(draft, index, &access.relation, element, b)? {
            return Ok(Some(instruction));
        }
    }
    Ok(None)
}

/// The slots that a statement uses in the element of each of its instances.
fn kept_together(draft: &ScopDraft<'_>, index: usize, element: &Map, b: &Budget) -> Outcome<Vec<SlotId>> {
    let mut slots = Vec::new();
    for (slot, other) in &draft.statements[index].elements {
        if are_equal(draft, index, other, element, b)? {
            slots.push(*slot);
        }
    }
    Ok(slots)
}

/// Whether two relations from the instances of a statement are to the same elements.
fn are_equal(draft: &ScopDraft<'_>, index: usize, one: &Map, other: &Map, b: &Budget) -> Outcome<bool> {
    let domain = draft.statements[index].domain.intersect_params(&draft.context);
    let executed = |relation: &Map| relation.intersect_domain(&domain);
    Ok(one.range_tuple() == other.range_tuple() && executed(one).is_equal(&executed(other), b)?)
}

/// Whether the slot has no value before the region, and none that is used behind it.
fn lives_inside(order: ExecutionOrder<'_, '_>, slot: SlotId) -> bool {
    order.draft.slots[slot.0].initial.is_none() && order.draft.slots_read_after().all(|read| read != slot)
}

/// The statements that read the slot, and those that write it.
fn users(order: ExecutionOrder<'_, '_>, slot: SlotId) -> (Vec<usize>, Vec<usize>) {
    let all = || 0..order.draft.statements.len();
    let reads = |index: &usize| order.statement_ir(*index).reads.iter().any(|(read, _)| *read == slot);
    let writes = |index: &usize| order.statement_ir(*index).writes.iter().any(|write| write.slot == slot);
    (all().filter(reads).collect(), all().filter(writes).collect())
}

/// The element that each statement that reads the slot reads in its place; `None` if it may have another value there.
fn readers_of_stored<'a>(
    order: ExecutionOrder<'_, 'a>,
    slot: SlotId,
    (writer, store): Site<'a>,
    b: &Budget,
) -> Outcome<Option<Vec<(usize, Map)>>> {
    let loops = &order.statement_ir(writer).loops;
    let depth = loops.len();
    let own = order.access(writer, store);
    let element = order.accessed(writer, own);
    let reads = |index: &usize| order.statement_ir(*index).reads.iter().any(|(read, _)| *read == slot);
    let readers: Vec<usize> = (0..order.draft.statements.len()).filter(reads).collect();
    let mut relations = Vec::new();
    for reader in &readers {
        if *reader == writer || !order.is_inside(*reader, loops) {
            return Ok(None);
        }
        let open = order.executed(*reader);
        let written = written_before(order, writer, *reader, depth, b)?;
        if !open.subtract(&written, b)?.is_empty(b)? {
            return Ok(None);
        }
        let relation = order.of_inner(&element, *reader).gist_params(&order.draft.context, b)?;
        relations.push((*reader, relation.compact(b)?));
    }
    let last = readers.iter().map(|reader| order.position(*reader, depth)).max();
    for other in 0..order.draft.statements.len() {
        if !order.is_inside(other, loops) || Some(order.position(other, depth)) > last {
            continue;
        }
        for access in &order.accesses[other] {
            if access.kind == AccessKind::Read || access.array() != element.range_tuple() || std::ptr::eq(access, own) {
                continue;
            }
            let meeting = order.meeting(&element, other, access, b)?;
            // In the statement itself, another store of the array may come behind this one.
            let disturbs = match other == writer {
                true => !meeting.is_empty(b)?,
                false => {
                    let behind = meeting.intersect(&order.later(writer, other, depth));
                    is_before_any(order, (other, &behind.range(b)?), &readers, depth, b)?
                }
            };
            if disturbs {
                return Ok(None);
            }
        }
    }
    Ok(Some(relations))
}

/// Whether one of these instances of a statement is executed before one of the `readers`, in the same iteration of `depth` loops. A statement reads
/// slots before it stores.
fn is_before_any(
    order: ExecutionOrder<'_, '_>,
    (statement, instances): (usize, &Set),
    readers: &[usize],
    depth: usize,
    b: &Budget,
) -> Outcome<bool> {
    for reader in readers {
        let read = order.later(statement, *reader, depth).intersect_domain(instances);
        if !read.intersect_range(&order.executed(*reader)).is_empty(b)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the slot can be mapped to the target. If so, returns the accessed element for each statement that uses the slot.
fn can_map<'a>(
    order: ExecutionOrder<'_, 'a>,
    slot: SlotId,
    target: &Target<'a>,
    b: &Budget,
) -> Outcome<Option<Vec<(usize, Map)>>> {
    let (at, access) = target.element;
    let loops = &order.statement_ir(at).loops;
    let depth = loops.len();
    let element = order.accessed(at, order.access(at, access));
    let (readers, writers) = users(order, slot);
    let mut relations = Vec::new();
    for index in readers.iter().chain(&writers).copied().collect::<BTreeSet<usize>>() {
        if !order.is_inside(index, loops) {
            return Ok(None);
        }
        let relation = order.of_inner(&element, index);
        let is_behind = !writers.contains(&index) && target.is_behind(order, index);
        if !is_behind && !are_overwritten(order, index, &relation, target, b)? {
            return Ok(None);
        }
        let relation = relation.gist_params(&order.draft.context, b)?;
        relations.push((index, relation.compact(b)?));
    }
    if !are_written_first(order, &readers, &writers, depth, b)? {
        return Ok(None);
    }
    let last = readers.iter().chain(target.stores.iter().map(|(index, _)| index));
    let last = last.map(|index| order.position(*index, depth)).max();
    // The stores access the element, and what is behind them may read it.
    let own = |access: &Access| {
        let mut stores = target.stores.iter();
        stores.any(|(index, store)| std::ptr::eq(order.access(*index, *store), access))
    };
    let ignored = |other: usize, access: &Access| {
        let is_read_behind = || access.kind == AccessKind::Read && target.is_behind(order, other);
        Some(&order.position(other, depth)) > last.as_ref() || own(access) || is_read_behind()
    };
    for (writer, element) in relations.iter().filter(|(index, _)| writers.contains(index)) {
        if !is_undisturbed(order, (*writer, element), loops, &ignored, b)? {
            return Ok(None);
        }
    }
    Ok(Some(relations))
}

/// Whether one of the writers comes before each instance of the readers, in the same iteration of `depth` loops.
fn are_written_first(
    order: ExecutionOrder<'_, '_>,
    readers: &[usize],
    writers: &[usize],
    depth: usize,
    b: &Budget,
) -> Outcome<bool> {
    for reader in readers {
        let mut open = order.executed(*reader);
        for writer in writers {
            open = open.subtract(&written_before(order, *writer, *reader, depth, b)?, b)?;
        }
        if !open.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether after each instance of a statement that uses the slot, one of the stores overwrites the `element` of its iteration, and
/// none does before it.
fn are_overwritten<'a>(
    order: ExecutionOrder<'_, 'a>,
    user: usize,
    element: &Map,
    target: &Target<'a>,
    b: &Budget,
) -> Outcome<bool> {
    let depth = order.statement_ir(target.element.0).loops.len();
    let mut open = order.executed(user);
    for (index, store) in &target.stores {
        let stored = order.accessed(*index, order.access(*index, *store));
        let overwritten = order.of_inner(&stored, user).intersect(element).domain(b)?;
        open = open.subtract(&overwritten, b)?;
        if user == *index || order.position(user, depth) < order.position(*index, depth) {
            continue;
        }
        let before = order.later(*index, user, depth);
        let before = before.intersect_domain(&order.executed(*index));
        if !before.intersect_range(&order.executed(user)).is_empty(b)? {
            return Ok(false);
        }
    }
    open.is_empty(b)
}

/// Whether nothing accesses the element behind a statement that writes the slot, in the same iteration of these loops, but for accesses of
/// statements that are `ignored`.
fn is_undisturbed(
    order: ExecutionOrder<'_, '_>,
    (writer, element): (usize, &Map),
    loops: &[LoopId],
    ignored: &dyn Fn(usize, &Access) -> bool,
    b: &Budget,
) -> Outcome<bool> {
    for other in (0..order.draft.statements.len()).filter(|other| order.is_inside(*other, loops)) {
        let behind = order.later(writer, other, loops.len());
        for access in &order.accesses[other] {
            if access.array() != element.range_tuple() || ignored(other, access) {
                continue;
            }
            let meeting = order.meeting(element, other, access, b)?;
            if !meeting.intersect(&behind).is_empty(b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The instances of `reader` before which `writer` is executed in the same iteration of `depth` loops.
fn written_before(
    order: ExecutionOrder<'_, '_>,
    writer: usize,
    reader: usize,
    depth: usize,
    b: &Budget,
) -> Outcome<Set> {
    let later = order.later(writer, reader, depth);
    later.intersect_domain(&order.executed(writer)).range(b)
}
