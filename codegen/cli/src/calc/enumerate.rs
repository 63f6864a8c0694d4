//! The elements of a bounded set, one by one.

use super::value::{Failure, misuse};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Set;

/// The elements in lexicographic order.
///
/// # Errors
///
/// If there are infinitely many of them, or if they depend on parameters.
pub(super) fn points(set: &Set, b: &Budget) -> Result<Vec<Vec<Int>>, Failure> {
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
    let Some(points) = fixed.points(b)? else {
        return misuse(format!("there is no end of elements: {set}"));
    };
    let mut out: Vec<Vec<Int>> = points.iter().map(|point| point[n_params..].to_vec()).collect();
    out.sort();
    Ok(out)
}
