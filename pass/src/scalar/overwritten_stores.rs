//! Overwritten stores: those that the same instance of a statement overwrites before anything reads what they store.
//!
//! ```c
//! t[i][j] = max(t[i][j], t[i][j - 1]);  // removed
//! t[i][j] = max(t[i][j], t[i + 1][j]);  // uses the value in a register
//! ```
//!
//! LLVM keeps such a store if a load in between may be from its element: it does not know that `t[i + 1][j]` is another one. Without the store,
//! both maxima are one [reduction](super::reductions).

use super::draft::{DraftStatement, ScopDraft};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::{Access, AccessKind};
use farkas_polyhedral::sets::Map;

/// Removes overwritten stores from statements of one block that call nothing. Those that were not looked at when the budget ends stay.
pub(crate) fn remove_overwritten_stores(draft: &mut ScopDraft<'_>, b: &Budget) -> Outcome<()> {
    let context = draft.context.clone();
    for statement in &mut draft.statements {
        let has_others = statement.array_accesses.len() != statement.loads_and_stores().count();
        if statement.ir.blocks.len() > 1 || has_others || !statement.elements.is_empty() {
            continue;
        }
        let mut position = 0;
        while position < statement.array_accesses.len() {
            let domain = statement.domain.intersect_params(&context);
            let executed = |access: &Access| access.relation.intersect_domain(&domain);
            match is_overwritten(&statement.array_accesses, position, executed, b)? {
                true => remove(statement, position),
                false => position += 1,
            }
        }
    }
    Ok(())
}

/// Whether the access is a store that a later one overwrites, without an access to the element in between.
fn is_overwritten(
    accesses: &[Access],
    position: usize,
    executed: impl Fn(&Access) -> Map,
    b: &Budget,
) -> Outcome<bool> {
    let (own, later) = (&accesses[position], &accesses[position + 1..]);
    if own.kind != AccessKind::MustWrite || !later.iter().any(|other| is_store_to(other, own)) {
        return Ok(false);
    }
    let stored = executed(own);
    if !stored.is_single_valued(b)? {
        return Ok(false);
    }
    for other in later.iter().filter(|other| other.array() == own.array()) {
        let accessed = executed(other);
        if is_store_to(other, own) && stored.is_equal(&accessed, b)? {
            return Ok(true);
        }
        if !stored.intersect(&accessed).is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(false)
}

fn is_store_to(access: &Access, own: &Access) -> bool {
    access.kind == AccessKind::MustWrite && access.array() == own.array()
}

/// Removes a load or store by its position among them.
fn remove(statement: &mut DraftStatement<'_>, position: usize) {
    let access = statement.loads_and_stores().nth(position).expect("one of them");
    log::debug!("{}: {access} is overwritten", statement.ir.name);
    statement.ir.instructions.retain(|i| *i != access);
    statement.array_accesses.remove(position);
}
