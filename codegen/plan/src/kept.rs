//! Why loop nests stay as they are.

use farkas_polyhedral::budget::OutOfBudget;

/// Why loops with a single statement stay.
pub(crate) const ONE_ORDER: &str =
    "no gain expected: each loop has a single statement, so that there is no other order";

/// Why a modelled nest is not replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Kept {
    /// No order is expected to be better.
    #[error("{0}")]
    NoGain(String),
    /// The scheduler found none.
    #[error("no schedule found: {0}")]
    NoSchedule(String),
    /// The checker refused the new order.
    #[error("the new order could not be shown to be legal")]
    NotLegal,
    /// Nothing is executed for any parameter values of the assumptions.
    #[error("what has to be assumed never holds where something is executed")]
    NeverHolds,
    /// The budget is spent.
    #[error("the analysis is too costly")]
    OutOfBudget,
    /// A statement is in no loop that a device could share out.
    #[error("a statement is in no loop whose iterations may run at the same time on a device")]
    NoKernels,
    /// The AST generator found no loops for the new order.
    #[error("no loops can be generated: {0}")]
    NoLoops(String),
}

impl Kept {
    /// Each loop has a single statement, and new code would be as the original.
    pub fn one_order() -> Kept {
        Kept::NoGain(ONE_ORDER.to_owned())
    }
}

impl From<OutOfBudget> for Kept {
    fn from(_: OutOfBudget) -> Self {
        Kept::OutOfBudget
    }
}
