//! How many cycles a statement waits for itself.
//!
//! A loop that carries a dependence of a statement on itself waits for each iteration ([`recurrence`]). Where the next entry of the loop begins
//! a chain of its own, as the sum of the next row does, the machine looks ahead to it:
//!
//! ```text
//! for (i) { s = 0; for (j < 10) s += a[i][j]; r[i] = s; }        sums of several rows run side by side
//! ```

use farkas_polyhedral::program::{ArrayKind, Statement};
use farkas_polyhedral::sets::Tuple;

use super::Model;
use crate::analysis::nest::Nest;
use crate::analysis::recurrence;

/// So many short loops run side by side at the most.
const MOST_OVERLAP: f64 = 3.0;

/// The share of the machine's window that operations may fill which wait for others: its schedulers are smaller. On Zen 3, sums of
/// products, Horner's rule and Clenshaw's sums, each for many points, took as long as if 18 iterations were ahead.
const WAITING: f64 = 0.4;

impl Model<'_> {
    /// Cycles by the recurrence of a statement in its innermost loop.
    pub(super) fn latency(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let linear = &self.statements[tuple];
        let statement = self.statement_of(tuple);
        let cycles = recurrence::cycles(statement, linear, nest, &self.layouts, self.target);
        let iterations = nest.instances / nest.copies();
        let lanes = nest.lanes().map_or(1.0, |l| l.trips);
        let operations = (linear.accesses.len() + 2) as f64 * nest.copies() / lanes;
        let overlap = match self.goes_on(tuple, statement, nest) {
            true => 1.0,
            false => overlap(
                nest.innermost().map_or(1.0, |l| l.trips),
                WAITING * f64::from(self.target.window) / operations,
            ),
        };
        iterations * cycles / overlap
    }

    /// Whether the innermost loop goes on with the values that it had when it was left last.
    fn goes_on(&self, tuple: &Tuple, statement: &Statement, nest: &Nest) -> bool {
        let linear = &self.statements[tuple];
        let mut outer = nest.loops.iter().rev().filter(|l| !l.unrolled).skip(1);
        let Some(direction) = outer.next().and_then(|outer| outer.direction.as_ref()) else {
            return true;
        };
        let is_read = |array: &Tuple| {
            let mut accesses = statement.accesses.iter().zip(&linear.accesses);
            accesses.any(|(access, linear)| !linear.writes && access.array() == array)
        };
        let mut accesses = statement.accesses.iter().zip(&linear.accesses);
        accesses.any(|(access, linear)| {
            let stays = || match self.program.arrays[access.array()].kind {
                ArrayKind::ScalarSlot => !self.initialized.along(tuple, direction),
                _ => self.layouts[access.array()].stride(linear, direction) == Some(0.0),
            };
            linear.writes && is_read(access.array()) && stays()
        })
    }
}

/// How many times faster a chain of operations through a loop of so many iterations is done where the next entry of the loop begins a
/// chain of its own, and the machine looks so many iterations ahead. The first iterations of the next entry run beside the last ones.
/// Where more than one entry is in sight, entries run side by side.
fn overlap(trips: f64, ahead: f64) -> f64 {
    let overlap = match trips < 2.0 * ahead {
        true => f64::max(2.0, 1.0 + ahead / trips),
        false => trips / (trips - ahead),
    };
    overlap.min(MOST_OVERLAP)
}
