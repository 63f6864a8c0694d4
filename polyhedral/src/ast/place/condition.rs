//! Sets as conditions.
//!
//! A set is simplified by what is known, in some ways of which the one with the fewest comparisons is taken. Of a union, what
//! an earlier conjunction covers need not be excluded from a later one; what all of them have in common is asked once.
//!
//! An equality `x - m floor(x / m) = r`, for a constant `r` of `0 .. m`, says that `x - r` is a multiple of `m`. An
//! inequality `floor(x / m) + y >= 0` is `x + m y >= 0`, without a division, and `y - floor(x / m) >= 0` is `m y + m - 1 - x >=
//! 0`.

use super::division::{Chooser, is_variable};
use super::{Forms, Place, is_zero};
use crate::ast::expr::Condition;
use crate::ast::node::Logic;
use crate::ast::quasi::{Atom, Division, Quasi};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::sets::{Aff, Conj, Set};

/// Unions of more conjunctions than these are written down as they are.
const MAX_REFINED: usize = 4;

/// The work that may go into finding that a set contains all that is known.
const COVERING: u64 = 20_000;

pub(super) fn condition(place: &Place, set: &Set, forms: &Forms, b: &Budget) -> Outcome<Condition> {
    within(place, &place.known, set, forms, b)
}

/// The condition for a point of `context`, a subset of what is known at the place, to be in `set`. Where logic is eager, its
/// promises hold in all that is known at the place.
pub(super) fn within(place: &Place, context: &Set, set: &Set, forms: &Forms, b: &Budget) -> Outcome<Condition> {
    let set = place.normalized(set).explicit(b)?;
    let promises = match forms.logic {
        Logic::ShortCircuit => place.with_known(context.clone()),
        Logic::Eager => place.clone(),
    };
    let simple = set.gist(context, b)?;
    if simple.pieces().iter().any(Conj::is_plainly_universe) {
        return Ok(Condition::TRUE);
    }
    let one_each = simple.pieces().len() == 1 && context.pieces().len() == 1;
    if !one_each && b.trial(COVERING, |b| context.is_subset(&set, b))? == Ok(true) {
        return Ok(Condition::TRUE);
    }
    let mut best = union(&promises, context, &simple, forms, b)?;
    if simple.pieces().len() > 1 {
        let coalesced = set.intersect(context).coalesce(b)?.gist(context, b)?;
        if coalesced.pieces() != simple.pieces() {
            let other = union(&promises, context, &coalesced, forms, b)?;
            if cost(&other) < cost(&best) {
                best = other;
            }
        }
    }
    Ok(best)
}

/// Comparisons, then operators.
pub(super) fn cost(condition: &Condition) -> (usize, usize) {
    (condition.comparisons(), condition.operators())
}

/// The condition to be in one of the pieces of a set.
fn union(place: &Place, context: &Set, set: &Set, forms: &Forms, b: &Budget) -> Outcome<Condition> {
    let pieces: Vec<Conj> = set.pieces().to_vec();
    let plain: Vec<Condition> = pieces
        .iter()
        .map(|piece| conjunction(place, piece, forms, b))
        .collect::<Outcome<_>>()?;
    let mut best = factored(plain.clone());
    if (2..=MAX_REFINED).contains(&pieces.len()) {
        for reversed in [false, true] {
            let mut order: Vec<usize> = (0..pieces.len()).collect();
            if reversed {
                order.reverse();
            }
            let refined = refined(place, context, set, (&order, &plain), forms, b)?;
            if cost(&refined) < cost(&best) {
                best = refined;
            }
        }
    }
    Ok(best)
}

/// The disjunction in the given order, where each piece may be right or wrong on those before it.
fn refined(
    place: &Place,
    context: &Set,
    set: &Set,
    (order, plain): (&[usize], &[Condition]),
    forms: &Forms,
    b: &Budget,
) -> Outcome<Condition> {
    let piece = |index: usize| Set::from_conj(set.space().clone(), set.pieces()[index].clone());
    let mut rest = context.clone();
    let mut conditions: Vec<Condition> = Vec::with_capacity(order.len());
    for (position, &index) in order.iter().enumerate() {
        if position > 0 {
            rest = rest.subtract(&piece(order[position - 1]), b)?;
            if rest.intersect(&piece(index)).is_empty(b)? {
                continue;
            }
            if rest.is_subset(&piece(index), b)? {
                return Ok(Condition::TRUE);
            }
            let simple = piece(index).gist(&rest, b)?;
            let promises = match forms.logic {
                Logic::ShortCircuit => place.with_known(rest.clone()),
                Logic::Eager => place.clone(),
            };
            if let [simple] = simple.pieces() {
                let condition = conjunction(&promises, simple, forms, b)?;
                if cost(&condition) < cost(&plain[index]) {
                    conditions.push(condition);
                    continue;
                }
            }
        }
        conditions.push(plain[index].clone());
    }
    Ok(factored(conditions))
}

/// The disjunction, what all alternatives start with asked once.
fn factored(alternatives: Vec<Condition>) -> Condition {
    let parts = |condition: &Condition| match condition {
        Condition::All(parts) => parts.clone(),
        other => vec![other.clone()],
    };
    let lists: Vec<Vec<Condition>> = alternatives.iter().map(parts).collect();
    let Some((first, others)) = lists.split_first() else {
        return Condition::FALSE;
    };
    let common: Vec<Condition> = first
        .iter()
        .filter(|part| others.iter().all(|list| list.contains(part)))
        .cloned()
        .collect();
    if others.is_empty() || common.is_empty() {
        return Condition::any(alternatives);
    }
    let rest = lists
        .into_iter()
        .map(|list| Condition::all(list.into_iter().filter(|part| !common.contains(part))));
    Condition::all(common.clone().into_iter().chain([Condition::any(rest)]))
}

/// A constraint: the function, and whether it is zero or at least zero.
struct Constraint {
    function: Aff,
    equality: bool,
}

/// The conditions of a conjunction, those without divisions first.
fn conjunction(place: &Place, conj: &Conj, forms: &Forms, b: &Budget) -> Outcome<Condition> {
    let rows = (conj.eqs().iter().map(|row| (row, true))).chain(conj.ineqs().iter().map(|row| (row, false)));
    let mut conditions: Vec<Condition> = Vec::new();
    let mut divided: Vec<Constraint> = Vec::new();
    let mut assumed = Conj::universe(conj.n_vars());
    for (row, equality) in rows {
        let function = place.of_row(conj, row);
        let quasi = place.naive(&function);
        if !quasi.terms().iter().all(|(atom, _)| is_variable(atom)) {
            divided.push(Constraint { function, equality });
            continue;
        }
        conditions.push(compared(quasi.clone(), equality));
        let row = place.row(&quasi, &mut assumed);
        if equality {
            assumed.add_eq(row);
        } else {
            assumed.add_ineq(row);
        }
    }
    if !divided.is_empty() {
        let narrowed = match forms.logic {
            Logic::ShortCircuit if !conditions.is_empty() => place.assuming(&Set::from_conj(place.space(), assumed)),
            _ => place.clone(),
        };
        let mut chooser = Chooser::new(&narrowed, forms, b);
        for constraint in &divided {
            conditions.push(chooser.constraint(constraint)?);
        }
    }
    Ok(Condition::all(conditions))
}

/// `quasi == 0` or `quasi >= 0`, without a common factor.
fn compared(quasi: Quasi, equality: bool) -> Condition {
    if let Some(constant) = quasi.as_constant() {
        let holds = if equality {
            constant.is_zero()
        } else {
            !constant.is_neg()
        };
        return if holds { Condition::TRUE } else { Condition::FALSE };
    }
    let mut common = Int::ZERO;
    for (_, coefficient) in quasi.terms() {
        common = common.gcd(coefficient);
    }
    if equality && !quasi.constant_term().divisible_by(&common) {
        return Condition::FALSE;
    }
    let mut reduced = Quasi::constant(quasi.constant_term().div_floor(&common));
    for (atom, coefficient) in quasi.terms() {
        reduced.add_scaled(&coefficient.div_exact(&common), &Quasi::atom(atom.clone()));
    }
    if equality {
        Condition::Zero(reduced)
    } else {
        Condition::NonNegative(reduced)
    }
}

impl Chooser<'_> {
    /// The condition with the fewest operators for a constraint with divisions.
    fn constraint(&mut self, constraint: &Constraint) -> Outcome<Condition> {
        let mut forms = vec![self.place.naive(&numerator(&constraint.function))];
        if let Some(reduced) = self.reduced(&constraint.function)? {
            forms.push(self.place.naive(&numerator(&reduced)));
        }
        let mut conditions = Vec::new();
        for form in forms {
            if constraint.equality {
                if let Some((numerator, remainder, m)) = congruence(&form) {
                    conditions.extend(self.congruent(numerator, remainder, m)?);
                    if conditions.is_empty() {
                        return Ok(Condition::FALSE);
                    }
                }
                conditions.push(compared(self.best(&form)?, true));
            } else {
                if let Some(without) = without_division(&form) {
                    conditions.push(compared(self.best(&without)?, false));
                }
                conditions.push(compared(self.best(&form)?, false));
            }
        }
        Ok(conditions
            .into_iter()
            .min_by_key(Condition::operators)
            .expect("one form at least"))
    }

    /// Conditions for the numerator to be the remainder modulo `m`; none if it never is.
    fn congruent(&mut self, numerator: &Quasi, remainder: Int, m: &Int) -> Outcome<Vec<Condition>> {
        if remainder.is_neg() || remainder >= *m {
            return Ok(Vec::new());
        }
        let difference = numerator.clone().plus(-&remainder);
        let multiple = self.modulo(&difference, m, false)?.expect("a form without promise");
        let mut conditions = vec![Condition::Multiple(multiple, m.clone())];
        if self.forms.remainders
            && !remainder.is_zero()
            && let Some(dividend) = self.modulo(numerator, m, true)?
        {
            let rest = Quasi::atom(Atom::Remainder(Box::new(dividend), m.clone()));
            conditions.push(Condition::Zero(rest.plus(-remainder)));
        }
        Ok(conditions)
    }
}

/// The function times its denominator.
fn numerator(function: &Aff) -> Aff {
    function.scale(function.den())
}

/// `(x, r, m)` for an expression that is zero exactly if `x mod m = r`.
fn congruence(quasi: &Quasi) -> Option<(&Quasi, Int, &Int)> {
    for (atom, coefficient) in quasi.terms() {
        let Atom::Quotient(numerator, m, Division::Floor) = atom else {
            continue;
        };
        if !coefficient.divisible_by(m) {
            continue;
        }
        let times = coefficient.div_exact(m);
        let mut rest = quasi.clone();
        rest.add_scaled(&-coefficient, &Quasi::atom(atom.clone()));
        rest.add_scaled(&times, numerator);
        // times (x mod m) = rest.
        if let Some(constant) = rest.as_constant() {
            let remainder = match constant.divisible_by(&times) {
                true => constant.div_exact(&times),
                false => Int::from(-1),
            };
            return Some((numerator, remainder, m));
        }
    }
    None
}

/// An expression without one of its divisions that is at least zero where this one is.
fn without_division(quasi: &Quasi) -> Option<Quasi> {
    let (atom, coefficient) = quasi
        .terms()
        .iter()
        .find(|(atom, c)| matches!(atom, Atom::Quotient(_, _, Division::Floor)) && c.abs().is_one())?;
    let Atom::Quotient(numerator, m, _) = atom else {
        return None;
    };
    let mut rest = quasi.clone();
    rest.add_scaled(&-coefficient, &Quasi::atom(atom.clone()));
    let mut result = rest.scaled(m);
    result.add_scaled(coefficient, numerator);
    if coefficient.is_neg() {
        result = result.plus(m - &Int::ONE);
    }
    debug_assert!(!is_zero(&result), "a division of something");
    Some(result)
}
