//! What the generator knows at a point of its way down (P1 section 4.2).
//!
//! All sets are over the schedule dimensions outside. The *generated* conditions will be enforced by outer nodes of the
//! AST, whatever comes: bounds of loops, mostly. The *pending* ones hold for all that is executed here, and will be
//! enforced somewhere: the conditions of every leaf are taken to include them, and those that nothing in between
//! enforces are hoisted as far out as they go. Where an instance is executed, both hold.

use crate::ast::place::Place;
use crate::ast::quasi::IterId;
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, Params, Set};

/// What is known at a point.
#[derive(Clone, Debug)]
pub(super) struct Stock {
    /// With all that is known.
    place: Place,
    generated: Set,
    pending: Set,
    /// Inside a part of the schedule that was left when full tiles were isolated.
    pub(super) partial_tile: bool,
}

impl Stock {
    /// Outside of all loops, where the parameters are in `context`.
    pub(super) fn root(context: Set, params: Params) -> Stock {
        let pending = Set::universe(context.space().clone());
        Stock {
            place: Place::root(context.clone(), params),
            generated: context,
            pending,
            partial_tile: false,
        }
    }

    /// The number of schedule dimensions outside.
    pub(super) fn depth(&self) -> usize {
        self.generated.n_dims()
    }

    /// Where expressions for instances that are executed here stand.
    pub(super) fn place(&self) -> &Place {
        &self.place
    }

    /// Where expressions stand that are evaluated outside of what is generated from here, so that only the generated
    /// conditions are known, and those in `guard`.
    pub(super) fn outside(&self, guard: &Set) -> Place {
        self.place.with_known(self.generated.intersect(guard))
    }

    /// All that is known of the schedule dimensions where an instance is executed.
    pub(super) fn known(&self) -> &Set {
        self.place.known()
    }

    /// What outer nodes enforce.
    pub(super) fn generated(&self) -> &Set {
        &self.generated
    }

    /// What is known and still has to be enforced.
    pub(super) fn pending(&self) -> &Set {
        &self.pending
    }

    /// Inside a loop over one more schedule dimension: `generated`, over the dimensions with it, is what its bounds and
    /// its step enforce, and `pending` what else is known to hold where it has an instance.
    pub(super) fn inside_loop(&self, iter: IterId, generated: &Set, pending: &Set, b: &Budget) -> Outcome<Stock> {
        self.entered(generated, pending, |place, known| place.inside_loop(iter, known), b)
    }

    /// With one more schedule dimension, for which there is no loop since it has the value `value`, an expression in the
    /// outer ones. `generated` says so.
    pub(super) fn with_value(&self, value: Aff, generated: &Set, pending: &Set, b: &Budget) -> Outcome<Stock> {
        self.entered(generated, pending, |place, known| place.with_value(value, known), b)
    }

    fn entered(
        &self,
        generated: &Set,
        pending: &Set,
        place: impl FnOnce(&Place, Set) -> Place,
        b: &Budget,
    ) -> Outcome<Stock> {
        let depth = self.depth();
        let generated = generated.intersect(&self.generated.insert_dims(depth, 1));
        let generated = generated.remove_redundancies(b)?;
        let pending = pending.intersect(&self.pending.insert_dims(depth, 1));
        let pending = pending.gist(&generated, b)?;
        let known = generated.intersect(&pending);
        Ok(Stock {
            place: place(&self.place, known),
            generated,
            pending,
            partial_tile: self.partial_tile,
        })
    }

    /// Where also `fact` is known, since it is given or outer nodes will enforce it.
    pub(super) fn assuming(&self, fact: &Set) -> Stock {
        let generated = self.generated.intersect(fact);
        Stock {
            place: self.place.with_known(generated.intersect(&self.pending)),
            generated,
            ..self.clone()
        }
    }

    /// The same in a part from which full tiles have been taken.
    pub(super) fn in_partial_tile(&self) -> Stock {
        Stock {
            partial_tile: true,
            ..self.clone()
        }
    }
}
