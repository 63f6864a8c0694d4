//! Powers of relations.

use super::operations;
use super::syntax::Power;
use super::value::{Computed, Value, misuse};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::UnionMap;

/// `base ^ exponent`.
pub(super) fn power(base: &Value, exponent: &Power, b: &Budget) -> Computed {
    let Value::Map(relation) = base else {
        return misuse(format!("a power of a {}: expected a relation", base.type_name()));
    };
    Ok(Value::Map(match exponent {
        Power::Inverse => relation.reverse(),
        Power::Closure => operations::closure(relation, b)?.value.into(),
        Power::Number(number) => composed(relation, number, b)?,
    }))
}

/// The relation composed with itself `number > 0` times, by squaring: for each binary digit of the number, the power of all
/// digits before it is squared, and composed with the relation if the digit is 1.
fn composed(relation: &UnionMap, number: &Int, b: &Budget) -> Outcome<UnionMap> {
    let two = Int::from(2);
    let mut digits = Vec::new();
    let mut rest = number.clone();
    while !rest.is_one() {
        b.spend(1)?;
        digits.push(!rest.divisible_by(&two));
        rest = rest.div_floor(&two);
    }
    let mut power = relation.clone();
    for digit in digits.into_iter().rev() {
        power = composition(&power, &power, b)?;
        if digit {
            power = composition(&power, relation, b)?;
        }
    }
    Ok(power)
}

fn composition(first: &UnionMap, second: &UnionMap, b: &Budget) -> Outcome<UnionMap> {
    first.apply_range(second, b)?.coalesce(b)
}
