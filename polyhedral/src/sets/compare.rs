//! Relations that compare the values of an expression on the domain with one on the range.

use super::{Aff, Expr, Map, MapSpace};
use crate::int::Int;

impl Map {
    /// The pairs `x -> y` with `a(x) = b(y)`.
    pub fn equal(a: &Aff, b: &Aff) -> Map {
        let (space, difference) = difference(a, b);
        // The numerator is in the place of an equality.
        Map::from_conj(space, difference.form().clone())
    }

    /// The pairs `x -> y` with `a(x) < b(y)`.
    pub fn less(a: &Aff, b: &Aff) -> Map {
        let (space, difference) = difference(a, b);
        let mut conj = difference.form().clone().without_equalities();
        let mut row = difference.row().clone();
        row[0] -= Int::ONE;
        conj.add_ineq(row);
        Map::from_conj(space, conj)
    }
}

/// `b(y) - a(x)` on the pairs `x -> y`.
fn difference(a: &Aff, b: &Aff) -> (MapSpace, Expr) {
    let params = a.space().params.union(&b.space().params);
    let (a, b) = (a.align_params(&params), b.align_params(&params));
    let (p, n) = (params.len(), a.space().tuple.n());
    let space = MapSpace::new(params, a.space().tuple.clone(), b.space().tuple.clone());
    let n_vars = space.n_vars();
    let on_domain = a.expr().remap(n_vars, |v| v);
    let on_range = b.expr().remap(n_vars, |v| if v < p { v } else { v + n });
    (space, on_range.sub(&on_domain))
}
