//! Sets as conditions.
//!
//! A set is simplified by what is known, in some ways of which the one with the fewest comparisons is taken. From the conjunctions of
//! a union, constraints are dropped whose complement the other conjunctions cover: `n <= 0 or n >= 1 and m >= 3` is
//! `n <= 0 or m >= 3`. What all of them have in common is asked once.
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
use crate::sets::{Aff, Conj, Set, complement};

/// Unions of more conjunctions than these are not expanded.
const MAX_EXPANDED: usize = 6;

/// Congruences are not joined in one of a larger modulus.
const LARGE_MODULUS: i64 = 1 << 10;

/// The work that may go into finding that a constraint, or a conjunction, is covered by others.
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
    // One conjunction is as good for what follows, and takes less.
    let hull = match context.pieces() {
        [_] => context.clone(),
        _ => context.simple_hull(b)?,
    };
    let simple = set.gist(&hull, b)?;
    if simple.pieces().iter().any(Conj::is_plainly_universe) {
        return Ok(Condition::TRUE);
    }
    let single = simple.pieces().len() == 1 && context.pieces().len() == 1;
    let mut ways = vec![simple.clone()];
    let n_constraints = |piece: &Conj| piece.eqs().len() + piece.ineqs().len();
    if simple.pieces().iter().any(|piece| n_constraints(piece) > 1) {
        let within_context = set.intersect(&hull);
        // Equalities that come about only here simplify the rest.
        ways.push(within_context.detect_equalities(b)?.gist(&hull, b)?);
        if simple.pieces().len() > 1 {
            ways.push(within_context.coalesce(b)?.gist(&hull, b)?);
        }
    }
    let mut best: Option<Condition> = None;
    for (index, set) in ways.iter().enumerate() {
        if ways[..index].iter().any(|other| other.pieces() == set.pieces()) {
            continue;
        }
        let pieces = match single {
            true => set.pieces().to_vec(),
            false => expanded(set, context, b)?,
        };
        let condition = union(&promises, pieces, forms, b)?;
        if best.as_ref().is_none_or(|best| cost(&condition) < cost(best)) {
            best = Some(condition);
        }
    }
    Ok(best.expect("at least one way"))
}

/// The same set within the context, of conjunctions from which constraints are dropped that the context and the other
/// conjunctions make up for, and without conjunctions that are covered by others.
fn expanded(set: &Set, context: &Set, b: &Budget) -> Outcome<Vec<Conj>> {
    let mut pieces: Vec<Conj> = set.pieces().to_vec();
    if pieces.len() > MAX_EXPANDED {
        return Ok(pieces);
    }
    let as_set = |pieces: Vec<Conj>| Set::from_conjs(set.space().clone(), pieces);
    let covered = |part: Set, others: &[Conj]| -> Outcome<bool> {
        let others = as_set(others.to_vec());
        let covered = b.trial(COVERING, |b| part.intersect(context).is_subset(&others, b))?;
        Ok(covered == Ok(true))
    };
    let mut index = 0;
    while index < pieces.len() {
        let mut piece = pieces.remove(index);
        if covered(as_set(vec![piece.clone()]), &pieces)? {
            continue;
        }
        // Those at the end are the ones that came by other constraints.
        for at in (0..piece.ineqs().len()).rev() {
            let row = piece.ineqs()[at].clone();
            let mut beyond = without(&piece, at);
            let without = beyond.clone();
            beyond.add_ineq(complement(&row));
            if covered(as_set(vec![beyond]), &pieces)? {
                piece = without;
            }
        }
        piece.simplify();
        pieces.insert(index, piece);
        index += 1;
    }
    // What needs no division is asked first.
    pieces.sort_by_key(|piece| (piece.n_divs() > 0, piece.eqs().len() + piece.ineqs().len()));
    Ok(pieces)
}

/// The conjunction without inequality `at`.
fn without(conj: &Conj, at: usize) -> Conj {
    let dropped = &conj.ineqs()[at];
    conj.map_constraints(|row, equality| (equality || row != dropped).then(|| row.clone()))
}

/// Comparisons, then operators.
pub(super) fn cost(condition: &Condition) -> (usize, usize) {
    (condition.comparisons(), condition.operators())
}

/// The condition to be in one of the pieces. Of those with divisions, promises may rely on earlier ones having failed.
fn union(place: &Place, pieces: Vec<Conj>, forms: &Forms, b: &Budget) -> Outcome<Condition> {
    let mut alternatives = Vec::with_capacity(pieces.len());
    for (index, piece) in pieces.iter().enumerate() {
        if piece.is_plainly_universe() {
            return Ok(Condition::TRUE);
        }
        let late = forms.logic == Logic::ShortCircuit && index > 0 && piece.n_divs() > 0;
        let alternative = if late && pieces.len() <= MAX_EXPANDED {
            let earlier = Set::from_conjs(place.space(), pieces[..index].to_vec());
            let rest = place.with_known(place.known.subtract(&earlier, b)?);
            conjunction(&rest, piece, forms, b)?
        } else {
            conjunction(place, piece, forms, b)?
        };
        alternatives.push(alternative);
    }
    Ok(factored(alternatives))
}

/// The disjunction, what all alternatives have in common asked once: first what has no divisions; what has some, of which promises
/// may rely on the conditions before it in its alternative, last.
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
    let (plain, divided): (Vec<Condition>, Vec<Condition>) = common.iter().cloned().partition(has_no_divisions);
    if others.is_empty() || common.is_empty() {
        return Condition::any(alternatives);
    }
    let rest = lists
        .into_iter()
        .map(|list| Condition::all(list.into_iter().filter(|part| !common.contains(part))));
    Condition::all(plain.into_iter().chain([Condition::any(rest)]).chain(divided))
}

/// Whether there are only variables in the expressions.
fn has_no_divisions(condition: &Condition) -> bool {
    match condition {
        Condition::NonNegative(quasi) | Condition::Zero(quasi) | Condition::Multiple(quasi, _) => {
            quasi.terms().iter().all(|(atom, _)| is_variable(atom))
        }
        Condition::All(parts) | Condition::Any(parts) => parts.iter().all(has_no_divisions),
    }
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
        let mut congruences: Vec<(Condition, Quasi, Int)> = Vec::new();
        for constraint in &divided {
            let form = place.naive(&numerator(&constraint.function));
            let condition = chooser.constraint(constraint)?;
            match congruence(&form).filter(|_| constraint.equality) {
                Some((x, remainder, m)) if !condition.is_false() => {
                    congruences.push((condition, x.clone().plus(-remainder), m.clone()));
                }
                _ => conditions.push(condition),
            }
        }
        let congruences = chooser.joined(congruences)?;
        conditions.extend(congruences.into_iter().map(|(condition, ..)| condition));
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

    /// The conditions `x mod m = 0`, those joined in one for which that takes no more operators: for moduli `m` and `n` without
    /// common factor, `x` and `y` are multiples exactly if `n x + m y` is one of `m n`.
    fn joined(&mut self, mut congruences: Vec<(Condition, Quasi, Int)>) -> Outcome<Vec<(Condition, Quasi, Int)>> {
        let mut first = 0;
        while first < congruences.len() {
            let mut second = first + 1;
            while second < congruences.len() {
                let ((one, x, m), (two, y, n)) = (&congruences[first], &congruences[second]);
                second += 1;
                if !m.gcd(n).is_one() || m * n > LARGE_MODULUS {
                    continue;
                }
                let mut sum = x.scaled(n);
                sum.add_scaled(m, y);
                let modulus = m * n;
                let multiple = self.modulo(&sum, &modulus, false)?.expect("a form without promise");
                let joined = Condition::Multiple(multiple, modulus.clone());
                if joined.operators() <= one.operators() + two.operators() {
                    congruences.remove(second - 1);
                    congruences[first] = (joined, sum, modulus);
                    second = first + 1;
                }
            }
            first += 1;
        }
        Ok(congruences)
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
