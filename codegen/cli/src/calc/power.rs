//! Powers of relations.

use super::operations;
use super::syntax::Power;
use super::value::{Computed, Value, misuse};
use farkas_polyhedral::budget::Budget;

/// `base ^ exponent`.
pub(super) fn power(base: &Value, exponent: &Power, b: &Budget) -> Computed {
    let Value::Map(relation) = base else {
        return misuse(format!("a power of a {}: expected a relation", base.type_name()));
    };
    Ok(Value::Map(match exponent {
        Power::Inverse => relation.reverse(),
        Power::Closure => operations::closure(relation, b)?.value.into(),
        Power::Number(number) => relation.fixed_power(number, b)?,
    }))
}
