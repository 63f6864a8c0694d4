//! Conditions and bounds of sets of parameter values, outside any schedule: for run-time checks.

use crate::ast::build::bounds::{Side, bounds};
use crate::ast::build::executed::without_divs_on_last;
use crate::ast::expr::{Condition, Expr};
use crate::ast::place::{Forms, Place};
use crate::ast::quasi::Quasi;
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, Params, Set, SetSpace, Tuple};

/// Where nothing is known.
fn anywhere(params: &Params) -> Place {
    let context = Set::universe(SetSpace::new(params.clone(), Tuple::anonymous(0)));
    Place::root(context, params.clone())
}

/// The condition for parameter values to be in a set.
///
/// # Panics
///
/// If the set has dimensions.
pub fn membership(set: &Set, b: &Budget) -> Outcome<Condition> {
    assert_eq!(set.n_dims(), 0, "a set of parameter values");
    let set = set.with_tuple(Tuple::anonymous(0));
    anywhere(set.params()).condition(&set, &Forms::default(), b)
}

/// The least and the greatest value of a set of numbers, over the parameters, for parameter values for which the set is
/// not empty; they may be too small and too large. `None` where the set is unbounded or plainly empty.
///
/// # Panics
///
/// If the set has not one dimension.
pub fn bounds_of(set: &Set, b: &Budget) -> Outcome<Option<(Expr, Expr)>> {
    assert_eq!(set.n_dims(), 1, "a set of numbers");
    let place = anywhere(set.params());
    let set = set.with_tuple(Tuple::anonymous(1)).explicit(b)?;
    let (mut least, mut greatest) = (Vec::new(), Vec::new());
    for piece in set.pieces() {
        let shape = Set::from_conj(set.space().clone(), without_divs_on_last(piece, b)?);
        let (lower, upper) = (bounds(&shape, Side::Lower), bounds(&shape, Side::Upper));
        if lower.is_empty() || upper.is_empty() {
            return Ok(None);
        }
        least.push(place.maximum(&lower, &Forms::default(), b)?);
        greatest.push(place.minimum(&upper, &Forms::default(), b)?);
    }
    let bounded = !least.is_empty();
    Ok(bounded.then(|| (Expr::min(least), Expr::max(greatest))))
}

/// An expression in the parameters of its space and no dimensions.
///
/// # Panics
///
/// If the expression has dimensions or a denominator.
pub fn parameter_expression(aff: &Aff, b: &Budget) -> Outcome<Quasi> {
    assert_eq!(aff.space().tuple.n(), 0, "an expression in parameters only");
    assert!(aff.den().is_one(), "an integer expression");
    let aff = aff.insert_dims(0, 0, Tuple::anonymous(0));
    anywhere(&aff.space().params).quasi(&aff, &Forms::default(), b)
}
