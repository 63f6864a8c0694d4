//! DeLICM: maps a scalar slot to the array element that a later store of the same iteration overwrites, as Polly's
//! DeLICM does.
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
//! order. The element is another one in another iteration. Legal if
//!
//! - in each iteration, the store comes after all uses of the slot;
//! - nothing reads or writes the element between the slot's first write and that store.
//!
//! The stored value does not matter. Not done: slots that have a value before the region or after it, and stores in
//! other iterations than the uses of the slot.

use super::draft::ScopDraft;
use super::execution_order::ExecutionOrder;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::scop_ir::{SlotId, Start, induction};
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::AccessKind;
use farkas_polyhedral::sets::{Map, Set};

/// Number of slots that are looked at.
const MOST_CELLS: usize = 16;

/// Number of stores that are tried for each slot.
const MOST_STORES: usize = 4;

/// Number of instructions that may compute the address of the element: some four for each dimension.
const MOST_INSTRUCTIONS: usize = 32;

/// Maps slots to array elements. Each store may spend so much `work`.
pub(crate) fn map_slots(draft: &mut ScopDraft<'_>, work: u64, b: &Budget) -> Outcome<()> {
    let mut accesses = draft.all_accesses();
    for slot in (0..draft.slots.len().min(MOST_CELLS)).map(SlotId) {
        let order = ExecutionOrder {
            draft,
            accesses: &accesses,
        };
        let mut found = None;
        for (statement, store) in stores(order, slot).into_iter().take(MOST_STORES) {
            if let Ok(Some(relations)) = b.trial(work, |b| can_map(order, slot, (statement, store), b))? {
                found = Some((store, relations));
                break;
            }
        }
        let Some((store, relations)) = found else { continue };
        draft.slots[slot.0].mapped_to = Some(store);
        for (statement, relation) in relations {
            draft.statements[statement].elements.insert(slot, relation);
            accesses[statement] = draft.accesses(&draft.statements[statement]);
        }
    }
    Ok(())
}

/// The stores whose target the slot may be mapped to, each with its statement. Stores of statements that read the
/// slot come first.
fn stores<'a>(order: ExecutionOrder<'_, 'a>, slot: SlotId) -> Vec<(usize, Value<'a>)> {
    let own = &order.draft.slots[slot.0];
    if own.initial.is_some() || order.draft.slots_read_after().any(|read| read == slot) {
        return Vec::new();
    }
    let reads = |index: usize| order.statement_ir(index).reads.iter().any(|(read, _)| *read == slot);
    let writes = |index: usize| order.statement_ir(index).writes.iter().any(|write| write.slot == slot);
    let all = 0..order.draft.statements.len();
    let (first, others): (Vec<usize>, Vec<usize>) = all.partition(|index| reads(*index));
    let mut stores = Vec::new();
    for index in first.into_iter().chain(others) {
        let ir = order.statement_ir(index);
        if ir.loops.is_empty() || writes(index) {
            continue;
        }
        for store in ir.instructions.iter().filter(|i| i.is_load_or_store()) {
            let Kind::Store { pointer, .. } = store.kind() else {
                continue;
            };
            let surely = order.access(index, *store).kind == AccessKind::MustWrite;
            // It may be one of several that write the element, each under a condition.
            let surely = surely && store.block() == ir.start();
            if surely && store.accessed_type() == own.ty && is_computable(order, index, pointer) {
                stores.push((index, *store));
            }
        }
    }
    stores
}

/// Whether the address depends on nothing but counters of loops around the statement.
fn is_computable<'a>(order: ExecutionOrder<'_, 'a>, index: usize, address: Value<'a>) -> bool {
    let draft = order.draft;
    let tree = operand_tree([address], MOST_INSTRUCTIONS, |value| {
        if !value.is_data() || !draft.region.defines(value) {
            return Visit::Leaf;
        }
        match induction(&draft.loops, value) {
            Some((id, position)) if order.statement_ir(index).loops.contains(&id) => {
                match draft.loops[id.0].inductions[position].start {
                    Start::Value(start) => Visit::Through(start),
                    Start::Expression(_) => Visit::Leaf,
                }
            }
            Some(_) => Visit::Abort,
            None if value.facts().pure() && !matches!(value.kind(), Kind::Phi(_) | Kind::Freeze | Kind::Call(_)) => {
                Visit::Operands
            }
            None => Visit::Abort,
        }
    });
    tree.is_some()
}

/// Whether the slot can be mapped to the target of the store of statement `last`. If so, returns the accessed element
/// for each statement that uses the slot.
fn can_map<'a>(
    order: ExecutionOrder<'_, 'a>,
    slot: SlotId,
    (last, store): (usize, Value<'a>),
    b: &Budget,
) -> Outcome<Option<Vec<(usize, Map)>>> {
    let loops = &order.statement_ir(last).loops;
    let depth = loops.len();
    let stored = order.accessed(last, order.access(last, store));
    let end = order.position(last, depth);
    let mut relations = Vec::new();
    let (mut readers, mut writers) = (Vec::new(), Vec::new());
    for index in 0..order.draft.statements.len() {
        let ir = order.statement_ir(index);
        let reads = ir.reads.iter().any(|(read, _)| *read == slot);
        let writes = ir.writes.iter().any(|write| write.slot == slot);
        if !reads && !writes {
            continue;
        }
        if !order.is_inside(index, loops) || index != last && order.position(index, depth) >= end {
            return Ok(None);
        }
        // The store follows in each iteration.
        let relation = order.of_inner(&stored, index);
        if !order.executed(index).is_subset(&relation.domain(b)?, b)? {
            return Ok(None);
        }
        let relation = relation.gist_params(&order.draft.context, b)?;
        relations.push((index, relation.compact(b)?));
        if reads {
            readers.push(index);
        }
        if writes {
            writers.push(index);
        }
    }
    // What is read has been written in the same iteration.
    for reader in readers {
        let mut open = order.executed(reader);
        for writer in &writers {
            let written = written_before(order, *writer, reader, depth, b)?;
            open = open.subtract(&written, b)?;
        }
        if !open.is_empty(b)? {
            return Ok(None);
        }
    }
    // Nobody else accesses the element between a write of the slot and the store.
    for (writer, element) in relations.iter().filter(|(index, _)| writers.contains(index)) {
        for other in 0..order.draft.statements.len() {
            if !order.is_inside(other, loops) || order.position(other, depth) > end {
                continue;
            }
            let own = order.access(last, store);
            for access in &order.accesses[other] {
                if access.array() != element.range_tuple() || std::ptr::eq(access, own) {
                    continue;
                }
                let between = order.later(*writer, other, depth);
                let seen = order.meeting(element, other, access, b)?.intersect(&between);
                if !seen.is_empty(b)? {
                    return Ok(None);
                }
            }
        }
    }
    Ok(Some(relations))
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
