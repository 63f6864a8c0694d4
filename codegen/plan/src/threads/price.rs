//! The time of loops on several threads.
//!
//! Threads share the iterations of a loop. Each computes at the pace of one thread, and has caches of its own but the last one: bytes
//! from memory come at the bandwidth of all cores together. The last thread to end is waited for: 9 iterations take 8 threads as long
//! as 16.

use crate::cost::GroupCost;
use crate::target::Target;

/// Nanoseconds to start the threads of a parallel loop and to wait for their end. (Assumed, between threads that spin and threads that
/// have to be woken.)
const FORK: f64 = 8_000.0;

/// Cycles of a step of a row, to wait for the row before and to tell the next one. (Assumed: a line of a cache goes from core to core
/// twice.)
const STEP: f64 = 400.0;

/// Threads, and what they share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team {
    threads: f64,
    /// How many times the bandwidth of one core memory delivers.
    memory: f64,
    /// The cycles of a fork.
    pub(crate) fork: f64,
}

/// The number of iterations of a parallel loop.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Iterations {
    /// So many.
    Exactly(f64),
    /// Sizes are not known: there may be one for some thread, and none for the others.
    About(f64),
}

/// The cycles of an order on threads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cycles {
    /// Those of statements, and of waiting for each other.
    pub(crate) work: f64,
    /// Those of starting threads.
    pub(crate) forks: f64,
}

impl Team {
    /// The smallest one.
    pub(crate) fn pair(target: &Target) -> Team {
        Team::of(target, 2)
    }

    /// So many threads, of which there are two or more.
    pub(crate) fn of(target: &Target, threads: u32) -> Team {
        let memory = &target.memory;
        let share = memory.total_bandwidth / memory.bandwidth.max(f64::MIN_POSITIVE);
        Team {
            threads: f64::from(threads.max(2)),
            memory: share.clamp(1.0, f64::from(threads.max(2))),
            fork: FORK * target.clock,
        }
    }

    /// The same where forks take no time.
    pub(super) fn without_forks(self) -> Team {
        Team { fork: 0.0, ..self }
    }

    /// The cycles of groups of statements in a pipeline that is entered so many times, of so many rows, of so many steps each. The last
    /// thread begins when the first one has done as many steps as there are threads. No more rows than steps are under way at a time: the first one
    /// of them has ended when the next one would begin.
    pub(crate) fn pipelined<'g>(
        &self,
        groups: impl Iterator<Item = &'g GroupCost>,
        entered: f64,
        (rows, steps): (f64, f64),
    ) -> f64 {
        let (rows, steps) = (rows.ceil().max(1.0), steps.max(1.0));
        let busy = Team {
            threads: self.threads.min(steps.ceil()),
            ..*self
        };
        let rounds = (rows / busy.threads).ceil();
        let late = (busy.threads.min(rows) - 1.0) / (rounds * steps);
        let own: f64 = groups.map(|group| busy.cycles(group, Iterations::Exactly(rows))).sum();
        own * (1.0 + late) + entered * (rounds * steps * STEP + self.fork)
    }

    /// The cycles of a group of statements in a parallel loop of so many iterations, without the fork. The last iteration may be shorter: of
    /// a loop over tiles, there is a fraction of one.
    pub(crate) fn cycles(&self, group: &GroupCost, iterations: Iterations) -> f64 {
        let (trips, of_busiest) = match iterations {
            Iterations::Exactly(trips) => (trips, (trips.ceil() / self.threads).ceil()),
            Iterations::About(trips) => (trips, trips / self.threads + 1.0),
        };
        let share = (of_busiest / trips.max(1.0)).min(1.0);
        let mut own = group.scaled(share);
        if let (Some(own), Some(all)) = (own.bytes.last_mut(), group.bytes.last()) {
            *own = own.max(all / self.memory);
        }
        own.cycles()
    }
}
