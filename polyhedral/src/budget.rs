//! The work budget: a deterministic count of work, never of seconds.
//!
//! Every operation that may take more than linear work is given a [`Budget`] and spends from it. When the budget is
//! gone the operation ends in [`OutOfBudget`], at the same point on every machine, so that the same input always gives
//! the same output.

use std::cell::Cell;

/// The budget of an operation, or of all operations on a function, is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("out of budget")]
pub struct OutOfBudget;

/// The result of an operation that works on a budget.
pub type Outcome<T> = Result<T, OutOfBudget>;

/// Work units that are left. A unit is about one row operation on a constraint system.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
}

impl Budget {
    /// A budget of `units` work units.
    pub fn new(units: u64) -> Self {
        Budget { left: Cell::new(units) }
    }

    /// A budget that no feasible computation spends, for tests and interactive use.
    pub fn unlimited() -> Self {
        Budget::new(u64::MAX)
    }

    /// Takes `units` from the budget. Once it has failed, it fails for ever.
    pub fn spend(&self, units: u64) -> Outcome<()> {
        match self.left.get().checked_sub(units) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                self.left.set(0);
                Err(OutOfBudget)
            }
        }
    }

    /// Runs `work` with at most `units` of this budget, from which what it spends is taken. The inner result says whether
    /// that was enough, the outer one whether there was that much.
    pub fn trial<T>(&self, units: u64, work: impl FnOnce(&Budget) -> Outcome<T>) -> Outcome<Outcome<T>> {
        let allowed = units.min(self.left());
        let part = Budget::new(allowed);
        let result = work(&part);
        self.spend(allowed - part.left())?;
        if result.is_err() && allowed < units {
            // There was less than a trial left, and it is gone.
            return Err(OutOfBudget);
        }
        Ok(result)
    }

    /// Runs `work` with what is left, or with a budget of `units` of its own where less is left.
    pub fn at_least<T>(&self, units: u64, work: impl FnOnce(&Budget) -> T) -> T {
        match self.left() < units {
            true => work(&Budget::new(units)),
            false => work(self),
        }
    }

    /// What is left, in work units.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}
