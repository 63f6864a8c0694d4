//! What takes a solver: redundancy, implicit equalities, gist and hull of conjunctions.
//!
//! Linear programs here are rational, on the system of variables and divisions with their bounds. As all rows are
//! integral on integer points, a row of which the rational minimum is larger than -1 is not negative on any of them.

use super::conj::Conj;
use super::row;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use crate::solver::lp::{self, Optimum};
use crate::solver::{System, integer};
use std::collections::HashSet;

/// Whether `row >= 0` on all integer points of `system`, as far as its rational relaxation can tell.
pub(super) fn implied(system: &System, row: &Row, b: &Budget) -> Outcome<bool> {
    Ok(match lp::minimize(system, row, b)? {
        Optimum::Empty => true,
        Optimum::Unbounded => false,
        Optimum::Finite { num, den } => &num + &den > Int::ZERO,
    })
}

/// Whether the equality `eq` holds on all integer points of `system`: exactly if there are divisions in it, as they are
/// about divisibility, which the rational relaxation knows nothing of.
fn holds_on(system: &System, eq: &Row, n_vars: usize, b: &Budget) -> Outcome<bool> {
    for half in halves(eq) {
        if implied(system, &half, b)? {
            continue;
        }
        if row::is_zero(&eq[1 + n_vars..]) {
            return Ok(false);
        }
        let mut outside = system.clone();
        outside.ineqs.push(row::complement(&half));
        if !integer::is_empty(&outside, b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The equality as two inequalities.
pub(super) fn halves(eq: &Row) -> [Row; 2] {
    [eq.clone(), row::negated(eq)]
}

impl Conj {
    /// The same set without inequalities that the other constraints imply.
    pub fn remove_redundancies(&self, b: &Budget) -> Outcome<Conj> {
        self.remove_redundancies_keeping(0, b)
    }

    /// The same, with variables frozen as in [`Conj::simplify_keeping`].
    pub(super) fn remove_redundancies_keeping(&self, frozen: usize, b: &Budget) -> Outcome<Conj> {
        let mut out = self.clone();
        if !out.simplify_keeping(frozen) || out.ineqs.len() + out.divs.len() < 2 {
            return Ok(out);
        }
        // The facts about divisions come last: a row that they make redundant is looked at while they are there.
        let redundant = lp::redundant(&out.system(), b)?;
        let mut redundant = redundant.into_iter();
        out.ineqs.retain(|_| redundant.next() == Some(false));
        Ok(out)
    }

    /// The same set with inequalities that only hold with equality turned into equalities.
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
            let system = out.system();
            if lp::is_empty_rational(&system, b)? {
                return Ok(Conj::empty(self.n_vars));
            }
            // Facts about divisions may be tight because of the equalities that are there already.
            let mut echelon = Vec::new();
            for eq in &out.eqs {
                reduce_into(&mut echelon, eq);
            }
            let tight = lp::implicit_equalities(&system, b)?;
            let new: Vec<Row> = tight
                .iter()
                .filter_map(|&i| reduce_into(&mut echelon, &system.ineqs[i]))
                .collect();
            if new.is_empty() {
                return Ok(out);
            }
            out.eqs.extend(new);
        }
    }

    /// A conjunction of fewer constraints that describes the same set within `context`: `self ∩ context = gist ∩
    /// context`.
    pub fn gist(&self, context: &Conj, b: &Budget) -> Outcome<Conj> {
        let mut own = self.clone();
        let mut context = context.clone();
        if !own.simplify() || !context.simplify() {
            return Ok(if own.is_plainly_empty() {
                own
            } else {
                Conj::universe(self.n_vars)
            });
        }
        if own.is_plainly_universe() || context.is_plainly_universe() {
            return own.remove_redundancies(b);
        }
        // What the context determines is put in first.
        let own_cols = context.import_divs(&own);
        let mut eqs: Vec<Row> = own.eqs.iter().map(|r| context.import_row(r, &own_cols)).collect();
        let mut ineqs: Vec<Row> = own.ineqs.iter().map(|r| context.import_row(r, &own_cols)).collect();
        let system = context.system();
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
            if !row::is_zero(&reduced[1..]) && holds_on(&system, &eq, own.n_vars, b)? {
                continue;
            }
            kept_eqs.push(eq);
        }
        let mut all = system;
        all.eqs.extend(kept_eqs.iter().cloned());
        let n_context = all.ineqs.len();
        let known: HashSet<&Row> = all.ineqs.iter().collect();
        ineqs.retain(|r| !known.contains(r));
        all.ineqs.append(&mut ineqs);
        let mut i = n_context;
        while i < all.ineqs.len() {
            let row = all.ineqs.remove(i);
            if !implied(&all, &row, b)? {
                all.ineqs.insert(i, row);
                i += 1;
            }
        }
        context.eqs = kept_eqs;
        context.ineqs = all.ineqs.split_off(n_context);
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
        let n_vars = pieces.first().expect("a hull of at least one piece").n_vars;
        let mut simple = Vec::new();
        for piece in pieces {
            let mut piece = piece.clone();
            if piece.simplify() && !simple.contains(&piece) {
                simple.push(piece);
            }
        }
        match &simple[..] {
            [] => return Ok(Conj::empty(n_vars)),
            [one] => return Ok(one.clone()),
            _ => {}
        }
        let mut hull = Conj::universe(n_vars);
        let cols: Vec<Vec<usize>> = simple.iter().map(|p| hull.import_divs(p)).collect();
        let mut systems = Vec::new();
        for (piece, cols) in simple.iter().zip(&cols) {
            let mut own = Conj {
                eqs: Vec::new(),
                ineqs: Vec::new(),
                ..hull.clone()
            };
            own.eqs = piece.eqs.iter().map(|r| hull.import_row(r, cols)).collect();
            own.ineqs = piece.ineqs.iter().map(|r| hull.import_row(r, cols)).collect();
            systems.push(own.system());
        }
        let mut seen: HashSet<Row> = HashSet::new();
        for (p, piece) in simple.iter().enumerate() {
            let rows = piece.eqs.iter().flat_map(halves).chain(piece.ineqs.iter().cloned());
            for row in rows {
                let mut row = hull.import_row(&row, &cols[p]);
                if !seen.insert(row.clone()) {
                    continue;
                }
                let mut valid = true;
                for (_, system) in systems.iter().enumerate().filter(|(q, _)| *q != p) {
                    match lp::minimize(system, &row, b)? {
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
                    hull.ineqs.push(row);
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
