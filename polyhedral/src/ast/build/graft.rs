//! Pieces of the AST on their way up (P1 sections 4.4 and 5.9).
//!
//! A [`Graft`] is an AST node with the conditions that outer nodes have yet to enforce, its *guard*, and what it makes sure of
//! itself wherever it executes an instance, both over the schedule dimensions outside of it. Several grafts that follow each
//! other become one: what all of their guards have in common is *hoisted* into the guard of the whole, and the rest
//! becomes `if`s around each, or around several of them ([`super::branches`]).
//!
//! For example `i <= 6`, `i >= 2` and `i >= 2` have no constraint in common; but if the first node enforces `i >= 2` itself, that
//! one can be hoisted, and only `i <= 6` around the first is left.

use crate::ast::build::Options;
use crate::ast::build::branches;
use crate::ast::build::gist::simplified;
use crate::ast::build::stock::Stock;
use crate::ast::node::Node;
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;
use crate::sets::{Conj, Set};

/// A node, what it needs, and what it enforces.
#[derive(Clone, Debug)]
pub(super) struct Graft {
    pub(super) node: Node,
    /// What outer nodes have to enforce.
    pub(super) guard: Set,
    /// What holds where the node executes an instance because of its own loops and conditions.
    pub(super) enforced: Set,
}

/// The grafts as one, in the stock in which they were made. The guard is over the same dimensions and of such conditions only
/// as are `movable`. `None` where nothing is executed.
pub(super) fn fused(
    mut grafts: Vec<Graft>,
    movable: &dyn Fn(&Conj) -> bool,
    stock: &Stock,
    options: &Options,
    b: &Budget,
) -> Outcome<Option<Graft>> {
    grafts.retain(|graft| !graft.node.is_empty());
    if grafts.is_empty() {
        return Ok(None);
    }
    let inside: Vec<Set> = grafts.iter().map(|g| g.guard.intersect(&g.enforced)).collect();
    let hoisted = hoisted(&grafts, &inside, movable, stock, b)?;
    if !hoisted.is_plainly_universe() {
        for graft in &mut grafts {
            graft.guard = simplified(&graft.guard, &hoisted, b)?;
        }
    }
    let enforced = shared_enforced(&grafts, stock, b)?;
    let node = branches::guarded(grafts, &stock.outside(&hoisted), options, b)?;
    Ok(Some(Graft {
        node,
        guard: hoisted,
        enforced,
    }))
}

/// What all grafts enforce, with the `if`s around them.
fn shared_enforced(grafts: &[Graft], stock: &Stock, b: &Budget) -> Outcome<Set> {
    let own: Vec<Set> = grafts
        .iter()
        .map(|graft| graft.enforced.intersect(&graft.guard))
        .collect();
    match &own[..] {
        [only] => Ok(only.clone()),
        _ => {
            let candidates = own.iter().flat_map(|set| set.pieces()).flat_map(single_constraints);
            shared(candidates, &own, stock, b)
        }
    }
}

/// Those conditions that hold in all of the sets, where the outer nodes enforce what they do.
fn shared(candidates: impl Iterator<Item = Conj>, sets: &[Set], stock: &Stock, b: &Budget) -> Outcome<Set> {
    let space = stock.known().space();
    let sets: Vec<Set> = sets.iter().map(|set| set.intersect(stock.generated())).collect();
    let mut tried: Vec<Conj> = Vec::new();
    let mut shared = Set::universe(space.clone());
    for candidate in candidates {
        if tried.contains(&candidate) {
            continue;
        }
        let condition = Set::from_conj(space.clone(), candidate.clone());
        tried.push(candidate);
        let mut holds = true;
        for set in &sets {
            holds = holds && set.is_subset(&condition, b)?;
        }
        if holds {
            shared = shared.intersect(&condition);
        }
    }
    shared.remove_redundancies(b)
}

/// The conditions to hoist.
fn hoisted(
    grafts: &[Graft],
    inside: &[Set],
    movable: &dyn Fn(&Conj) -> bool,
    stock: &Stock,
    b: &Budget,
) -> Outcome<Set> {
    let first = &grafts[0].guard;
    let same = grafts[1..].iter().all(|graft| graft.guard.is_plainly_equal(first));
    if same && first.pieces().iter().all(movable) {
        return Ok(first.clone());
    }
    let candidates = grafts.iter().flat_map(|graft| graft.guard.pieces());
    let candidates = candidates.flat_map(single_constraints).filter(|conj| movable(conj));
    shared(candidates, inside, stock, b)
}

/// The constraints of a conjunction without locals, each with the divisions that it needs.
fn single_constraints(conj: &Conj) -> Vec<Conj> {
    let rows = conj.eqs().iter().map(|row| (row, true));
    let rows = rows.chain(conj.ineqs().iter().map(|row| (row, false)));
    let single = |(row, is_equality): (&Row, bool)| {
        let mut only =
            conj.map_constraints(|other, equality| (equality == is_equality && other == row).then(|| other.clone()));
        only.simplify();
        only
    };
    rows.map(single).collect()
}

impl Graft {
    /// The graft in the space without the last schedule dimension, for which there was no loop since it has the value
    /// that `value` says.
    pub(super) fn without_last(self, value: &Set, b: &Budget) -> Outcome<Graft> {
        let dropped = |set: &Set| -> Outcome<Set> {
            if set.is_plainly_universe() {
                let space = crate::ast::build::executed::schedule_space(set.params(), set.n_dims() - 1);
                return Ok(Set::universe(space));
            }
            let projected = set.intersect(value).project_out(set.n_dims() - 1, 1, b)?;
            projected.explicit(b)
        };
        Ok(Graft {
            guard: dropped(&self.guard)?,
            enforced: dropped(&self.enforced)?,
            node: self.node,
        })
    }
}
