//! Numbers of elements, as functions of the parameters.

use super::value::{Computed, Value, misuse};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{CountError, Set, UnionMap, UnionPwQuasiPolynomial, UnionSet};

/// The number of elements of a set.
pub(super) fn elements(union: &UnionSet, b: &Budget) -> Computed {
    let mut total = UnionPwQuasiPolynomial::zero(union.params().clone());
    for set in union.sets() {
        match set.card(b) {
            Ok(card) => total.add(&card, b)?,
            Err(CountError::Unknown) if is_constant(set) => return enumerated(union, b),
            Err(error) => return failure(error, set),
        }
    }
    Ok(simplest(total))
}

/// The number of images of each element.
pub(super) fn images(union: &UnionMap, b: &Budget) -> Computed {
    let mut total = UnionPwQuasiPolynomial::zero(union.params().clone());
    for map in union.maps() {
        match map.card(b) {
            Ok(card) => total.add(&card, b)?,
            Err(error) => return failure(error, map),
        }
    }
    Ok(simplest(total))
}

/// The sum of the values at all points.
pub(super) fn sum(numbers: &UnionPwQuasiPolynomial, b: &Budget) -> Computed {
    let mut total = UnionPwQuasiPolynomial::zero(numbers.params().clone());
    for part in numbers.parts() {
        match part.sum(b) {
            Ok(sum) => total.add(&sum, b)?,
            Err(error) => return failure(error, part),
        }
    }
    Ok(simplest(total))
}

/// The sum of two functions.
pub(super) fn total(x: &UnionPwQuasiPolynomial, y: &UnionPwQuasiPolynomial, b: &Budget) -> Computed {
    let mut total = x.clone();
    for part in y.parts() {
        total.add(part, b)?;
    }
    Ok(simplest(total))
}

/// The function on the points of a set, and 0 elsewhere.
pub(super) fn restricted(numbers: &UnionPwQuasiPolynomial, domain: &UnionSet, b: &Budget) -> Computed {
    let mut restricted = UnionPwQuasiPolynomial::zero(numbers.params().union(domain.params()));
    for part in numbers.parts() {
        let domain = domain.extract(&part.space().tuple);
        restricted.add(&part.intersect_domain(&domain, b)?, b)?;
    }
    Ok(simplest(restricted))
}

/// A number where the function is one.
fn simplest(numbers: UnionPwQuasiPolynomial) -> Value {
    match numbers.as_constant().and_then(|constant| constant.as_int().cloned()) {
        Some(number) => Value::Number(number),
        None => Value::QuasiPolynomial(numbers),
    }
}

fn failure(error: CountError, counted: &dyn std::fmt::Display) -> Computed {
    match error {
        CountError::OutOfBudget(error) => Err(error.into()),
        other => misuse(format!("{other}: {counted}")),
    }
}

fn is_constant(set: &Set) -> bool {
    let n_params = set.params().len();
    !set.pieces().iter().any(|piece| piece.involves(0, n_params))
}

/// The number of elements of a set that does not depend on parameters, one by one.
fn enumerated(union: &UnionSet, b: &Budget) -> Computed {
    let mut total = Int::ZERO;
    for set in union.sets() {
        if !is_constant(set) {
            return failure(CountError::Unknown, set);
        }
        let names = set.params().names();
        let fixed = names
            .iter()
            .fold(set.clone(), |set, name| set.fix_param(name, &Int::ZERO));
        match fixed.count(b)? {
            Some(number) => total += number,
            None => return failure(CountError::Infinite, set),
        }
    }
    Ok(Value::Number(total))
}
