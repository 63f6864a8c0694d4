//! What can be shown of expressions from what is known at a place.

use std::sync::Arc;

use super::Place;
use crate::ast::quasi::{Atom, Quasi};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Conj, complement};
use crate::solver::lp::{self, Optimum};

/// From more conjunctions than these, one hull of all is made for proofs.
const MAX_PIECES: usize = 6;

/// The work that may go into a proof over the integers, where a rational one has not succeeded.
const INTEGER_PROOF: u64 = 2_000;

impl Place {
    /// Conjunctions without locals that contain all that is known.
    pub(super) fn facts(&self, b: &Budget) -> Outcome<Arc<Vec<Conj>>> {
        if let Some(facts) = self.facts.get() {
            return Ok(facts.clone());
        }
        let known = self.known.explicit(b)?;
        let facts = if known.pieces().len() > MAX_PIECES {
            vec![Conj::simple_hull(known.pieces(), b)?]
        } else {
            known.pieces().to_vec()
        };
        Ok(self.facts.get_or_init(|| Arc::new(facts)).clone())
    }

    /// The equalities that hold in all that is known, if there are any: a conjunction of which the equalities matter.
    pub(super) fn equalities(&self, b: &Budget) -> Outcome<Option<Arc<Conj>>> {
        if let Some(equalities) = self.equalities.get() {
            return Ok(equalities.clone());
        }
        let facts = self.facts(b)?;
        let equalities = match &facts[..] {
            [] => None,
            [one] => Some(one.detect_equalities(b)?),
            _ => Some(Conj::simple_hull(&facts, b)?.detect_equalities(b)?),
        };
        let equalities = equalities.filter(|conj| !conj.eqs().is_empty() && !conj.is_plainly_empty());
        Ok(self.equalities.get_or_init(|| equalities.map(Arc::new)).clone())
    }

    /// A lower bound of the expression in all that is known, if the rational relaxation has one.
    pub(super) fn lower_bound(&self, quasi: &Quasi, b: &Budget) -> Outcome<Option<Int>> {
        let mut least: Option<Int> = None;
        for fact in self.facts(b)?.iter() {
            let mut conj = fact.clone();
            let mut row = self.row(quasi, &mut conj);
            row.resize(conj.n_cols(), Int::ZERO);
            match lp::minimize(&conj.system(), &row, b)? {
                Optimum::Empty => {}
                Optimum::Unbounded => return Ok(None),
                Optimum::Finite { num, den } => {
                    let bound = num.div_ceil(&den);
                    least = Some(least.map_or(bound.clone(), |least| least.min(bound)));
                }
            }
        }
        // Where nothing is possible, everything holds.
        Ok(Some(least.unwrap_or(Int::ZERO)))
    }

    /// Whether the expression is shown to be at least zero in all that is known.
    pub(super) fn is_non_negative(&self, quasi: &Quasi, b: &Budget) -> Outcome<bool> {
        match self.lower_bound(quasi, b)? {
            Some(bound) if !bound.is_neg() => Ok(true),
            Some(_) => self.never_negative(quasi, b),
            None => Ok(false),
        }
    }

    /// Whether there is no integer point among what is known at which the expression is negative.
    pub(super) fn never_negative(&self, quasi: &Quasi, b: &Budget) -> Outcome<bool> {
        for fact in self.facts(b)?.iter() {
            let mut conj = fact.clone();
            let row = self.row(quasi, &mut conj);
            conj.add_ineq(complement(&row));
            let empty = b.trial(INTEGER_PROOF, |b| conj.is_empty(b))?;
            if empty != Ok(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The value at a point of parameters and schedule dimensions. All divisions round down.
    pub(super) fn value_at(&self, quasi: &Quasi, point: &[Int]) -> Int {
        let mut value = quasi.constant_term().clone();
        for (atom, coefficient) in quasi.terms() {
            let of_atom = match atom {
                Atom::Param(id) => point[id.0].clone(),
                Atom::Iter(id) => point[self.params.len() + self.dim_of(*id)].clone(),
                Atom::Quotient(numerator, denominator, _) => self.value_at(numerator, point).div_floor(denominator),
                Atom::Remainder(numerator, denominator) => self.value_at(numerator, point).mod_floor(denominator),
            };
            value.add_mul(coefficient, &of_atom);
        }
        value
    }

    /// The expression as a row of `conj`, which is over the variables of this place and gets the divisions that it needs.
    /// All divisions round down.
    pub(super) fn row(&self, quasi: &Quasi, conj: &mut Conj) -> Row {
        let n_params = self.params.len();
        let mut row = zeros(conj.n_cols());
        row[0] = quasi.constant_term().clone();
        let add = |row: &mut Row, column: usize, value: &Int, n_cols: usize| {
            row.resize(n_cols, Int::ZERO);
            row[column] += value;
        };
        for (atom, coefficient) in quasi.terms() {
            match atom {
                Atom::Param(id) => add(&mut row, 1 + id.0, coefficient, conj.n_cols()),
                Atom::Iter(id) => add(&mut row, 1 + n_params + self.dim_of(*id), coefficient, conj.n_cols()),
                Atom::Quotient(numerator, denominator, _) | Atom::Remainder(numerator, denominator) => {
                    let numerator = self.row(numerator, conj);
                    let index = conj.add_div(numerator.clone(), denominator.clone());
                    let column = 1 + conj.n_vars() + index;
                    if matches!(atom, Atom::Quotient(..)) {
                        add(&mut row, column, coefficient, conj.n_cols());
                    } else {
                        add(&mut row, column, &-(coefficient * denominator), conj.n_cols());
                        row.iter_mut()
                            .zip(&numerator)
                            .for_each(|(entry, x)| entry.add_mul(coefficient, x));
                    }
                }
            }
        }
        row
    }
}
