//! What takes a solver: redundancy, implicit equalities, gist and hull of conjunctions.
//!
//! In `{ [i, j] : 0 <= i <= 9 and j <= i and j <= 12 }` the last constraint is redundant: without it, `12 - j` is at least 3.
//! In the context `{ [i, j] : i >= 0 and j = i }` all that is left of the first three is `i <= 9`: what the context's
//! equalities make of a constraint, and what its inequalities imply, is left out.
//!
//! Linear programs here are rational, on the system of variables and divisions with their bounds. As all rows are
//! integral on integer points, a row of which the rational minimum is larger than -1 is not negative on any of them.

use super::conj::Conj;
use super::row;
use crate::budget::{Budget, Outcome};
use crate::linalg::Row;
use crate::solver::lp::Optimum;
use crate::solver::simplex::{Simplex, Slack};
use std::collections::HashSet;

/// Whether the equality `eq` holds on all integer points of `conj`, of which `simplex` is the relaxation: exactly if there
/// are divisions in it, as they are about divisibility, which the relaxation knows nothing of.
pub(super) fn holds_on(conj: &Conj, simplex: &mut Simplex, eq: &Row, b: &Budget) -> Outcome<bool> {
    for half in halves(eq) {
        if simplex.implies(&half, b)? {
            continue;
        }
        if row::is_zero(&eq[1 + conj.n_vars..]) {
            return Ok(false);
        }
        let mut outside = conj.clone();
        outside.add_ineq(row::complement(&half));
        if !outside.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The divisions of all conjunctions, which have no locals, in one without constraints, and the constraints of each in
/// its columns.
pub(super) fn with_divs_of_all(pieces: &[Conj], n_vars: usize) -> (Conj, Vec<Conj>) {
    let mut all = Conj::universe(n_vars);
    let cols: Vec<Vec<usize>> = pieces.iter().map(|p| all.import_divs(p)).collect();
    let import = |(piece, cols): (&Conj, &Vec<usize>)| {
        let mut own = all.clone();
        own.changed();
        own.eqs = piece.eqs.iter().map(|r| all.import_row(r, cols)).collect();
        own.ineqs = piece.ineqs.iter().map(|r| all.import_row(r, cols)).collect();
        own
    };
    let pieces = pieces.iter().zip(&cols).map(import).collect();
    (all, pieces)
}

/// The equality as two inequalities.
pub(super) fn halves(eq: &Row) -> [Row; 2] {
    [eq.clone(), row::negated(eq)]
}

impl Conj {
    /// The same set without inequalities that the other constraints imply on integer points, as far as the rational
    /// relaxation tells: see the module. What is empty becomes [`Conj::empty`].
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<Conj> {
        self.remove_redundancies_keeping(0, b)
    }

    /// The same, with variables frozen as in [`Conj::simplify_keeping`].
    pub(super) fn remove_redundancies_keeping(&self, frozen: usize, b: &Budget) -> Outcome<Conj> {
        let mut out = self.clone();
        if !out.simplify_keeping(frozen) || out.ineqs.len() + out.divs.len() < 2 {
            return Ok(out);
        }
        let (mut simplex, slacks) = out.simplex(b)?;
        if simplex.is_feasible(b)? {
            out.drop_redundant(&mut simplex, &slacks, b)?;
        }
        Ok(out)
    }

    /// Drops the inequalities that are redundant in `simplex`, where their slacks are the first of `slacks`.
    fn drop_redundant(&mut self, simplex: &mut Simplex, slacks: &[Slack], b: &Budget) -> Outcome<()> {
        let redundant: Vec<bool> = slacks[..self.ineqs.len()]
            .iter()
            .map(|&slack| simplex.drop_if_redundant(slack, b))
            .collect::<Outcome<_>>()?;
        let mut redundant = redundant.into_iter();
        // Dropping inequalities leaves a normal form.
        self.ineqs.retain(|_| redundant.next() == Some(false));
        Ok(())
    }

    /// The same set with inequalities that hold with equality on the whole rational relaxation turned into equalities,
    /// and that again until there are no more, as rounding may leave new ones.
    pub fn detect_equalities(&self, b: &Budget) -> Outcome<Conj> {
        self.detect_equalities_keeping(0, b)
    }

    /// The same, with variables frozen as in [`Conj::simplify_keeping`].
    pub(super) fn detect_equalities_keeping(&self, frozen: usize, b: &Budget) -> Outcome<Conj> {
        let mut out = self.clone();
        loop {
            if !out.simplify_keeping(frozen) || out.ineqs.is_empty() {
                return Ok(out);
            }
            let (mut simplex, slacks) = out.simplex(b)?;
            let Some(tight) = simplex.implicit_equalities(&slacks, b)? else {
                return Ok(Conj::empty(self.n_vars()));
            };
            if tight.is_empty() {
                return Ok(out);
            }
            let system = out.system();
            // Facts about divisions may be tight because of the equalities that are there already.
            let mut echelon = Vec::new();
            for eq in &out.eqs {
                reduce_into(&mut echelon, eq);
            }
            let new: Vec<Row> = tight
                .iter()
                .filter_map(|&i| reduce_into(&mut echelon, &system.ineqs[i]))
                .collect();
            if new.is_empty() {
                return Ok(out);
            }
            out.changed();
            out.eqs.extend(new);
        }
    }

    /// A conjunction of fewer constraints that describes the same set within `context`: `self ∩ context = gist ∩
    /// context`.
    pub fn gist(&self, context: &Conj, b: &Budget) -> Outcome<Conj> {
        let (own, context) = self.with_locals_of_both(context);
        let (mut own, mut context) = (own.into_owned(), context.into_owned());
        if !own.simplify() || !context.simplify() {
            return Ok(if own.is_plainly_empty() {
                own
            } else {
                Conj::universe(self.n_vars())
            });
        }
        if own.is_plainly_universe() || context.is_plainly_universe() {
            return own.remove_redundancies(b);
        }
        // What the context determines is put in first.
        let own_cols = context.import_divs(&own);
        let mut eqs: Vec<Row> = own.eqs.iter().map(|r| context.import_row(r, &own_cols)).collect();
        let mut ineqs: Vec<Row> = own.ineqs.iter().map(|r| context.import_row(r, &own_cols)).collect();
        let (mut simplex, _) = context.simplex(b)?;
        // Equalities may follow from the context's equalities alone, and then need no linear program.
        let mut echelon: Vec<(Row, usize)> = Vec::new();
        for eq in &context.eqs {
            reduce_into(&mut echelon, eq);
        }
        let mut kept_eqs = Vec::new();
        for eq in eqs.drain(..) {
            let Some(reduced) = reduce_into(&mut echelon, &eq) else {
                continue;
            };
            if !row::is_zero(&reduced[1..]) && holds_on(&context, &mut simplex, &eq, b)? {
                continue;
            }
            kept_eqs.push(eq);
        }
        ineqs.retain(|r| !context.ineqs.contains(r));
        for eq in &kept_eqs {
            simplex.add_eq(eq, b)?;
        }
        let slacks: Vec<Slack> = ineqs.iter().map(|r| simplex.add_ineq(r, b)).collect::<Outcome<_>>()?;
        if !simplex.is_feasible(b)? {
            return Ok(Conj::empty(self.n_vars()));
        }
        context.changed();
        context.eqs = kept_eqs;
        context.ineqs = ineqs;
        context.drop_redundant(&mut simplex, &slacks, b)?;
        context.simplify();
        Ok(context)
    }

    /// A superset of all `pieces` that is one conjunction: the constraints of any piece, an equality counting as two
    /// inequalities, with the constant relaxed as far as the other pieces need it. Constraints that hold on another
    /// piece for no constant are left out.
    ///
    /// # Panics
    ///
    /// If there is no piece.
    pub fn simple_hull(pieces: &[Conj], b: &Budget) -> Outcome<Conj> {
        let n_vars = pieces.first().expect("a hull of at least one piece").n_vars();
        let mut simple = Vec::new();
        for piece in pieces {
            let mut piece = match piece.n_locals {
                0 => piece.clone(),
                _ => piece.eliminate_rational(0, 0, b)?,
            };
            if piece.simplify() && !simple.contains(&piece) {
                simple.push(piece);
            }
        }
        match &simple[..] {
            [] => return Ok(Conj::empty(n_vars)),
            [one] => return Ok(one.clone()),
            _ => {}
        }
        let (mut hull, simple) = with_divs_of_all(&simple, n_vars);
        let mut relaxations: Vec<Simplex> = simple.iter().map(|p| Ok(p.simplex(b)?.0)).collect::<Outcome<_>>()?;
        let mut seen: HashSet<Row> = HashSet::new();
        for (p, piece) in simple.iter().enumerate() {
            let rows = piece.eqs.iter().flat_map(halves).chain(piece.ineqs.iter().cloned());
            for mut row in rows {
                if !seen.insert(row.clone()) {
                    continue;
                }
                let mut valid = true;
                for (_, simplex) in relaxations.iter_mut().enumerate().filter(|(q, _)| *q != p) {
                    match simplex.minimize(&row, b)? {
                        Optimum::Empty => {}
                        Optimum::Unbounded => {
                            valid = false;
                            break;
                        }
                        // On integer points the row is at least the minimum rounded up.
                        Optimum::Finite { num, den } => {
                            let min = num.div_ceil(&den);
                            if min.is_neg() {
                                row[0] -= min;
                            }
                        }
                    }
                }
                if valid {
                    hull.add_ineq(row);
                }
            }
        }
        hull.remove_redundancies(b)
    }
}

/// Adds `row` to a list of equalities in echelon form, each with its pivot, and returns what was left of it after
/// reduction; none if that is nothing.
fn reduce_into(echelon: &mut Vec<(Row, usize)>, row: &Row) -> Option<Row> {
    let mut row = row.clone();
    for (pivot, col) in echelon.iter() {
        row::eliminate(&mut row, pivot, *col);
    }
    if row::is_zero(&row) {
        return None;
    }
    if let Some(col) = (1..row.len()).find(|&c| !row[c].is_zero()) {
        echelon.push((row.clone(), col));
    }
    Some(row)
}
