//! The first and the last of the elements that a region accesses, exactly.

use farkas_emit::AccessedElements;
use farkas_polyhedral::ast::{self, Quasi};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::sets::{Aff, PwAff, PwMultiAff, Set, SetSpace};

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

/// The corners of the box that elements of an array with these inner sizes are, wherever there are any: the first and the last one; `None` if
/// they are no box, or that is not known.
pub(crate) fn element_box(elements: &Set, sizes: &[Aff], b: &Budget) -> Outcome<Option<AccessedElements>> {
    let space = elements.space();
    let domain = elements.project_onto_params(b)?;
    let first = only_affs(&elements.lexmin_pw_multi_aff(b)?, &domain, b)?;
    let last = only_affs(&elements.lexmax_pw_multi_aff(b)?, &domain, b)?;
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(None);
    };
    let mut whole = Set::universe(space.clone()).intersect_params(&domain);
    for (dim, (first, last)) in first.iter().zip(&last).enumerate() {
        let subscript = Aff::var(space.clone(), dim);
        let [first, last] = [first, last].map(|aff| on_space(aff, space));
        for distance in [subscript.sub(&first), last.sub(&subscript)] {
            whole = whole.intersect(&PwAff::from(distance).nonneg_set());
        }
    }
    match whole.is_subset(elements, b)? && elements.is_subset(&whole, b)? {
        true => accessed_elements(elements, sizes, b),
        false => Ok(None),
    }
}

/// A function of parameters alone, without quotients, on a space.
fn on_space(aff: &Aff, space: &SetSpace) -> Aff {
    let aff = aff.align_params(&space.params);
    let constant = Aff::constant(space.clone(), aff.row()[0].clone());
    let params = aff.row()[1..].iter().take(space.params.len()).enumerate();
    params.fold(constant, |sum, (param, factor)| {
        sum.add(&Aff::param(space.clone(), param).scale(factor))
    })
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
    let affs = only_affs(function, domain, b)?;
    let expression = |aff: &Aff| ast::parameter_expression(aff, b);
    affs.map(|affs| affs.iter().map(expression).collect()).transpose()
}

/// The functions of the parameters that a piecewise one is on all of `domain`; `None` if there are several, or none.
fn only_affs(function: &PwMultiAff, domain: &Set, b: &Budget) -> Outcome<Option<Vec<Aff>>> {
    if !domain.is_subset(&function.domain(), b)? {
        return Ok(None);
    }
    let mut pieces = function.pieces().map(|(_, own)| own.affs());
    let Some(first) = pieces.next() else { return Ok(None) };
    let is_plain = first.iter().all(|aff| aff.divs().is_empty() && aff.den().is_one());
    let is_only = is_plain && pieces.all(|other| other == first);
    Ok(is_only.then(|| first.to_vec()))
}
