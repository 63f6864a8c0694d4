//! Widening: indices that are computed in fewer than 64 bits, as what new code computes them from.
//!
//! Where narrow arithmetic is assumed not to wrap around, an extended index is a sum of invariants times counters. New
//! code computes that sum in 64 bits, so that LLVM sees addresses that advance by a constant.
//!
//! ```text
//! zext (i * m + j)  ->  m * i + 1 * j        where 0 <= i, j, m <= 2^15, which the guard checks
//! ```

use crate::detect::declined::Modelled;
use crate::scev::convert::Converter;
use crate::scev::polynomial::{Polynomial, PolynomialReader, Wrapping};
use crate::scev::scope::Scope;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::scop_ir::{Affine, IrStatement};
use farkas_llvm::types::{Type, TypeKind};
use farkas_llvm::value::Value;
use farkas_polyhedral::int::Int;
use indexmap::IndexMap;

/// The extended integers of the statements that are exact by the assumptions made so far.
/// A statement comes with the scope that it is executed in.
pub(crate) fn widened_indices<'a, 's>(
    converter: &Converter<'_, 'a, '_>,
    statements: impl Iterator<Item = (&'s IrStatement<'a>, &'s Scope)>,
) -> Modelled<'a, IndexMap<Value<'a>, Affine<'a>>>
where
    'a: 's,
{
    let mut widened = IndexMap::new();
    for (statement, scope) in statements {
        // The scope of the block that computes an integer is known to have all its executions.
        let at_home = |value: &&Value<'a>| statement.blocks.contains(&value.block());
        for value in statement.instructions.iter().filter(at_home) {
            if is_extended(*value)
                && let Some(affine) = by_assumptions(converter, *value, scope)?
            {
                widened.insert(*value, affine);
            }
        }
    }
    Ok(widened)
}

/// Whether it is an integer of 64 bits that is made of one of fewer bits.
fn is_extended(value: Value<'_>) -> bool {
    let narrow = |operand: &Value<'_>| matches!(operand.ty().kind(), TypeKind::Integer(1..=63));
    value.ty().kind() == TypeKind::Integer(64) && matches!(&value.operands()[..], [only] if narrow(only))
}

/// Whether scalar evolution stops at an extension of what changes in the region.
fn is_varying_extension<'a>(converter: &Converter<'_, 'a, '_>, integer: Scev<'a>) -> bool {
    match integer.kind() {
        ScevKind::SignExtend(narrow) | ScevKind::ZeroExtend(narrow) => !converter.is_parameter(narrow),
        ScevKind::Add(parts, _) => parts.into_iter().any(|part| is_varying_extension(converter, part)),
        ScevKind::AddRec(_, operands, _) => is_varying_extension(converter, operands[0]),
        _ => false,
    }
}

/// The sum that the integer is, if that follows from assumptions that are made already.
fn by_assumptions<'a>(
    converter: &Converter<'_, 'a, '_>,
    value: Value<'a>,
    scope: &Scope,
) -> Modelled<'a, Option<Affine<'a>>> {
    let integer = converter.run.unwrapped(value);
    if !is_varying_extension(converter, integer) {
        return Ok(None);
    }
    affine_within(converter, value, scope)
}

/// The sum that an integer of 64 bits is in the scope, if that follows from assumptions that are made already.
pub(crate) fn affine_within<'a>(
    converter: &Converter<'_, 'a, '_>,
    value: Value<'a>,
    scope: &Scope,
) -> Modelled<'a, Option<Affine<'a>>> {
    let reader = PolynomialReader::new(converter, Wrapping::Assumed);
    let integer = converter.run.unwrapped(value);
    let sum = converter.without_new_assumptions(|| reader.modular(integer, scope))?;
    Ok(sum
        .ok()
        .and_then(|sum| affine(converter, &reader, &sum, value.ty(), scope)))
}

/// The polynomial as a sum of invariants times counters.
fn affine<'a>(
    converter: &Converter<'_, 'a, '_>,
    reader: &PolynomialReader<'_, '_, 'a, '_>,
    polynomial: &Polynomial,
    ty: Type<'a>,
    scope: &Scope,
) -> Option<Affine<'a>> {
    let run = converter.run;
    let parameters = converter.params.borrow();
    let mut terms = Vec::new();
    for (monomial, coefficient) in polynomial.terms() {
        if scope.elements || !coefficient.den().is_one() || !coefficient.divs().is_empty() {
            return None;
        }
        let invariant = |factor: &Int| {
            let constant = run.number(ty, factor.to_i64()?);
            let factors = monomial.iter().map(|atom| reader.scev(*atom));
            Some(factors.fold(constant, |product, factor| run.product(product, factor)))
        };
        if !coefficient.constant_term().is_zero() {
            terms.push((invariant(coefficient.constant_term())?, None));
        }
        for (param, name) in coefficient.space().params.names().iter().enumerate() {
            let factor = coefficient.param_coefficient(param);
            if !factor.is_zero() {
                let parameter = parameters.parameters().iter().find(|own| own.name == name.as_str())?;
                terms.push((run.product(invariant(factor)?, run.widened(parameter.value)), None));
            }
        }
        for (dim, id) in scope.loops.iter().enumerate() {
            if !coefficient.coefficient(dim).is_zero() {
                terms.push((invariant(coefficient.coefficient(dim))?, Some(*id)));
            }
        }
    }
    Some(terms)
}
