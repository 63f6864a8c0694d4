//! The values that an expression takes in the instances of a place.

use std::slice;

use super::access::subscript_map;
use crate::scev::scope::{Scope, space};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Aff, Params, Set, Tuple};

/// A superset of the values of an expression in pieces in this scope, over at least these parameters. Bounds are all that is asked for: an
/// exact projection would tell values apart at great cost.
pub(crate) fn extent<'e>(
    pieces: impl Iterator<Item = (&'e Set, &'e Aff)>,
    scope: &Scope,
    params: &Params,
    b: &Budget,
) -> Outcome<Set> {
    let depth = scope.space().tuple.n();
    let mut extent = Set::empty(space(1)).align_params(params);
    for (piece, value) in pieces {
        let map = subscript_map(slice::from_ref(value), Tuple::anonymous(1), params);
        let relation = map.intersect_domain(&piece.intersect(&scope.domain));
        let relation = relation.align_params(&relation.params().union(extent.params()));
        extent = extent.align_params(relation.params());
        for piece in relation.explicit(b)?.pieces() {
            let range = piece.eliminate_rational(extent.params().len(), depth, b)?;
            extent = extent.union(&Set::from_conj(extent.space().clone(), range));
        }
    }
    extent.compact(b)
}
