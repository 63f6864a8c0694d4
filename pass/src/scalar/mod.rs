//! Statements, the scalar slots that carry values between them, and how to do without slots.

pub(crate) mod coalescing;
pub(crate) mod delicm;
pub(crate) mod draft;
pub(crate) mod execution_order;
mod invariant_divisions;
mod last_writes;
pub(crate) mod operand_tree_forwarding;
pub(crate) mod overwritten_stores;
pub(crate) mod reductions;
pub(crate) mod redundant_writes;
pub(crate) mod scalars;
pub(crate) mod split;
mod stored_reductions;
