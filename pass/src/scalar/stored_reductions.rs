//! Reductions of values that are stored anyway: statements of their own, apart from the recurrence that computes the values.
//!
//! ```c
//! for (long i = 1; i < n; i++)
//!   for (long j = 1; j < m; j++) {
//!     h[i][j] = max(h[i - 1][j - 1] + s[i][j], max(h[i - 1][j], h[i][j - 1]) - 1);
//!     best = max(best, h[i][j]);        // reads h[i][j] as a statement of its own
//!   }
//! ```
//!
//! The recurrence has wavefronts whose rows are vector lanes, in which there is no place for `best`; the reduction has lanes along the rows
//! of `h`. A scalar slot carries the value from one statement to the other, and [DeLICM](super::delicm) keeps it in the element that is
//! stored to.
//!
//! Where nothing is computed of other elements of the array, both would better share their loops, and stay together.

use super::split::{ArrayBase, StatementBody};
use farkas_llvm::Run;
use farkas_llvm::value::{Kind, Value};
use indexmap::IndexSet;

/// A reduction that may be a statement of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredReduction<'a> {
    /// Its position among the writes of the statement.
    pub(crate) write: usize,
    /// The operation.
    pub(crate) update: Value<'a>,
    /// What it combines: the value that is stored.
    pub(crate) stored: Value<'a>,
}

/// The first reduction of a statement that combines a scalar slot with what the statement stores to an array from which it loads, too.
pub(crate) fn stored_reduction<'a>(
    run: &'a Run<'_>,
    body: &StatementBody<'a>,
    is_defined: &dyn Fn(Value<'a>) -> bool,
) -> Option<StoredReduction<'a>> {
    let base = |access: &Value<'a>| ArrayBase::of(run, *access, is_defined);
    let loaded: Vec<Option<ArrayBase<'a>>> = body
        .instructions
        .iter()
        .filter(|i| matches!(i.kind(), Kind::Load { .. }))
        .map(base)
        .collect();
    let is_stored = |value: Value<'a>| {
        let mut stores = body.instructions.iter().filter(|i| i.is_store());
        stores.any(|store| {
            let is_value = matches!(store.kind(), Kind::Store { value: stored, .. } if stored == value);
            is_value && base(store).is_some_and(|array| loaded.contains(&Some(array)))
        })
    };
    let uses = |value: Value<'a>| {
        let operands = body.instructions.iter().flat_map(|i| i.operands());
        let written = (0..body.writes.len()).flat_map(|write| body.values_of(write));
        operands.chain(written).filter(|used| *used == value).count()
    };
    let of_write = |write: usize| {
        let (slot, update) = body.slot_written(write)?;
        let is_update = body.instructions.contains(&update) && update.facts().reorderable() && uses(update) == 1;
        let operands: IndexSet<Value<'a>> = update
            .operands()
            .into_iter()
            .filter(|operand| !operand.is_function())
            .collect();
        let read = operands
            .iter()
            .find(|operand| body.reads.get(*operand) == Some(&slot))?;
        let stored = operands
            .iter()
            .find(|operand| body.instructions.contains(*operand) && is_stored(**operand))?;
        let is_alone = is_update && operands.len() == 2 && uses(*read) == 1;
        is_alone.then_some(StoredReduction {
            write,
            update,
            stored: *stored,
        })
    };
    (0..body.writes.len()).find_map(of_write)
}
