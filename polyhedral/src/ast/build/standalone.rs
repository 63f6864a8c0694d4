//! Conditions and bounds of sets of parameter values, outside any schedule: for run-time checks.

use crate::ast::build::bounds;
use crate::ast::build::scope::Scope;
use crate::ast::expr::{Condition, Expr};
use crate::budget::{Budget, Outcome};
use crate::sets::{Conj, Set};

fn scope(n_params: usize) -> Scope {
    Scope {
        values: Vec::new(),
        known: Conj::universe(n_params),
        executed: Vec::new(),
        partial_tile: false,
    }
}

/// The condition for parameter values to be in a set.
///
/// # Panics
///
/// If the set has dimensions.
pub fn membership(set: &Set, b: &Budget) -> Outcome<Condition> {
    assert_eq!(set.n_dims(), 0, "a set of parameter values");
    let n_params = set.params().len();
    let condition = |piece| scope(n_params).condition(piece, n_params);
    Ok(Condition::any(set.explicit(b)?.pieces().iter().map(condition)))
}

/// The least and the greatest value of a set of numbers, over the parameters, for parameter values for which the set is
/// not empty; they may be too small and too large. `None` where the set is unbounded or plainly empty.
///
/// # Panics
///
/// If the set has not one dimension.
pub fn bounds_of(set: &Set, b: &Budget) -> Outcome<Option<(Expr, Expr)>> {
    assert_eq!(set.n_dims(), 1, "a set of numbers");
    let set = set.explicit(b)?;
    if set.pieces().is_empty() {
        return Ok(None);
    }
    bounds::of_shapes(set.pieces(), &scope(set.params().len()), set.params(), b)
}

/// An expression in the parameters of its space and no dimensions.
///
/// # Panics
///
/// If the expression has dimensions or a denominator.
pub fn parameter_expression(aff: &crate::sets::Aff) -> crate::ast::quasi::Quasi {
    let n_params = aff.space().params.len();
    assert_eq!(aff.space().tuple.n(), 0, "an expression in parameters only");
    assert!(aff.den().is_one(), "an integer expression");
    let mut conj = Conj::universe(n_params);
    let (row, _) = super::scope::embed(aff, n_params, 0, &mut conj);
    scope(n_params).quasi(&row, &conj, n_params)
}
