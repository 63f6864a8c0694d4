//! How many cycles a statement waits for itself.
//!
//! A loop that carries a dependence of a statement on itself waits for each iteration ([`recurrence`]). Where the next entry of the loop begins
//! a chain of its own, as the sum of the next row does, the machine looks ahead to it:
//!
//! ```text
//! for (i) { s = 0; for (j < 10) s += a[i][j]; r[i] = s; }        sums of several rows run side by side
//! ```

use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::program::{ArrayKind, Statement};
use farkas_polyhedral::sets::{ByTuple, Tuple};

use super::Model;
use crate::analysis::linear::Stride;
use crate::analysis::mutual_recurrence::{self, InLoop};
use crate::analysis::nest::Nest;
use crate::analysis::recurrence;

/// So many short loops run side by side at the most.
const MOST_OVERLAP: f64 = 3.0;

/// The share of the machine's window that operations may fill which wait for others: its schedulers are smaller. On Zen 3, sums of
/// products, Horner's rule and Clenshaw's sums, each for many points, took as long as if 18 iterations were ahead.
const WAITING: f64 = 0.4;

/// What an iteration of a wavefront takes beside the operations on its chain, in times that a store is forwarded: rows find in memory what others
/// have stored an iteration before. (Zen 3: 15 to 19 cycles beside chains of 2 and 3.)
const STEP_OF_WAVEFRONT: f64 = 2.5;

impl Model<'_> {
    /// Cycles by the recurrence of a statement in its innermost loop.
    pub(super) fn latency(&self, tuple: &Tuple, nest: &Nest) -> f64 {
        let linear = &self.statements[tuple];
        let statement = self.statement_of(tuple);
        let mut cycles = recurrence::cycles(statement, linear, nest, &self.layouts, self.target);
        if is_scalar_wavefront(nest) && self.goes_through_memory(tuple, nest) {
            cycles += STEP_OF_WAVEFRONT * self.target.operations.store.latency;
        }
        nest.instances / nest.copies() * cycles / self.overlap_of(&[(tuple, nest)])
    }

    /// Whether a statement finds in memory what it has stored in an earlier iteration of the innermost loop.
    fn goes_through_memory(&self, tuple: &Tuple, nest: &Nest) -> bool {
        let along = nest.innermost().and_then(|l| l.direction.as_ref());
        let both = || {
            self.statement_of(tuple)
                .accesses
                .iter()
                .zip(&self.statements[tuple].accesses)
        };
        let is_read = |array: &Tuple| both().any(|(access, linear)| !linear.writes && access.array() == array);
        both().any(|(access, linear)| {
            let moves = along.is_none_or(|along| linear.stride(along) != Stride::Zero);
            linear.writes && self.in_memory(access) && moves && is_read(access.array())
        })
    }

    /// The same by the recurrences of several statements in an innermost loop together.
    pub(super) fn latency_together(&self, tuples: &[Tuple], nests: &ByTuple<Nest>) -> f64 {
        let innermost = tuples.iter().map(|tuple| nests[tuple].innermost());
        let along: Option<Vec<&Row>> = innermost.map(|l| l.and_then(|l| l.direction.as_ref())).collect();
        let (Some(along), true) = (along, tuples.len() > 1) else {
            return 0.0;
        };
        let in_loop = tuples.iter().zip(along).map(|(tuple, along)| InLoop {
            statement: self.statement_of(tuple),
            linear: &self.statements[tuple],
            along,
        });
        let cycles = mutual_recurrence::cycles(&in_loop.collect::<Vec<_>>(), self.target);
        let own: Vec<(&Tuple, &Nest)> = tuples.iter().map(|tuple| (tuple, &nests[tuple])).collect();
        let first = own[0].1;
        first.instances / first.copies() * cycles / self.overlap_of(&own)
    }

    /// How many entries of an innermost loop around these statements run side by side.
    fn overlap_of(&self, statements: &[(&Tuple, &Nest)]) -> f64 {
        let goes_on = |(tuple, nest): &(&Tuple, &Nest)| self.goes_on(tuple, self.statement_of(tuple), nest);
        if statements.iter().any(goes_on) {
            return 1.0;
        }
        let operations = |(tuple, nest): &(&Tuple, &Nest)| {
            let lanes = nest.lanes().map_or(1.0, |l| l.trips);
            (self.statements[*tuple].accesses.len() + 2) as f64 * nest.copies() / lanes
        };
        let innermost = statements.first().and_then(|(_, nest)| nest.innermost());
        overlap(
            innermost.map_or(1.0, |l| l.trips),
            WAITING * f64::from(self.target.window) / statements.iter().map(operations).sum::<f64>(),
        )
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

/// Whether rows side by side, which are no lanes, are in different iterations of the innermost loop's dimension.
fn is_scalar_wavefront(nest: &Nest) -> bool {
    let is_skewed = |along: &Row| along.iter().filter(|by| !by.is_zero()).count() > 1;
    nest.lanes().is_none()
        && nest
            .unrolled()
            .any(|l| l.trips > 1.0 && l.direction.as_ref().is_some_and(is_skewed))
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
