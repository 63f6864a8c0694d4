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
    let mut out = Vec::new();
    if !set.is_empty(b)? {
        extend(set, &mut Vec::new(), &mut out, b)?;
    }
    Ok(out)
}

/// Adds the elements of `set`, which is not empty, with the values `fixed` of the first dimensions.
fn extend(set: &Set, fixed: &mut Vec<Int>, out: &mut Vec<Vec<Int>>, b: &Budget) -> Result<(), Failure> {
    let dim = fixed.len();
    if dim == set.n_dims() {
        out.push(fixed.clone());
        return Ok(());
    }
    let values = set
        .project_out(dim + 1, set.n_dims() - dim - 1, b)?
        .project_out(0, dim, b)?;
    let end = |set: Set| Ok::<_, Failure>(set.sample(b)?.map(|(_, mut dims)| dims.remove(0)));
    let (Some(first), Some(last)) = (end(values.lexmin(b)?)?, end(values.lexmax(b)?)?) else {
        return misuse(format!("there is no end of elements: {set}"));
    };
    let mut value = first;
    while value <= last {
        b.spend(1)?;
        let part = set.fix_dim(dim, &value);
        if !part.is_empty(b)? {
            fixed.push(value.clone());
            extend(&part, fixed, out, b)?;
            fixed.pop();
        }
        value += Int::ONE;
    }
    Ok(())
}
