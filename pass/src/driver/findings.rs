//! What the search found out about the fragments of a function. It outlives changes of the function.

use crate::detect::declined::Reason;
use crate::detect::fragment::Fragment;
use crate::detect::regions::{Fit, Segment};
use crate::pipeline::Ordered;
use farkas_llvm::value::Location;
use farkas_llvm::{Identity, Run};
use farkas_polyhedral::program::Program;
use std::collections::{HashMap, HashSet};

/// What earlier searches found out about a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// How it can be used.
    Fit(Fit),
    /// A loop that has a model, and stays as it is.
    Kept,
    /// A loop that has no model; those inside are looked at.
    Declined(Cause),
}

/// Why a loop has no model, as far as it outlives a change of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    Declined {
        reason: Reason,
        at: Option<Identity>,
    },
    OutOfBudget,
    /// It has a model, but no gain. Loops inside may gain by themselves, as more is known of them or they take less work.
    NoGainTogether,
}

impl Cause {
    /// Whether it is a condition on data around a loop.
    pub(super) fn is_condition_on_data(&self) -> bool {
        matches!(self, Cause::Declined { reason, .. } if *reason == Reason::NonAffineCondition)
    }
}

/// The identity of a fragment, which survives a change of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Loop(Identity),
    Phis(Identity),
    Code(Identity),
    Branch(Identity),
}

impl Key {
    pub(super) fn of(run: &Run<'_>, fragment: Fragment<'_>) -> Self {
        match fragment {
            Fragment::Loop(l) => Key::Loop(run.identity(l.header())),
            Fragment::Phis(block) => Key::Phis(run.identity(block)),
            Fragment::Code(block) => Key::Code(run.identity(block)),
            Fragment::Branch(block) => Key::Branch(run.identity(block)),
        }
    }
}

/// All that was found out.
#[derive(Default)]
pub(super) struct Findings {
    standings: HashMap<Key, Standing>,
    orders: HashMap<Vec<Key>, KnownOrder>,
    /// Where remarks were given, and what they said.
    said: HashSet<(String, (u32, u32), String)>,
}

/// An order of a segment.
struct KnownOrder {
    /// The text of the program that it is an order of.
    program: String,
    order: Ordered,
}

impl Findings {
    /// Whether nothing like that was said at the place. Remembers that it is now.
    pub(super) fn is_said_first(&mut self, at: Location, message: String) -> bool {
        self.said.insert((at.file, (at.line, at.column), message))
    }

    /// What was found out about a fragment.
    pub(super) fn standing(&self, run: &Run<'_>, fragment: Fragment<'_>) -> Option<&Standing> {
        self.standings.get(&Key::of(run, fragment))
    }

    pub(super) fn set_standing(&mut self, run: &Run<'_>, fragment: Fragment<'_>, standing: Standing) {
        self.standings.insert(Key::of(run, fragment), standing);
    }

    /// Forgets of the loops with conditions on data around loops that they were declined. Whether there are any.
    pub(super) fn forget_conditions_on_data(&mut self) -> bool {
        let all = self.standings.len();
        let is_on_data =
            |standing: &Standing| matches!(standing, Standing::Declined(cause) if cause.is_condition_on_data());
        self.standings.retain(|_, standing| !is_on_data(standing));
        self.standings.len() < all
    }

    /// Whether the segment by itself has an order that is expected to gain.
    pub(super) fn has_order(&self, run: &Run<'_>, segment: &Segment<'_>) -> bool {
        self.orders.contains_key(&keys(run, &segment.fragments))
    }

    /// The cycles that the order of the segment is expected to take, if there is one.
    pub(super) fn cycles(&self, run: &Run<'_>, segment: &Segment<'_>) -> Option<f64> {
        let known = self.orders.get(&keys(run, &segment.fragments))?;
        Some(known.order.cycles())
    }

    /// Keeps the order of a segment's model for the time when the segment is replaced by itself.
    pub(super) fn keep_order(&mut self, run: &Run<'_>, segment: &Segment<'_>, program: &Program, order: Ordered) {
        let program = program.to_string();
        self.orders
            .insert(keys(run, &segment.fragments), KnownOrder { program, order });
    }

    /// The order of these fragments, if their model is the same as when it was found.
    pub(super) fn take_order(
        &mut self,
        run: &Run<'_>,
        fragments: &[Fragment<'_>],
        program: &Program,
    ) -> Option<Ordered> {
        let known = self.orders.remove(&keys(run, fragments))?;
        (known.program == program.to_string()).then_some(known.order)
    }
}

fn keys(run: &Run<'_>, fragments: &[Fragment<'_>]) -> Vec<Key> {
    fragments.iter().map(|fragment| Key::of(run, *fragment)).collect()
}
