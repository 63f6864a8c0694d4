//! Loops that run on threads.
//!
//! Threads come last: a *site* is a loop of an order that was found for one thread, whose iterations may run at the same time. It gets
//! a [`parallel`](farkas_polyhedral::tree::Mark::Parallel) mark. Sites are coincident members of bands. In a permutable band without any,
//! the iterations of a member may overlap ([`pipeline`](farkas_polyhedral::tree::Mark::Pipeline)): no dependence has a negative distance in
//! another member, so that an iteration may go as far there as the one before it has come (a *doacross* loop; Cytron 1986).
//!
//! ```text
//! [t/8, (t + i)/64]    thread 0   row 0: steps 0 1 2 3   row 2: steps 0 1 2 3
//!   [t, t + i]         thread 1          row 1: steps 0 1 2 3
//! ```
//!
//! Each iteration of a parallel loop has its own copies of the scalar slots that it writes, and of [arrays](copies) on the stack that it fills.
//!
//! Where only an innermost loop has such iterations, a loop over [`strips`] of it goes around the band. Where a loop is over tiles, these may
//! have a smaller [`grain`].
//!
//! A site costs a fork each time that control reaches it ([`price`]). The outermost sites are the best ones mostly: `sites.rs` compares
//! them with those inside. [`check_plan`](crate::check_plan) has the last word; where it refuses a site, those inside are
//! tried.

/// So many times a plan is checked with loops on threads, each time further inside.
pub(crate) const ATTEMPTS: usize = 3;

/// Nests apart on two threads have to take at most this share of the time of nests that share loops over tiles: one thread would take
/// longer. (`mvt` of 3000 takes one thread twice as long apart.)
pub(crate) const INSTEAD_OF_FUSION: f64 = 0.7;

/// Two threads gain where one takes the time of so many forks.
const FORKS: f64 = 3.0;

mod copies;
mod grain;
mod other_loops;
mod price;
mod sites;
mod strips;

use crate::choices::Choices;
use crate::cost::Model;
use crate::target::Target;
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::program::Program;
use farkas_polyhedral::sets::{Name, Tuple, UnionMap};

pub(crate) use other_loops::OtherLoops;
pub(crate) use price::Team;
pub(crate) use sites::{Threaded, cycles, private, threaded};

/// Whether a program takes long enough for threads. It may have no loop for them.
///
/// # Errors
///
/// If the budget is spent.
pub(crate) fn may_gain(program: &Program, target: &Target, choices: &Choices, b: &Budget) -> Outcome<bool> {
    let none = UnionMap::empty(program.context.params().clone());
    let model = Model::new(program, &none, target, b)?;
    let model = match choices.may_be_inlined {
        true => model,
        false => model.for_threads(b)?,
    };
    let at_best = model.cost_of_original(b)?;
    Ok(at_best.cycles() > FORKS * Team::pair(target).fork)
}

/// The scalar slots that a program writes: what each iteration has a copy of where several run at the same time.
pub fn private_slots(program: &Program) -> Vec<Name> {
    let statements: Vec<Tuple> = program.statements.iter().map(|one| one.tuple().clone()).collect();
    private(program, &statements)
}
