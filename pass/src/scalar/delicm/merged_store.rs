//! Slots that a store in the loop around their uses keeps in an element.
//!
//! LLVM merges a store in front of a loop with the one at the end of its body, and puts the merged one where the body begins. It stays there if
//! other accesses of the loop may be to the same element, as in dynamic programming in place:
//!
//! ```c
//! s = max(t[i][j], t[i][j - 1]);
//! for (long k = i + 1;; k++) {
//!   t[i][j] = s;                        // was behind both values of s
//!   if (k >= j) break;
//!   s = max(s, t[i][k] + t[k + 1][j]);  // is kept in t[i][j]
//! }
//! ```
//!
//! Legal if, in each iteration of the loops around the one with the store,
//!
//! - the store comes behind each write of the slot, so that the element has the slot's last value in the end;
//! - something writes the slot before each read of it;
//! - nothing but the store accesses the element behind a write of the slot.
//!
//! The store is a [redundant write](super::super::redundant_writes) from then on.

use super::targets::Candidates;
use super::{ExecutionOrder, are_written_first, is_undisturbed, lives_inside, users};
use farkas_llvm::scop_ir::SlotId;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::Map;
use std::collections::BTreeSet;

/// The stores of nothing but the slot's value, in a loop that their address does not depend on, with their statements.
pub(super) fn merged_stores<'a>(candidates: &Candidates<'_, 'a>) -> Vec<(usize, Value<'a>)> {
    let Candidates { order, slot, .. } = *candidates;
    if !lives_inside(order, slot) {
        return Vec::new();
    }
    let of_statement = |index: usize| {
        let ir = order.statement_ir(index);
        let (Some((_, around)), [(read, value)], [block]) = (ir.loops.split_last(), &ir.reads[..], &ir.blocks[..])
        else {
            return None;
        };
        let store = ir.instructions.iter().find(|i| i.is_store())?;
        let Kind::Store { pointer, value: stored } = store.kind() else {
            return None;
        };
        let is_of_slot = *read == slot && stored == *value && ir.writes.is_empty() && store.block() == *block;
        let is_kept = store.accessed_type() == order.draft.slots[slot.0].ty
            && order.access(index, *store).kind == AccessKind::MustWrite
            && !around.is_empty()
            && candidates.is_computable(around, pointer);
        (is_of_slot && is_kept).then_some((index, *store))
    };
    (0..order.draft.statements.len()).filter_map(of_statement).collect()
}

/// Whether the slot can be kept in the element that the store overwrites. If so, returns the element for each statement that uses the slot.
pub(super) fn can_keep<'a>(
    order: ExecutionOrder<'_, 'a>,
    slot: SlotId,
    (at, store): (usize, Value<'a>),
    b: &Budget,
) -> Outcome<Option<Vec<(usize, Map)>>> {
    let loops = &order.statement_ir(at).loops;
    let around = &loops[..loops.len() - 1];
    let depth = around.len();
    let own = order.access(at, store);
    let element = order.accessed(at, own).project_out_domain(depth, 1, b)?;
    let (readers, writers) = users(order, slot);
    let mut relations: Vec<(usize, Map)> = Vec::new();
    for user in readers.iter().chain(&writers).copied().collect::<BTreeSet<usize>>() {
        if !order.is_inside(user, around) {
            return Ok(None);
        }
        let relation = order.of_inner(&element, user);
        let has_element = order.executed(user).is_subset(&relation.domain(b)?, b)?;
        if !has_element || !relation.is_single_valued(b)? {
            return Ok(None);
        }
        let relation = relation.gist_params(&order.draft.context, b)?;
        relations.push((user, relation.compact(b)?));
    }
    let stores = order.executed(at);
    for writer in &writers {
        let behind = order.later(*writer, at, depth).intersect_range(&stores);
        if !order.executed(*writer).is_subset(&behind.domain(b)?, b)? {
            return Ok(None);
        }
    }
    if !are_written_first(order, &readers, &writers, depth, b)? {
        return Ok(None);
    }
    let is_store = |_, access: &Access| std::ptr::eq(access, own);
    for (writer, element) in relations.iter().filter(|(user, _)| writers.contains(user)) {
        if !is_undisturbed(order, (*writer, element), around, &is_store, b)? {
            return Ok(None);
        }
    }
    Ok(Some(relations))
}
