//! The elements of a bounded set, one by one.

use super::operations::at;
use super::value::{Failure, each_set, misuse};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Set, UnionSet};

/// So many elements are listed one by one: more than anyone reads.
const MAX_ELEMENTS: i64 = 100_000;

/// The same set, element by element.
///
/// # Errors
///
/// If there are too many elements, or if they depend on parameters.
pub(super) fn scan(union: &UnionSet, b: &Budget) -> Result<UnionSet, Failure> {
    each_set(union, |set| {
        let points = points(set, b)?.into_iter();
        let elements = points.flat_map(|point| at(set, &[], &point).pieces().to_vec());
        Ok(Set::from_conjs(set.space().clone(), elements.collect()))
    })
}

/// The elements in lexicographic order.
///
/// # Errors
///
/// If there are infinitely many of them or too many, or if they depend on parameters.
fn points(set: &Set, b: &Budget) -> Result<Vec<Vec<Int>>, Failure> {
    let n_params = set.params().len();
    if set.pieces().iter().any(|piece| piece.involves(0, n_params)) {
        return misuse(format!("the elements depend on parameters: {set}"));
    }
    // Nothing depends on the parameters: any values will do.
    let fixed = set
        .params()
        .names()
        .iter()
        .fold(set.clone(), |set, name| set.fix_param(name, &Int::ZERO));
    // Where it is known, the number of elements says at once that there are too many.
    let card = fixed.card(b).ok().and_then(|card| card.as_constant());
    if card.is_some_and(|card| card > Int::from(MAX_ELEMENTS).into()) {
        return misuse(format!("more than {MAX_ELEMENTS} elements: {set}"));
    }
    let Some(points) = fixed.points(b)? else {
        return misuse(format!("there is no end of elements: {set}"));
    };
    let mut out: Vec<Vec<Int>> = points.iter().map(|point| point[n_params..].to_vec()).collect();
    out.sort();
    Ok(out)
}
