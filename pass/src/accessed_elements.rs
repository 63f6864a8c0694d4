//! The first and the last of the elements that a region accesses, exactly.

use farkas_emit::AccessedElements;
use farkas_polyhedral::ast::{self, Quasi};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Aff, PwMultiAff, Set};

/// These elements of an array with these inner sizes, which they are within; `None` if the first or the last one is not one expression
/// wherever there are any.
pub(crate) fn accessed_elements(elements: &Set, sizes: &[Aff], b: &Budget) -> Outcome<Option<AccessedElements>> {
    let params = elements.params();
    let accessed = elements.project_onto_params(b)?;
    let first = only_function(&elements.lexmin_pw_multi_aff(b)?, &accessed, b)?;
    let last = only_function(&elements.lexmax_pw_multi_aff(b)?, &accessed, b)?;
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    let size = |size: &Aff| ast::parameter_expression(&size.align_params(params), b);
    Ok(Some(AccessedElements {
        accessed: ast::membership(&accessed, b)?,
        first,
        last,
        sizes: sizes.iter().map(size).collect::<Outcome<_>>()?,
    }))
}

/// How many of the last subscripts are one number each in all of these elements, the outermost left aside: 1 for an array of structures of
/// which one member is accessed.
pub(crate) fn fixed_subscripts(elements: &Set, b: &Budget) -> Outcome<usize> {
    let mut fixed = 0;
    for dim in (1..elements.tuple().n()).rev() {
        if elements.fixed_dim(dim, b)?.is_none() {
            break;
        }
        fixed += 1;
    }
    Ok(fixed)
}

/// The function that a piecewise one is on all of `domain`, as expressions of the parameters; `None` if there are several, or none where the
/// elements have no end.
fn only_function(function: &PwMultiAff, domain: &Set, b: &Budget) -> Outcome<Option<Vec<Quasi>>> {
    if !domain.is_subset(&function.domain(), b)? {
        return Ok(None);
    }
    let mut pieces = function.pieces().map(|(_, own)| own.affs());
    let Some(first) = pieces.next() else { return Ok(None) };
    let is_plain = first.iter().all(|aff| aff.divs().is_empty() && aff.den().is_one());
    if !is_plain || !pieces.all(|other| other == first) {
        return Ok(None);
    }
    Ok(Some(
        first
            .iter()
            .map(|aff| ast::parameter_expression(aff, b))
            .collect::<Outcome<_>>()?,
    ))
}
