//! Reductions: statements that combine the value of an array's element, or of a cell, with another value and write it back.
//!
//! In `for (i) for (j) s[0] += A[j][i];` all instances add to `s[0]`. Integers can be added in any order, and so can floating-point
//! numbers where the program's flags say so; then the loops can be interchanged. Recognised is a chain of operations of one
//! kind from the value read to the value written, of which nothing else uses any intermediate result:
//!
//! ```text
//! %old = load i32, ptr %s
//! %new = add nsw i32 %old, %a      an update: without `nsw`, since sums of other parts may overflow
//! store i32 %new, ptr %s
//! ```

use farkas_llvm::region::{CellId, IrStatement, Written};
use farkas_llvm::value::{Kind, Value};

/// A reduction of a statement.
#[derive(Clone, Debug)]
pub(crate) struct Reduction<'a> {
    /// What is read and written.
    pub(crate) place: ReductionPlace<'a>,
    /// The operations between, of one kind.
    pub(crate) updates: Vec<Value<'a>>,
}

/// What a reduction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReductionPlace<'a> {
    /// The element that this load reads and this store writes.
    Element { load: Value<'a>, store: Value<'a> },
    /// This cell.
    Cell(CellId),
}

/// The reductions of a statement. Whether it accesses the same array in other ways is up to the caller.
pub(crate) fn reductions<'a>(statement: &IrStatement<'a>) -> Vec<Reduction<'a>> {
    if statement.blocks.len() > 1 {
        return Vec::new();
    }
    let of_store = |store: &Value<'a>| -> Option<Reduction<'a>> {
        let Kind::Store { pointer, value } = store.kind() else { return None };
        let is_start = |value: Value<'a>| matches!(value.kind(), Kind::Load { pointer: from } if from == pointer);
        let (load, updates) = chain(statement, value, *store, is_start)?;
        (statement.instructions.contains(&load) && !load.is_volatile() && !load.is_atomic()).then_some(Reduction {
            place: ReductionPlace::Element { load, store: *store },
            updates,
        })
    };
    let of_cell = |index: usize| -> Option<Reduction<'a>> {
        let write = &statement.writes[index];
        let Written::Always(value) = write.value else { return None };
        let others = statement.writes.iter().enumerate().filter(|(other, _)| *other != index);
        let mut used = others.flat_map(|(_, other)| match &other.value {
            Written::Always(value) => vec![*value],
            Written::From(values) => values.iter().map(|(_, value)| *value).collect(),
        });
        let is_start = |value: Value<'a>| statement.reads.contains(&(write.cell, value));
        let (start, updates) = chain(statement, value, value, is_start)?;
        let apart = used.all(|value| value != start && !updates.contains(&value));
        apart.then_some(Reduction {
            place: ReductionPlace::Cell(write.cell),
            updates,
        })
    };
    let stores = statement.instructions.iter().filter_map(of_store);
    stores.chain((0..statement.writes.len()).filter_map(of_cell)).collect()
}

/// The operations of one kind that lead from a value that `is_start` to `last`, and that value; only `user` may use `last`, and
/// in the statement each of the others is only used by the next one.
fn chain<'a>(
    statement: &IrStatement<'a>,
    last: Value<'a>,
    user: Value<'a>,
    is_start: impl Fn(Value<'a>) -> bool,
) -> Option<(Value<'a>, Vec<Value<'a>>)> {
    let mut updates: Vec<Value<'a>> = Vec::new();
    let (mut value, mut used_by) = (last, user);
    loop {
        let inside = |user: &Value<'a>| statement.instructions.contains(user) || *user == used_by;
        let mut users = value.users().into_iter().filter(inside);
        let alone = value == used_by || users.by_ref().all(|user| user == used_by);
        if !alone || value.operands().iter().filter(|o| **o == value).count() > 0 {
            return None;
        }
        if is_start(value) {
            return (!updates.is_empty()).then_some((value, updates));
        }
        if !statement.instructions.contains(&value) || !value.facts().reorderable() {
            return None;
        }
        if updates.first().is_some_and(|first| !first.same_operation(value)) {
            return None;
        }
        updates.push(value);
        let mut operands = value.operands().into_iter().filter(|operand| leads(statement, *operand, &is_start, 8));
        let (Some(next), None) = (operands.next(), operands.next()) else {
            return None;
        };
        used_by = value;
        value = next;
    }
}
