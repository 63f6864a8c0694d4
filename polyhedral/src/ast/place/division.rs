//! The choice between forms of divisions.
//!
//! An expression is taken apart into a linear part and its divisions, which are added again one by one, each in the form that
//! leaves the fewest operators in the sum. A division `c floor(a / m)` has these forms, for `a = a' + m e`:
//!
//! ```text
//! c e + c (a' / m)             a' >= 0, or a' a multiple of m
//! c e + f a' - f (a' % m)      a' >= 0 and c = f m
//! c e + c floord(a', m)
//! c e                          0 <= a' < m
//! ```
//!
//! and the same for `-c floor((m - 1 - a) / m)`, which has the same value. The coefficients of `a'` are residues of those of
//! `a`: the ones nearest to zero on the side of the coefficient, the ones of one sign, those of least magnitude, and those of
//! a constraint that is known to hold. The constant is the residue that a lower bound of `a'` asks for.
//!
//! For instance `floor((t - 7) / 128)` times `-128`, with `t >= 0`: `a' = t + 121`, `e = -1`, which gives
//! `128 - (t + 121) + (t + 121) % 128`.

use std::collections::HashMap;

use super::{Forms, Place};
use crate::ast::quasi::{Atom, Division, Quasi};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::sets::Aff;

/// What is known once for a place, while expressions are made there.
pub(super) struct Chooser<'a> {
    pub(super) place: &'a Place,
    pub(super) forms: &'a Forms,
    pub(super) budget: &'a Budget,
    /// The best form of expressions that were asked for.
    best: HashMap<Quasi, Quasi>,
    /// Lower bounds of expressions.
    bounds: HashMap<Quasi, Option<Int>>,
    /// Whether expressions with a negative rational bound are never negative.
    never_negative: HashMap<Quasi, bool>,
    /// The constraints that are known.
    constraints: Option<Vec<Quasi>>,
    /// A point among what is known, if steps are.
    stepping_point: Option<Option<Row>>,
    /// Whether what is looked at came from a constraint, in which divisions are not looked at by constraints again.
    by_constraint: bool,
}

/// The residues that the coefficients of a numerator may have.
#[derive(Clone, Copy)]
enum Residues {
    /// Nearest to zero, with the sign of the coefficient.
    Signed,
    /// At least zero.
    Positive,
    /// At most zero.
    Negative,
    /// Of the least magnitude.
    Least,
}

/// A form of a division in a sum.
struct Candidate {
    cost: Cost,
    value: Quasi,
    /// What has to be non-negative for it.
    needs: Vec<Quasi>,
}

/// Operators, of which a division that rounds down counts for [`FLOOR`], then those divisions, then how deep divisions are
/// in each other.
pub(super) type Cost = (usize, usize, usize);

/// Coefficients up to this one may take the place of smaller ones: with larger ones, numbers would overflow that would not
/// have otherwise.
const LARGE_COEFFICIENT: i64 = 16;

/// What rounding down takes, in operators: the sign has to be looked at.
const FLOOR: usize = 2;

pub(super) fn cost(quasi: &Quasi) -> Cost {
    let floors = floors(quasi);
    (quasi.operators() + (FLOOR - 1) * floors, floors, depth(quasi))
}

fn depth(quasi: &Quasi) -> usize {
    let of_atom = |atom: &Atom| match atom {
        Atom::Param(_) | Atom::Iter(_) => 0,
        Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => 1 + depth(numerator),
    };
    quasi.terms().iter().map(|(atom, _)| of_atom(atom)).max().unwrap_or(0)
}

fn floors(quasi: &Quasi) -> usize {
    let of_atom = |atom: &Atom| match atom {
        Atom::Param(_) | Atom::Iter(_) => 0,
        Atom::Quotient(numerator, _, division) => usize::from(*division == Division::Floor) + floors(numerator),
        Atom::Remainder(numerator, _) => floors(numerator),
    };
    quasi.terms().iter().map(|(atom, _)| of_atom(atom)).sum()
}

impl<'a> Chooser<'a> {
    pub(super) fn new(place: &'a Place, forms: &'a Forms, budget: &'a Budget) -> Self {
        Chooser {
            place,
            forms,
            budget,
            best: HashMap::new(),
            bounds: HashMap::new(),
            never_negative: HashMap::new(),
            constraints: None,
            stepping_point: None,
            by_constraint: false,
        }
    }

    /// The best form of a function of the schedule dimensions, as it is or with what known equalities determine put in.
    pub(super) fn function(&mut self, aff: &Aff) -> Outcome<Quasi> {
        let aff = self.place.substituted(aff);
        let plain = self.best(&self.place.naive(&aff))?;
        if plain.terms().iter().all(|(atom, _)| is_variable(atom)) && cost(&plain).0 == 0 {
            return Ok(plain);
        }
        let Some(reduced) = self.reduced(&aff)? else {
            return Ok(plain);
        };
        let reduced = self.best(&self.place.naive(&reduced))?;
        Ok(if cost(&reduced) < cost(&plain) { reduced } else { plain })
    }

    /// The function with what known equalities determine put in, if there are any.
    pub(super) fn reduced(&self, aff: &Aff) -> Outcome<Option<Aff>> {
        let Some(equalities) = self.place.equalities(self.budget)? else {
            return Ok(None);
        };
        let reduced = aff.expr().substitute_equalities(&equalities);
        let reduced = Aff::from_expr(aff.space().clone(), reduced);
        Ok((reduced != *aff).then(|| self.place.substituted(&reduced)))
    }

    /// The best form of an expression of which all divisions round down or are exact.
    pub(super) fn best(&mut self, quasi: &Quasi) -> Outcome<Quasi> {
        if quasi.terms().iter().all(|(atom, _)| is_variable(atom)) {
            return Ok(quasi.clone());
        }
        if let Some(best) = self.best.get(quasi) {
            return Ok(best.clone());
        }
        self.budget.spend(1)?;
        let mut linear = Quasi::constant(quasi.constant_term().clone());
        let (variables, mut divisions): (Vec<_>, Vec<_>) =
            quasi.terms().iter().partition(|(atom, _)| is_variable(atom));
        for (atom, coefficient) in variables {
            linear.add_scaled(coefficient, &Quasi::atom(atom.clone()));
        }
        // What cancels may depend on which is first.
        let mut sum = self.with_divisions(linear.clone(), &divisions)?;
        if divisions.len() > 1 {
            divisions.reverse();
            let other = self.with_divisions(linear, &divisions)?;
            if cost(&other) < cost(&sum) {
                sum = other;
            }
        }
        self.best.insert(quasi.clone(), sum.clone());
        Ok(sum)
    }

    /// The sum with divisions added one by one.
    fn with_divisions(&mut self, mut sum: Quasi, divisions: &[&(Atom, Int)]) -> Outcome<Quasi> {
        for (atom, coefficient) in divisions {
            sum = match atom {
                Atom::Quotient(numerator, denominator, Division::Exact) => {
                    self.with_exact(&sum, coefficient, numerator, denominator)?
                }
                Atom::Quotient(numerator, denominator, _) => {
                    self.with_floor(&sum, coefficient, numerator, denominator)?
                }
                _ => {
                    sum.add_scaled(coefficient, &Quasi::atom(atom.clone()));
                    sum
                }
            };
        }
        Ok(sum)
    }

    /// `sum + factor * a / m`, `a` being a multiple of `m`.
    fn with_exact(&mut self, sum: &Quasi, factor: &Int, numerator: &Quasi, denominator: &Int) -> Outcome<Quasi> {
        let common = factor.gcd(denominator);
        let (factor, m) = (factor.div_exact(&common), denominator.div_exact(&common));
        if m.is_one() {
            let mut value = sum.clone();
            value.add_scaled(&factor, &self.best(numerator)?);
            return Ok(value);
        }
        let whole = (numerator.clone(), Quasi::default());
        let mut best: Option<(Cost, Quasi)> = None;
        for (inside, outside) in std::iter::once(whole).chain(all_residues(numerator, &m)) {
            let mut value = sum.clone();
            value.add_scaled(&factor, &self.best(&outside)?);
            match inside.as_constant() {
                Some(constant) => value = value.plus(&factor * &constant.div_floor(&m)),
                None => {
                    let (inside, m) = lowest_terms(inside, &m);
                    let inside = self.best(&inside)?;
                    if m.is_one() {
                        value.add_scaled(&factor, &inside);
                    } else {
                        let quotient = Atom::Quotient(Box::new(inside), m, Division::Exact);
                        value.add_scaled(&factor, &Quasi::atom(quotient));
                    }
                }
            }
            let cost = cost(&value);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, value));
            }
        }
        Ok(best.expect("at least one form").1)
    }

    /// `sum + factor * floor(a / m)`.
    fn with_floor(&mut self, sum: &Quasi, factor: &Int, numerator: &Quasi, m: &Int) -> Outcome<Quasi> {
        let mut candidates = Vec::new();
        let negated = numerator.scaled(&Int::from(-1)).plus(m - &Int::ONE);
        for (numerator, factor) in [(numerator, factor.clone()), (&negated, -factor)] {
            for (inside, outside) in all_residues(numerator, m) {
                self.add_candidates(&mut candidates, sum, &factor, (&inside, &outside), m)?;
                if !inside.constant_term().is_zero() {
                    let lower = (inside.plus(-m), outside.plus(Int::ONE));
                    self.add_candidates(&mut candidates, sum, &factor, (&lower.0, &lower.1), m)?;
                }
            }
            self.add_shifted(&mut candidates, sum, &factor, numerator, m)?;
            self.add_exact(&mut candidates, sum, &factor, numerator, m)?;
            self.add_by_constraints(&mut candidates, sum, &factor, numerator, m)?;
        }
        candidates.sort_by_key(|candidate| candidate.cost);
        for candidate in candidates {
            let mut right = true;
            for needed in &candidate.needs {
                right = right && self.is_non_negative(needed)?;
            }
            if right {
                return Ok(candidate.value);
            }
        }
        unreachable!("rounding down needs nothing")
    }

    /// The forms of `sum + factor * (outside + floor(inside / m))`.
    fn add_candidates(
        &mut self,
        candidates: &mut Vec<Candidate>,
        sum: &Quasi,
        factor: &Int,
        (inside, outside): (&Quasi, &Quasi),
        m: &Int,
    ) -> Outcome<()> {
        let mut base = sum.clone();
        base.add_scaled(factor, &self.best(outside)?);
        let best = self.best(inside)?;
        let mut add = |value: Quasi, needs: Vec<Quasi>| {
            candidates.push(Candidate {
                cost: cost(&value),
                value,
                needs,
            });
        };
        let with = |atom: Atom| {
            let mut value = base.clone();
            value.add_scaled(factor, &Quasi::atom(atom));
            value
        };
        let quotient = |division| Atom::Quotient(Box::new(best.clone()), m.clone(), division);
        // What is in `0 .. m` has no quotient.
        let below = inside.scaled(&Int::from(-1)).plus(m - &Int::ONE);
        add(base.clone(), vec![inside.clone(), below]);
        if self.forms.remainders {
            add(with(quotient(Division::NonNegative)), vec![inside.clone()]);
            if factor.divisible_by(m) {
                let times = factor.div_exact(m);
                let mut value = base.clone();
                value.add_scaled(&times, &best);
                let remainder = Atom::Remainder(Box::new(best.clone()), m.clone());
                value.add_scaled(&-&times, &Quasi::atom(remainder));
                add(value, vec![inside.clone()]);
            }
        }
        add(with(quotient(Division::Floor)), Vec::new());
        Ok(())
    }

    /// The forms with a constant that a lower bound asks for.
    fn add_shifted(
        &mut self,
        candidates: &mut Vec<Candidate>,
        sum: &Quasi,
        factor: &Int,
        numerator: &Quasi,
        m: &Int,
    ) -> Outcome<()> {
        let (inside, outside) = residues(numerator, m, Residues::Signed);
        let Some(bound) = self.lower_bound(&inside)? else {
            return Ok(());
        };
        if !bound.is_neg() {
            return Ok(());
        }
        let times = (-bound).div_ceil(m);
        let (inside, outside) = (inside.plus(&times * m), outside.plus(-times));
        self.add_candidates(candidates, sum, factor, (&inside, &outside), m)
    }

    /// The form without rounding, where steps are known: if all values are the same modulo `m`, it is that of any point.
    fn add_exact(
        &mut self,
        candidates: &mut Vec<Candidate>,
        sum: &Quasi,
        factor: &Int,
        numerator: &Quasi,
        m: &Int,
    ) -> Outcome<()> {
        let Some(point) = self.stepping_point()? else {
            return Ok(());
        };
        let remainder = self.place.value_at(numerator, &point).mod_floor(m);
        let multiple = numerator.clone().plus(-remainder);
        let (inside, outside) = residues(&multiple, m, Residues::Signed);
        let mut value = sum.clone();
        value.add_scaled(factor, &self.best(&outside)?);
        let value = self.with_exact(&value, factor, &inside, m)?;
        candidates.push(Candidate {
            cost: cost(&value),
            value,
            needs: vec![never_above_multiple(&inside, m)],
        });
        Ok(())
    }

    /// A point among what is known, if steps are.
    fn stepping_point(&mut self) -> Outcome<Option<Row>> {
        if self.stepping_point.is_none() {
            let facts = self.place.facts(self.budget)?;
            let point = match &facts[..] {
                [fact] if !fact.eqs().is_empty() => fact.sample(self.budget)?,
                _ => None,
            };
            self.stepping_point = Some(point);
        }
        Ok(self.stepping_point.clone().flatten())
    }

    /// The forms with the coefficients of a known constraint.
    fn add_by_constraints(
        &mut self,
        candidates: &mut Vec<Candidate>,
        sum: &Quasi,
        factor: &Int,
        numerator: &Quasi,
        m: &Int,
    ) -> Outcome<()> {
        if self.by_constraint {
            return Ok(());
        }
        let division = Atom::Quotient(Box::new(numerator.clone()), m.clone(), Division::Floor);
        self.by_constraint = true;
        for constraint in self.constraints()? {
            if contains(&constraint, &division) {
                continue;
            }
            let mut difference = numerator.clone();
            difference.add_scaled(&Int::from(-1), &constraint);
            if difference.terms().iter().any(|(_, c)| !c.divisible_by(m)) {
                self.add_by_steps(candidates, sum, factor, (numerator, &constraint), m)?;
                continue;
            }
            // The constraint plus what is left of the constant is not negative either.
            let rest = difference.constant_term().mod_floor(m);
            let inside = constraint.clone().plus(rest.clone());
            let mut outside = Quasi::constant(difference.constant_term().div_floor(m));
            for (atom, coefficient) in difference.terms() {
                outside.add_scaled(&coefficient.div_exact(m), &Quasi::atom(atom.clone()));
            }
            self.add_candidates(candidates, sum, factor, (&inside, &outside), m)?;
        }
        self.by_constraint = false;
        Ok(())
    }

    /// The forms of a multiple of `m floor(a / m)` by a constraint `h >= 0` of which known steps say that `a - h` is always the
    /// same modulo `m`.
    fn add_by_steps(
        &mut self,
        candidates: &mut Vec<Candidate>,
        sum: &Quasi,
        factor: &Int,
        (numerator, constraint): (&Quasi, &Quasi),
        m: &Int,
    ) -> Outcome<()> {
        let Some(point) = self.stepping_point()? else {
            return Ok(());
        };
        if !factor.divisible_by(m) {
            return Ok(());
        }
        let mut difference = numerator.clone();
        difference.add_scaled(&Int::from(-1), constraint);
        let remainder = self.place.value_at(&difference, &point).mod_floor(m);
        let same = never_above_multiple(&difference.plus(-&remainder), m);
        let inside = constraint.clone().plus(remainder);
        let below = inside.scaled(&Int::from(-1)).plus(m - &Int::ONE);
        let times = factor.div_exact(m);
        let mut value = sum.clone();
        value.add_scaled(&times, &self.best(numerator)?);
        let best = self.best(&inside)?;
        let remainder = Quasi::atom(Atom::Remainder(Box::new(best.clone()), m.clone()));
        for (part, needs) in [
            (best, vec![same.clone(), inside.clone(), below]),
            (remainder, vec![same, inside]),
        ] {
            if matches!(part.terms(), [(Atom::Remainder(..), _)]) && !self.forms.remainders {
                continue;
            }
            let mut value = value.clone();
            value.add_scaled(&-&times, &part);
            candidates.push(Candidate {
                cost: cost(&value),
                value,
                needs,
            });
        }
        Ok(())
    }

    /// The inequalities that are known, where they are those of one conjunction.
    fn constraints(&mut self) -> Outcome<Vec<Quasi>> {
        if let Some(constraints) = &self.constraints {
            return Ok(constraints.clone());
        }
        let facts = self.place.facts(self.budget)?;
        let mut constraints = Vec::new();
        if let [fact] = &facts[..] {
            for row in fact.ineqs() {
                let quasi = self.place.naive(&self.place.of_row(fact, row));
                if quasi.terms().len() > 1 {
                    constraints.push(quasi);
                }
            }
        }
        self.constraints = Some(constraints.clone());
        Ok(constraints)
    }

    /// As [`Place::lower_bound`], asked once.
    fn lower_bound(&mut self, quasi: &Quasi) -> Outcome<Option<Int>> {
        // The constant shifts the bound.
        let constant = quasi.constant_term().clone();
        let linear = quasi.clone().plus(-&constant);
        let bound = match self.bounds.get(&linear) {
            Some(bound) => bound.clone(),
            None => {
                let bound = self.place.lower_bound(&linear, self.budget)?;
                self.bounds.insert(linear, bound.clone());
                bound
            }
        };
        Ok(bound.map(|bound| bound + constant))
    }

    /// As [`Place::is_non_negative`], asked once.
    pub(super) fn is_non_negative(&mut self, quasi: &Quasi) -> Outcome<bool> {
        match self.lower_bound(quasi)? {
            None => Ok(false),
            Some(bound) if !bound.is_neg() => Ok(true),
            Some(_) => {
                if let Some(known) = self.never_negative.get(quasi) {
                    return Ok(*known);
                }
                let shown = self.place.never_negative(quasi, self.budget)?;
                self.never_negative.insert(quasi.clone(), shown);
                Ok(shown)
            }
        }
    }

    /// The expression with the fewest operators that is a multiple of `m` where the given one is: that, negated, or times a
    /// number without common factor with `m`, modulo `m`. If `non_negative`, one that is the same modulo `m` and not negative;
    /// `None` if there is no such form.
    pub(super) fn modulo(&mut self, quasi: &Quasi, m: &Int, non_negative: bool) -> Outcome<Option<Quasi>> {
        let negated = quasi.scaled(&Int::from(-1));
        let mut candidates: Vec<Quasi> = Vec::new();
        let mut equivalent = vec![quasi.clone()];
        if !non_negative {
            equivalent.push(negated);
            let units = quasi.terms().iter().filter_map(|(_, c)| c.inverse_modulo(m));
            for unit in units.filter(|unit| !unit.is_one()) {
                let (scaled, _) = residues(&quasi.scaled(&unit), m, Residues::Least);
                if has_small_coefficients(&scaled, quasi) {
                    equivalent.push(scaled);
                }
            }
        }
        for quasi in &equivalent {
            for (inside, _) in all_residues(quasi, m) {
                let lower = inside.clone().plus(-m);
                candidates.push(inside);
                candidates.push(lower);
            }
            if non_negative
                && let (inside, _) = residues(quasi, m, Residues::Signed)
                && let Some(bound) = self.lower_bound(&inside)?
                && bound.is_neg()
            {
                candidates.push(inside.plus(&(-bound).div_ceil(m) * m));
            }
        }
        let mut forms = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let best = self.best(&candidate)?;
            let negative = best.terms().iter().filter(|(_, c)| c.is_neg()).count();
            forms.push(((cost(&best), negative), candidate, best));
        }
        forms.sort_by_key(|(cost, ..)| *cost);
        for (_, candidate, best) in forms {
            if !non_negative || self.is_non_negative(&candidate)? {
                return Ok(Some(best));
            }
        }
        Ok(None)
    }
}

pub(super) fn is_variable(atom: &Atom) -> bool {
    matches!(atom, Atom::Param(_) | Atom::Iter(_))
}

/// An expression that is at least zero where the given one is a multiple of `m`: its remainder, negated.
fn never_above_multiple(quasi: &Quasi, m: &Int) -> Quasi {
    let mut negated = quasi.floor_div(m).scaled(m);
    negated.add_scaled(&Int::from(-1), quasi);
    negated
}

/// Whether the atom occurs, also inside divisions.
fn contains(quasi: &Quasi, atom: &Atom) -> bool {
    quasi.terms().iter().any(|(own, _)| match own {
        own if own == atom => true,
        Atom::Quotient(numerator, ..) | Atom::Remainder(numerator, _) => contains(numerator, atom),
        Atom::Param(_) | Atom::Iter(_) => false,
    })
}

/// Whether the coefficients are at most [`LARGE_COEFFICIENT`], or at most those of what the expression is made from.
fn has_small_coefficients(quasi: &Quasi, original: &Quasi) -> bool {
    let largest = |quasi: &Quasi| quasi.terms().iter().map(|(_, c)| c.abs()).max().unwrap_or(Int::ZERO);
    largest(quasi) <= largest(original).max(Int::from(LARGE_COEFFICIENT))
}

/// `(a', e)` with `a = a' + m e` in all styles that leave coefficients small; the constant of `a'` is in `0 .. m`.
fn all_residues(quasi: &Quasi, m: &Int) -> Vec<(Quasi, Quasi)> {
    let styles = [
        Residues::Signed,
        Residues::Positive,
        Residues::Negative,
        Residues::Least,
    ];
    let mut result: Vec<(Quasi, Quasi)> = Vec::with_capacity(styles.len());
    for style in styles {
        let parts = residues(quasi, m, style);
        if has_small_coefficients(&parts.0, quasi) && !result.contains(&parts) {
            result.push(parts);
        }
    }
    result
}

/// `(a', e)` with `a = a' + m e`; the constant of `a'` is in `0 .. m`.
fn residues(quasi: &Quasi, m: &Int, style: Residues) -> (Quasi, Quasi) {
    let mut inside = Quasi::constant(quasi.constant_term().mod_floor(m));
    let mut outside = Quasi::constant(quasi.constant_term().div_floor(m));
    for (atom, coefficient) in quasi.terms() {
        let up = coefficient.mod_floor(m);
        let down = if up.is_zero() { Int::ZERO } else { &up - m };
        let residue = match style {
            Residues::Signed if coefficient.is_neg() => down,
            Residues::Signed | Residues::Positive => up,
            Residues::Negative => down,
            Residues::Least if down.abs() < up => down,
            Residues::Least => up,
        };
        let atom = Quasi::atom(atom.clone());
        inside.add_scaled(&residue, &atom);
        outside.add_scaled(&(coefficient - &residue).div_exact(m), &atom);
    }
    (inside, outside)
}

/// A multiple of `m` and `m`, both divided by what is common to all terms.
fn lowest_terms(quasi: Quasi, m: &Int) -> (Quasi, Int) {
    let mut common = m.gcd(quasi.constant_term());
    for (_, coefficient) in quasi.terms() {
        common = common.gcd(coefficient);
    }
    if common.is_one() {
        return (quasi, m.clone());
    }
    let mut reduced = Quasi::constant(quasi.constant_term().div_exact(&common));
    for (atom, coefficient) in quasi.terms() {
        reduced.add_scaled(&coefficient.div_exact(&common), &Quasi::atom(atom.clone()));
    }
    (reduced, m.div_exact(&common))
}
