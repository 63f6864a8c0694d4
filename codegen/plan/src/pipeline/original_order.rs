//! The original order on threads, where no other order gains.
//!
//! Rows that fill a small array each, or that pass a condition on data, may have nothing to gain by another order, and yet be independent of
//! each other. So may nests whose schedule takes more than the budget.

use farkas_polyhedral::budget::{Budget, OutOfBudget, Outcome};

use super::orders::{CheckedOrder, Search};
use super::{Problem, UNITS_BEHIND, spent_or};
use crate::candidates::Rejection;
use crate::kept::Kept;
use crate::original_tree::{original_tree, with_one_member_bands};
use crate::threads;
use crate::transform::coincident_innermost::with_coincidence;

/// Why the original order gains nothing on one thread.
const ORIGINAL: &str = "no gain expected: it is the original order";

impl Search<'_> {
    /// The order that was found, or the original one on threads if there is none and threads gain, with its problem.
    pub(super) fn or_original_on_threads(
        &self,
        found: Result<(Problem, CheckedOrder), Kept>,
    ) -> Result<(Problem, CheckedOrder), Kept> {
        let Err(reason) = found else { return found };
        self.considered.reject_all(&Rejection::Kept(reason.clone()));
        let other = self.b.at_least(UNITS_BEHIND, |b| {
            match threads::may_gain(&self.problem.program, self.target, self.choices, b)? {
                true => self.original_on_threads(b),
                false => Ok(None),
            }
        });
        match other {
            Ok(Some(other)) => Ok(other),
            Ok(None) => Err(reason),
            Err(OutOfBudget) => {
                log::debug!("the original order on threads is out of budget");
                Err(reason)
            }
        }
    }

    fn original_on_threads(&self, b: &Budget) -> Outcome<Option<(Problem, CheckedOrder)>> {
        let problem = Problem {
            threads_only: Some(ORIGINAL),
            ..self.problem.clone()
        };
        let first = self.considered.next();
        let order = problem.fixed(b)?;
        let tree = with_one_member_bands(original_tree(&problem.program));
        let tree = with_coincidence(&tree, &order.constraints.coincidence, b)?;
        let search = Search {
            problem: &problem,
            b,
            ..*self
        };
        match spent_or(search.as_it_is(&problem.assuming(tree), order))? {
            Ok(order) => Ok(Some((problem.clone(), order))),
            Err(reason) => {
                log::debug!("the original order on threads: {reason}");
                self.considered.reject_from(first, &Rejection::Kept(reason));
                Ok(None)
            }
        }
    }
}
