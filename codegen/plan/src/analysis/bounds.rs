//! The bounds of a set of numbers, as expressions over the parameters.
//!
//! `{ [e] : 0 <= e < n }` begins at `0` and ends before `n`. A bound is one that a constraint of some piece gives and that all of the set respects.

use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::linalg::Row;
use farkas_polyhedral::sets::{Aff, PwAff, Set, SetSpace};

/// The elements of a space whose first dimension is at least a bound.
pub(crate) fn from(space: &SetSpace, bound: &Aff) -> Set {
    beyond(space, bound).nonneg_set()
}

/// The elements of a space whose first dimension is less than a bound.
pub(crate) fn before(space: &SetSpace, bound: &Aff) -> Set {
    beyond(space, bound).neg().pos_set()
}

/// How far the first dimension is beyond a bound.
fn beyond(space: &SetSpace, bound: &Aff) -> PwAff {
    difference(&Aff::var(space.clone(), 0), bound)
}

/// How far an expression is beyond one over the parameters.
pub(crate) fn difference(aff: &Aff, bound: &Aff) -> PwAff {
    let space = aff.space();
    let params = space.params.union(&bound.space().params);
    let bound = bound.align_params(&params);
    let bound = bound.insert_dims(0, space.tuple.n(), space.tuple.clone());
    PwAff::from(aff.align_params(&params).sub(&bound))
}

/// What is behind the last one of some numbers.
pub(crate) fn end_of(set: &Set, b: &Budget) -> Outcome<Option<Aff>> {
    for bound in bounds(set, -1) {
        let end = bound.add_constant(&Int::ONE);
        if set.is_subset(&before(set.space(), &end), b)? {
            return Ok(Some(end));
        }
    }
    Ok(None)
}

/// What some numbers begin at.
pub(crate) fn begin_of(set: &Set, b: &Budget) -> Outcome<Option<Aff>> {
    for bound in bounds(set, 1) {
        if set.is_subset(&from(set.space(), &bound), b)? {
            return Ok(Some(bound));
        }
    }
    Ok(None)
}

/// The only number of a set, if its first piece has an equality for it.
pub(crate) fn value_of(set: &Set) -> Option<Aff> {
    let own = set.params().len() + 1;
    let piece = set.pieces().first()?;
    let is_of_params = |row: &&Row| row[own].abs().is_one() && row[own + 1..].iter().all(Int::is_zero);
    let row = piece.eqs().iter().find(is_of_params)?;
    Some(of_params(set, row).scale(&-&row[own]))
}

/// The bounds that constraints give: upper ones for the sign -1, lower ones for 1.
fn bounds(set: &Set, sign: i64) -> Vec<Aff> {
    let own = set.params().len() + 1;
    let negated = |row: &Row| -> Row { row.iter().map(|value| -value).collect() };
    let rows = set.pieces().iter().flat_map(|piece| {
        let equalities = piece.eqs().iter().flat_map(move |row| [row.clone(), negated(row)]);
        piece.ineqs().iter().cloned().chain(equalities)
    });
    let is_bound = |row: &Row| row[own] == sign && row[own + 1..].iter().all(Int::is_zero);
    let bounds = rows
        .filter(is_bound)
        .map(|row| of_params(set, &row).scale(&Int::from(-sign)));
    bounds.collect()
}

/// The constant and the parameters of a row.
fn of_params(set: &Set, row: &Row) -> Aff {
    let space = SetSpace::params_only(set.params().clone());
    let constant = Aff::constant(space.clone(), row[0].clone());
    (0..set.params().len()).fold(constant, |sum, k| {
        sum.add(&Aff::param(space.clone(), k).scale(&row[1 + k]))
    })
}
