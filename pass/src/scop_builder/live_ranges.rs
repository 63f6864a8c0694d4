//! Scalar slots whose values do not outlive an iteration of the loops around all statements that access them.
//!
//! ```c
//! for (int x = 0; x < w; x++) {
//!   int s = 0;
//!   for (int i = -2; i <= 2; i++)
//!     s += k[i + 2] * in[clamp(x + i)];
//!   out[x] = s >> 8;
//! }
//! ```
//!
//! The slot of `s` is written first in each iteration of `x`, before it is read, and is of no use behind it. There might as well be one
//! slot for each iteration, and so there may be two: one for some iterations, and one for all others.

use crate::scalar::draft::{DraftStatement, ScopDraft};
use farkas_llvm::scop_ir::{ScalarSlot, SlotId, Written};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Map, MapSpace, Tuple};
use indexmap::IndexMap;

/// The slots of a draft whose values live in one iteration, by the number of loops that it is an iteration of.
pub(super) struct LiveRanges(IndexMap<SlotId, usize>);

impl LiveRanges {
    /// Finds them. Each question may take so much `work`; without an answer, a slot is not among them.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(super) fn of(draft: &ScopDraft<'_>, work: u64, b: &Budget) -> Outcome<Self> {
        let mut found = IndexMap::new();
        for slot in (0..draft.slots.len()).map(SlotId) {
            if let Ok(Some(depth)) = b.trial(work, |b| iteration_of(draft, slot, b))? {
                found.insert(slot, depth);
            }
        }
        Ok(LiveRanges(found))
    }

    /// For such a slot of this name: from the instances of a statement that accesses it to the iterations of its values.
    pub(super) fn iterations(
        &self,
        draft: &ScopDraft<'_>,
        slot: &Tuple,
        statement: &DraftStatement<'_>,
    ) -> Option<Map> {
        let is_slot = |id: &&SlotId| slot.name().is_some_and(|name| name.as_str() == draft.slots[id.0].name);
        let id = self.0.keys().find(is_slot)?;
        Some(same_iteration(statement, self.0[id]))
    }

    /// The slots that the statement accesses, if all of them are such slots of the same loops, with their number; `None` if there are none.
    pub(super) fn depth_of(&self, statement: &DraftStatement<'_>) -> Option<usize> {
        let mut depths = slots_of(statement).map(|slot| self.0.get(&slot).copied());
        let first = depths.next()??;
        depths.all(|depth| depth == Some(first)).then_some(first)
    }

    /// All statements that access one of the slots of a statement, or a slot of such a statement.
    pub(super) fn sharing(&self, draft: &ScopDraft<'_>, statement: usize) -> Vec<usize> {
        let mut all = vec![statement];
        let mut next = 0;
        while let Some(index) = all.get(next) {
            next += 1;
            let slots: Vec<SlotId> = slots_of(&draft.statements[*index]).collect();
            for (other, candidate) in draft.statements.iter().enumerate() {
                if !all.contains(&other) && slots_of(candidate).any(|slot| slots.contains(&slot)) {
                    all.push(other);
                }
            }
        }
        all.sort_unstable();
        all
    }
}

/// The slots that a statement reads or writes, other than those that have elements of arrays; some more than once.
pub(super) fn slots_of<'s, 'a>(statement: &'s DraftStatement<'a>) -> impl Iterator<Item = SlotId> + use<'s, 'a> {
    let read = statement.ir.reads.iter().map(|(slot, _)| *slot);
    let written = statement.ir.writes.iter().map(|write| write.slot);
    read.chain(written)
        .filter(|slot| !statement.elements.contains_key(slot))
}

/// From the instances of a statement to the counters of the outermost `depth` loops around it.
pub(super) fn same_iteration(statement: &DraftStatement<'_>, depth: usize) -> Map {
    let from = statement.domain.space();
    let space = MapSpace::new(from.params.clone(), from.tuple.clone(), Tuple::anonymous(depth));
    let all = (0..depth).fold(Map::universe(space), |map, dim| map.equate(dim, dim));
    all.intersect_domain(&statement.domain)
}

/// The number of loops in whose iterations the values of a slot live; `None` where they may live on.
fn iteration_of(draft: &ScopDraft<'_>, slot: SlotId, b: &Budget) -> Outcome<Option<usize>> {
    let is_mapped = |statement: &DraftStatement<'_>| statement.elements.contains_key(&slot);
    if draft.slots_read_after().any(|live_out| live_out == slot) || draft.statements.iter().any(is_mapped) {
        return Ok(None);
    }
    let accesses = |statement: &&DraftStatement<'_>| slots_of(statement).any(|own| own == slot);
    let mut statements = draft.statements.iter().filter(accesses);
    // Statements are in program order: it is first in its iteration, as those behind it are in the same loops.
    let Some(first) = statements.next() else {
        return Ok(None);
    };
    let depth = first.ir.loops.len();
    let always = |written: &Written<'_>| matches!(written, Written::Always(_));
    let writes = first
        .ir
        .writes
        .iter()
        .any(|write| write.slot == slot && always(&write.value));
    let reads = first.ir.reads.iter().any(|(read, _)| *read == slot);
    if depth == 0 || !writes || reads {
        return Ok(None);
    }
    let begun = first.domain.apply(&same_iteration(first, depth), b)?;
    for other in statements {
        if !other.ir.loops.starts_with(&first.ir.loops) {
            return Ok(None);
        }
        let used = other.domain.apply(&same_iteration(other, depth), b)?;
        if !used.is_subset(&begun, b)? {
            return Ok(None);
        }
    }
    Ok(Some(depth))
}

/// Lets a statement access other slots.
pub(super) fn with_slots<'a>(
    mut statement: DraftStatement<'a>,
    slots: &IndexMap<SlotId, SlotId>,
) -> DraftStatement<'a> {
    let other = |slot: &mut SlotId| *slot = slots.get(slot).copied().unwrap_or(*slot);
    statement.ir.reads.iter_mut().for_each(|(slot, _)| other(slot));
    statement.ir.writes.iter_mut().for_each(|write| other(&mut write.slot));
    statement
}

/// A slot like another one, with no value where the region is entered.
pub(super) fn another<'a>(slot: &ScalarSlot<'a>, name: String) -> ScalarSlot<'a> {
    ScalarSlot {
        name,
        initial: None,
        ..slot.clone()
    }
}
