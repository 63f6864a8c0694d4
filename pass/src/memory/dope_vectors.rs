//! Dope-vector strides: arrays whose strides in memory are parameters.
//!
//! Arrays of assumed shape in Fortran are addressed as `base + i * s + j * t`, with `s` and `t` in bytes, loaded from
//! a dope vector. Such an array is modelled as rows, one larger stride apart, of elements that are one smaller stride
//! apart. The dimensions of a dope vector are stored in order, so the place that a stride is loaded from says which
//! one is larger. Two conditions are assumed: elements are no longer than the smaller stride, and rows are no longer
//! than the larger one.
//!
//! Subscripts are exact for equality only. The inner one counts strides, not elements. Run-time pointer checks
//! compare the byte ranges of whole rows.

use crate::detect::declined::{Modelled, Reason};
use crate::scev::convert::Converter;
use crate::scev::polynomial_bounds::PolynomialBounds;
use crate::scev::scope::Scope;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::value::Kind;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::Aff;
use indexmap::{IndexMap, IndexSet};

/// The size of a row in elements, and the two subscripts of each access: a row, and a place on it. An access is where
/// it is executed, and its offset in bytes.
///
/// # Errors
/// If the offsets are not of this form.
pub(crate) fn dope_vector_subscripts<'a>(
    converter: &Converter<'_, 'a, '_>,
    element: &Int,
    accesses: &[(&Scope, Scev<'a>)],
) -> Modelled<'a, Vec<(Aff, [Aff; 2])>> {
    let mut all = Vec::new();
    let mut steps: IndexSet<Scev<'a>> = IndexSet::new();
    for (scope, offset) in accesses {
        let mut terms = Vec::new();
        PolynomialBounds::new(converter, scope).stride_terms(*offset, &mut terms)?;
        let mut by_step: IndexMap<Scev<'a>, Aff> = IndexMap::new();
        for term in terms {
            match term.factor {
                Some(step) => {
                    let so_far = by_step.shift_remove(&step);
                    by_step.insert(step, so_far.map_or(term.aff.clone(), |so_far| so_far.add(&term.aff)));
                }
                None if term.aff.as_constant() == Some(Int::ZERO) => {}
                None => return Err(Reason::NotAffine.into()),
            }
        }
        steps.extend(by_step.keys().copied());
        all.push(by_step);
    }
    let steps: Vec<Scev<'a>> = steps.into_iter().collect();
    let (row, inner) = match steps[..] {
        [row] => (row, None),
        [one, other] => match is_before(converter, one, other) {
            Some(true) => (other, Some(one)),
            Some(false) => (one, Some(other)),
            None => return Err(Reason::NotAffine.into()),
        },
        _ => return Err(Reason::NotAffine.into()),
    };
    let mut subscripts = Vec::new();
    for ((scope, _), by_step) in accesses.iter().zip(&all) {
        let mut bounds = PolynomialBounds::new(converter, scope);
        let of = |step: Scev<'a>| {
            let aff = by_step.get(&step).cloned();
            aff.unwrap_or_else(|| Aff::constant(scope.space(), Int::ZERO))
        };
        let (outer, on_row) = (of(row), inner.map(of));
        let bytes = bounds.parameter(row)?;
        let size = bytes.floor_div(element);
        // Whole elements, so many that a row is none of another.
        bounds.require_small(&bytes);
        bounds.require_small(&outer);
        bounds.require_nonnegative(size.scale(element).sub(&bytes));
        bounds.require_nonnegative(size.add_constant(&Int::from(-1)));
        if let (Some(inner), Some(on_row)) = (inner, &on_row) {
            let step = bounds.parameter(inner)?;
            bounds.require_nonnegative(step.add_constant(&-element));
            bounds.require_nonnegative(on_row.clone());
            let last = bounds.extremum(on_row)?;
            let last = bounds.product(inner, &last)?;
            bounds.require_nonnegative(bytes.sub(&last).add_constant(&-element));
        }
        bounds.establish()?;
        let on_row = on_row.unwrap_or_else(|| Aff::constant(scope.space(), Int::ZERO));
        subscripts.push((size, [outer, on_row]));
    }
    Ok(subscripts)
}

/// Whether the first is loaded from a place before that which the second is loaded from; `None` where that is not
/// known.
fn is_before<'a>(converter: &Converter<'_, 'a, '_>, one: Scev<'a>, other: Scev<'a>) -> Option<bool> {
    let run = converter.run;
    let place = |step: Scev<'a>| {
        let ScevKind::Unknown(value) = step.kind() else {
            return None;
        };
        match value.is_instruction().then(|| value.kind()) {
            Some(Kind::Load { pointer }) => run.scev(pointer),
            _ => None,
        }
    };
    match run.difference(place(other)?, place(one)?).kind() {
        ScevKind::Constant(distance) => Some(distance > 0),
        _ => None,
    }
}
