//! Piecewise functions as expressions.
//!
//! Two pieces become the maximum of their values where each of them is at least as large as the other on its own set, and the
//! minimum likewise; a maximum or minimum that was made so is a value like others. What is left is a chain of choices, the
//! piece with the cheapest condition first, of which each condition may rely on those before it having failed.

use super::condition::{cost, within};
use super::division::Chooser;
use super::{Forms, Place};
use crate::ast::expr::{Condition, Expr};
use crate::ast::node::Logic;
use crate::budget::{Budget, Outcome};
use crate::sets::{Aff, PwAff, Set};

/// Of more pieces than these, no minima and maxima are looked for.
const MAX_PIECES: usize = 8;

/// A value and where it is the function's.
struct Case {
    domain: Set,
    value: Value,
    /// The pieces that it was made of.
    pieces: Vec<(Set, Aff)>,
}

/// A value that a piece may have.
#[derive(Clone)]
enum Value {
    Aff(Aff),
    Min(Vec<Value>),
    Max(Vec<Value>),
}

pub(super) fn expr(place: &Place, function: &PwAff, forms: &Forms, b: &Budget) -> Outcome<Expr> {
    if let (1, Some((_, aff))) = (function.pieces().len(), function.pieces().next()) {
        return Ok(Expr::Quasi(place.quasi(aff, forms, b)?));
    }
    let mut cases: Vec<Case> = Vec::new();
    let mut some = None;
    for (domain, aff) in function.pieces() {
        let mut aff = place.substituted(aff);
        if forms.logic == Logic::Eager && function.pieces().len() > 1 {
            // It is evaluated where it need not be an integer, too.
            aff = aff.floor();
        }
        some.get_or_insert_with(|| aff.clone());
        let domain = place.normalized(domain).intersect(&place.known);
        if !domain.is_empty(b)? {
            add(&mut cases, domain, aff, b)?;
        }
    }
    if cases.is_empty() {
        // Nothing is known to be here, so that any value is right.
        let aff = some.expect("a function with a piece");
        return Ok(Expr::Quasi(place.quasi(&aff, forms, b)?));
    }
    if forms.min_max && cases.len() <= MAX_PIECES {
        while join(&mut cases, b)? {}
    }
    chain(place, cases, forms, b)
}

/// Adds a piece, to a case with the same values where there is one.
fn add(cases: &mut Vec<Case>, domain: Set, aff: Aff, b: &Budget) -> Outcome<()> {
    for case in cases.iter_mut() {
        let Value::Aff(other) = &case.value else { continue };
        let agrees = |on: &Set| Ok(never(on, other, &aff, b)? && never(on, &aff, other, b)?);
        let shared = if agrees(&domain)? {
            other.clone()
        } else if agrees(&case.domain)? {
            aff.clone()
        } else {
            continue;
        };
        case.domain = case.domain.union(&domain);
        case.value = Value::Aff(shared.clone());
        case.pieces = vec![(case.domain.clone(), shared)];
        return Ok(());
    }
    let pieces = vec![(domain.clone(), aff.clone())];
    let value = Value::Aff(aff);
    cases.push(Case { domain, value, pieces });
    Ok(())
}

/// Whether nowhere in `domain` `a` is less than `b`.
fn never(domain: &Set, a: &Aff, b: &Aff, budget: &Budget) -> Outcome<bool> {
    domain.intersect(&less(a, b)).is_empty(budget)
}

/// Where `a` is less than `b`.
fn less(a: &Aff, b: &Aff) -> Set {
    Set::from_conj(a.space().clone(), b.expr().greater_than(a.expr()))
}

/// Where `a` is less than a value.
fn less_than(a: &Aff, value: &Value) -> Set {
    match value {
        Value::Aff(other) => less(a, other),
        Value::Min(operands) => operands
            .iter()
            .map(|v| less_than(a, v))
            .reduce(|x, y| x.intersect(&y))
            .expect("operands"),
        Value::Max(operands) => operands
            .iter()
            .map(|v| less_than(a, v))
            .reduce(|x, y| x.union(&y))
            .expect("operands"),
    }
}

/// Where `a` is greater than a value.
fn greater_than(a: &Aff, value: &Value) -> Set {
    match value {
        Value::Aff(other) => less(other, a),
        Value::Min(operands) => operands
            .iter()
            .map(|v| greater_than(a, v))
            .reduce(|x, y| x.union(&y))
            .expect("operands"),
        Value::Max(operands) => operands
            .iter()
            .map(|v| greater_than(a, v))
            .reduce(|x, y| x.intersect(&y))
            .expect("operands"),
    }
}

/// What a value of the function may not be where it is the maximum, or the minimum, of some; and how that is written.
const KINDS: [(Violation, Combination); 2] = [(less_than, Value::Max), (greater_than, Value::Min)];

type Violation = fn(&Aff, &Value) -> Set;
type Combination = fn(Vec<Value>) -> Value;

/// Joins two cases in a minimum or maximum, if there are two that allow it.
fn join(cases: &mut Vec<Case>, b: &Budget) -> Outcome<bool> {
    // A function with a denominator has an integer value on its own set only.
    let total = |case: &Case| case.pieces.iter().all(|(_, aff)| aff.den().is_one());
    for first in 0..cases.len() {
        for second in first + 1..cases.len() {
            let (one, two) = (&cases[first], &cases[second]);
            if !total(one) || !total(two) {
                continue;
            }
            for (violation, combine) in KINDS {
                let holds = |case: &Case, value: &Value| -> Outcome<bool> {
                    for (domain, aff) in &case.pieces {
                        if !domain.intersect(&violation(aff, value)).is_empty(b)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                };
                if holds(one, &two.value)? && holds(two, &one.value)? {
                    let value = combined(combine, one.value.clone(), two.value.clone());
                    let other = cases.remove(second);
                    let case = &mut cases[first];
                    case.domain = case.domain.union(&other.domain);
                    case.pieces.extend(other.pieces);
                    case.value = value;
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The minimum or maximum of two values, without one in another of its kind.
fn combined(combine: Combination, one: Value, two: Value) -> Value {
    let of_kind = combine(Vec::new());
    let mut operands = Vec::new();
    for value in [one, two] {
        match (value, &of_kind) {
            (Value::Min(inner), Value::Min(_)) | (Value::Max(inner), Value::Max(_)) => operands.extend(inner),
            (other, _) => operands.push(other),
        }
    }
    combine(operands)
}

/// The choice between the cases.
fn chain(place: &Place, mut cases: Vec<Case>, forms: &Forms, b: &Budget) -> Outcome<Expr> {
    let mut rest = place.known.clone();
    let mut chosen: Vec<(Condition, Expr)> = Vec::new();
    while cases.len() > 1 {
        let mut cheapest: Option<(usize, Condition)> = None;
        for (index, case) in cases.iter().enumerate() {
            let condition = within(place, &rest, &case.domain, forms, b)?;
            if cheapest
                .as_ref()
                .is_none_or(|(_, least)| cost(&condition) < cost(least))
            {
                cheapest = Some((index, condition));
            }
        }
        let (index, condition) = cheapest.expect("more than one case");
        let case = cases.remove(index);
        chosen.push((condition, value(place, &case, forms, b)?));
        rest = rest.subtract(&case.domain, b)?;
    }
    let mut result = value(place, &cases[0], forms, b)?;
    for (condition, then) in chosen.into_iter().rev() {
        result = Expr::select(condition, then, result);
    }
    Ok(result)
}

/// The value of a case, which is right on its domain.
fn value(place: &Place, case: &Case, forms: &Forms, b: &Budget) -> Outcome<Expr> {
    let own = match forms.logic {
        Logic::ShortCircuit => place.with_known(case.domain.clone()),
        Logic::Eager => place.clone(),
    };
    let mut chooser = Chooser::new(&own, forms, b);
    value_expr(&mut chooser, &case.value)
}

fn value_expr(chooser: &mut Chooser<'_>, value: &Value) -> Outcome<Expr> {
    let mut all = |operands: &[Value]| {
        operands
            .iter()
            .map(|operand| value_expr(chooser, operand))
            .collect::<Outcome<Vec<_>>>()
    };
    Ok(match value {
        Value::Min(operands) => Expr::min(all(operands)?),
        Value::Max(operands) => Expr::max(all(operands)?),
        Value::Aff(aff) => Expr::Quasi(chooser.function(aff)?),
    })
}
