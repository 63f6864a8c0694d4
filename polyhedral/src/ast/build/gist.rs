//! Simplification by what only integers tell.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::Set;

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
        let mut negated: Row = row.iter().map(|c| -c).collect();
        negated[0] -= Int::ONE;
        outside.add_ineq(negated);
        let outside = Set::from_conj(set.space().clone(), outside);
        if outside.intersect(known).is_empty(b)? {
            kept = without;
        }
    }
    Ok(Set::from_conj(set.space().clone(), kept))
}
