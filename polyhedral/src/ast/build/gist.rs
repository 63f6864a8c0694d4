//! Simplification where [`Set::gist`] is too weak: in contexts of several conjunctions, and by what only integers tell.

use crate::budget::{Budget, Outcome};
use crate::sets::{Set, complement};

/// What has to be checked of `set` where `known` holds; nothing where that implies all of it, of however many conjunctions the
/// two are.
pub(super) fn simplified(set: &Set, known: &Set, b: &Budget) -> Outcome<Set> {
    if known.pieces().len() > 1 && known.is_subset(set, b)? {
        return Ok(Set::universe(set.space().clone()));
    }
    set.gist(known, b)
}

/// The set without inequalities that the others imply on integer points only, as `i >= 2` where `i >= 1` is known and `i` is
/// even.
pub(super) fn without_implied(set: Set, known: &Set, b: &Budget) -> Outcome<Set> {
    let [conj] = set.pieces() else { return Ok(set) };
    if conj.n_divs() == 0 || conj.ineqs().is_empty() {
        return Ok(set);
    }
    let mut kept = conj.clone();
    for row in conj.ineqs() {
        let without = kept.map_constraints(|other, equality| (equality || other != row).then(|| other.clone()));
        let mut outside = without.clone();
        outside.add_ineq(complement(row));
        let outside = Set::from_conj(set.space().clone(), outside);
        if outside.intersect(known).is_empty(b)? {
            kept = without;
        }
    }
    Ok(Set::from_conj(set.space().clone(), kept))
}
