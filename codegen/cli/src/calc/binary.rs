//! Operations that are written between their operands.

use super::count;
use super::value::{Computed, Value, misuse};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Map, UnionMap, UnionPwMultiAff, UnionSet};
use std::cmp::Ordering;

/// The signs, and what they mean.
pub(super) const HELP: [(&str, &str); 18] = [
    (
        "+",
        "the union of two sets or relations; the sum of two functions, quasi-polynomials or numbers",
    ),
    ("-", "the difference of two sets, relations, functions or numbers"),
    (
        "*",
        "what two sets or relations have in common; a relation, function or quasi-polynomial with its domain restricted to a set; a product of numbers",
    ),
    ("->*", "a relation or function with its range restricted to a set"),
    ("%", "a set or relation, simplified where the second one holds"),
    (".", "the first relation, then the second"),
    ("->", "all pairs of an element of the first set and one of the second"),
    ("cross", "pairs: of elements, or of pairs of relations"),
    ("=", "whether both are equal"),
    ("!=", "whether both are not equal"),
    ("<=", "whether the first is contained in the second"),
    ("<", "whether the first is contained in the second, and not equal"),
    (">=", "whether the first contains the second"),
    (">", "whether the first contains the second, and is not equal"),
    (
        "<<",
        "pairs of an element of the first set and a lexicographically larger one of the second",
    ),
    ("<<=", "the same, or the same element twice"),
    (
        ">>",
        "pairs of an element of the first set and a lexicographically smaller one of the second",
    ),
    (">>=", "the same, or the same element twice"),
];

/// The value of `a sign b`.
pub(super) fn binary(sign: &str, a: &Value, b: &Value, budget: &Budget) -> Computed {
    match (a, b) {
        (Value::Set(x), Value::Set(y)) => sets(sign, x, y, budget),
        (Value::Map(x), Value::Map(y)) => maps(sign, x, y, budget),
        (Value::Map(x), Value::Set(y)) => match sign {
            "*" => Ok(Value::Map(x.intersect_domain(y))),
            "->*" => Ok(Value::Map(x.intersect_range(y))),
            _ => not_for(sign, a, b),
        },
        (Value::Function(x), Value::Set(y)) if sign == "->*" => Ok(Value::Function(x.intersect_range(y, budget)?)),
        (Value::Set(x), Value::Map(y)) if sign == "." => Ok(Value::Set(x.apply(y, budget)?)),
        (Value::Function(x), Value::Function(y)) => functions(sign, x, y, budget),
        (Value::Function(x), Value::Set(y)) if sign == "*" => Ok(Value::Function(x.intersect_domain(y, budget)?)),
        (Value::QuasiPolynomial(x), Value::QuasiPolynomial(y)) if sign == "+" => count::total(x, y, budget),
        (Value::QuasiPolynomial(x), Value::Set(y)) if sign == "*" => count::restricted(x, y, budget),
        (Value::Number(x), Value::Number(y)) => numbers(sign, x, y),
        (Value::Answer(x), Value::Answer(y)) if matches!(sign, "=" | "!=") => {
            Ok(Value::Answer((x == y) == (sign == "=")))
        }
        (Value::Text(x), Value::Text(y)) if sign == "+" => Ok(Value::Text(format!("{x}{y}"))),
        _ => not_for(sign, a, b),
    }
}

fn not_for(sign: &str, a: &Value, b: &Value) -> Computed {
    misuse(format!(
        "`{sign}` is not for a {} and a {}",
        a.type_name(),
        b.type_name()
    ))
}

fn sets(sign: &str, x: &UnionSet, y: &UnionSet, b: &Budget) -> Computed {
    spend_pairs(
        sign,
        x.sets().map(|s| s.pieces().len()),
        y.sets().map(|s| s.pieces().len()),
        b,
    )?;
    Ok(match sign {
        "+" => Value::Set(x.union(y)),
        "-" => Value::Set(x.subtract(y, b)?),
        "*" => Value::Set(x.intersect(y)),
        "%" => Value::Set(x.gist(y, b)?),
        "->" => Value::Map(pairs(x, y)),
        "cross" => Value::Set(x.product(y)),
        "<<" => Value::Map(x.lex_lt(y)),
        "<<=" => Value::Map(x.lex_le(y)),
        ">>" => Value::Map(x.lex_gt(y)),
        ">>=" => Value::Map(x.lex_ge(y)),
        _ => match compared(sign, || x.is_subset(y, b), || y.is_subset(x, b))? {
            Some(answer) => Value::Answer(answer),
            None => return misuse(format!("`{sign}` is not for sets")),
        },
    })
}

fn maps(sign: &str, x: &UnionMap, y: &UnionMap, b: &Budget) -> Computed {
    spend_pairs(
        sign,
        x.maps().map(|r| r.pieces().len()),
        y.maps().map(|r| r.pieces().len()),
        b,
    )?;
    Ok(match sign {
        "+" => Value::Map(x.union(y)),
        "-" => Value::Map(x.subtract(y, b)?),
        "*" => Value::Map(x.intersect(y)),
        "%" => Value::Map(x.gist(y, b)?),
        "." => Value::Map(x.apply_range(y, b)?),
        "cross" => Value::Map(x.product(y)),
        _ => match compared(sign, || x.is_subset(y, b), || y.is_subset(x, b))? {
            Some(answer) => Value::Answer(answer),
            None => return misuse(format!("`{sign}` is not for relations")),
        },
    })
}

fn functions(sign: &str, x: &UnionPwMultiAff, y: &UnionPwMultiAff, b: &Budget) -> Computed {
    Ok(match sign {
        "+" => Value::Function(x.add(y, b)?),
        "-" => Value::Function(x.sub(y, b)?),
        "=" => Value::Answer(x.is_equal(y, b)?),
        "!=" => Value::Answer(!x.is_equal(y, b)?),
        _ => return misuse(format!("`{sign}` is not for functions")),
    })
}

/// Whether the first is in that relation to the second; none if `sign` is no comparison.
fn compared(
    sign: &str,
    contained: impl Fn() -> Outcome<bool>,
    contains: impl Fn() -> Outcome<bool>,
) -> Outcome<Option<bool>> {
    Ok(Some(match sign {
        "=" => contained()? && contains()?,
        "!=" => !(contained()? && contains()?),
        "<=" => contained()?,
        ">=" => contains()?,
        "<" => contained()? && !contains()?,
        ">" => contains()? && !contained()?,
        _ => return Ok(None),
    }))
}

/// Pays for the pairs of conjunctions that a result may consist of: operations without a budget of their own are quick for
/// each of them, but a chain of products may ask for any number.
fn spend_pairs(sign: &str, x: impl Iterator<Item = usize>, y: impl Iterator<Item = usize>, b: &Budget) -> Outcome<()> {
    const UNITS: u64 = 100;
    match sign {
        "+" => Ok(()),
        _ => b.spend(
            (x.sum::<usize>() as u64)
                .saturating_mul(y.sum::<usize>() as u64)
                .saturating_mul(UNITS),
        ),
    }
}

fn numbers(sign: &str, x: &Int, y: &Int) -> Computed {
    let order = x.cmp(y);
    Ok(match sign {
        "+" => Value::Number(x + y),
        "-" => Value::Number(x - y),
        "*" => Value::Number(x * y),
        "=" => Value::Answer(order == Ordering::Equal),
        "!=" => Value::Answer(order != Ordering::Equal),
        "<=" => Value::Answer(order != Ordering::Greater),
        "<" => Value::Answer(order == Ordering::Less),
        ">=" => Value::Answer(order != Ordering::Less),
        ">" => Value::Answer(order == Ordering::Greater),
        _ => return misuse(format!("`{sign}` is not for numbers")),
    })
}

fn pairs(x: &UnionSet, y: &UnionSet) -> UnionMap {
    let mut out = UnionMap::empty(x.params().union(y.params()));
    for first in x.sets() {
        for second in y.sets() {
            out.add(&Map::from_domain_and_range(first, second));
        }
    }
    out
}
