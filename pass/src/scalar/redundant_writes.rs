//! Redundant writes: statements that only write to an element the value that they have read from it.
//!
//! ```c
//! double s = C[i][j];                   // removed, as s is kept in C[i][j]
//! for (long k = 0; k < n; k++)
//!   s += A[i][k] * B[k][j];
//! C[i][j] = s;                          // removed
//! ```
//!
//! DeLICM leaves them. Without them, the loops around the sum have a single statement, which may come in any order that its
//! own dependences leave.

use super::draft::{DraftStatement, ScopDraft};
use farkas_llvm::scop_ir::Written;
use farkas_llvm::value::{Kind, Value};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::Map;

/// Removes the statements that change nothing. Those that were not looked at when the budget ends stay.
pub(crate) fn remove_redundant_writes(draft: &mut ScopDraft<'_>, b: &Budget) -> Outcome<()> {
    let mut index = 0;
    while let Some(statement) = draft.statements.get(index) {
        match changes_nothing(statement, b)? {
            true => {
                log::debug!("{} changes nothing", statement.ir.name);
                draft.statements.remove(index);
            }
            false => index += 1,
        }
    }
    Ok(())
}

/// Whether all that a statement does is to write to elements what it has read from them.
fn changes_nothing(statement: &DraftStatement<'_>, b: &Budget) -> Outcome<bool> {
    // In a statement of several blocks, what is written may depend on the way through them.
    if statement.ir.blocks.len() > 1 {
        return Ok(false);
    }
    let Some((value, written)) = only_write(statement) else {
        return Ok(false);
    };
    let Some(read) = read_from(statement, value) else {
        return Ok(false);
    };
    // Where a subscript is not affine, the relation has all elements that it may be.
    Ok(read.range_tuple() == written.range_tuple() && written.is_single_valued(b)? && read.is_equal(written, b)?)
}

/// The value and the elements of the only effect of a statement, if it is a write to elements of an array.
fn only_write<'s, 'a>(statement: &'s DraftStatement<'a>) -> Option<(Value<'a>, &'s Map)> {
    let mut writes = Vec::new();
    for (position, i) in statement.loads_and_stores().enumerate() {
        if let Kind::Store { value, .. } = i.kind() {
            writes.push((value, &statement.array_accesses[position].relation));
        }
    }
    for write in &statement.ir.writes {
        let Written::Always(value) = &write.value else {
            return None;
        };
        writes.push((*value, statement.elements.get(&write.slot)?));
    }
    let has_call = statement
        .ir
        .instructions
        .iter()
        .any(|i| matches!(i.kind(), Kind::Call(_)));
    match writes[..] {
        [write] if !has_call => Some(write),
        _ => None,
    }
}

/// The elements that a value was read from, if it was.
fn read_from<'s, 'a>(statement: &'s DraftStatement<'a>, value: Value<'a>) -> Option<&'s Map> {
    if let Some((slot, _)) = statement.ir.reads.iter().find(|(_, read)| *read == value) {
        return statement.elements.get(slot);
    }
    let is_load = |i: &Value<'a>| *i == value && matches!(i.kind(), Kind::Load { .. });
    let position = statement.loads_and_stores().position(|i| is_load(&i))?;
    Some(&statement.array_accesses[position].relation)
}
