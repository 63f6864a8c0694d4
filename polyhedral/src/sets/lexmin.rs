//! Lexicographic minima, parametric in the leading variables.
//!
//! The minimum of one conjunction over its trailing variables is found variable by variable. A variable that an
//! equality determines is its own minimum. Otherwise the later variables are projected out; in every conjunction of
//! the result the values of the variable mostly are the points of a lattice in an interval, and the minimum is the
//! largest of the lower bounds, rounded up to a point of the lattice: one case each. Where divisions depend on it in
//! other ways, what is larger than another value is subtracted.
//! Conjunctions of which the values are not bounded have no minimum anywhere, which is found out first.
//! Minima of several conjunctions are compared by subtracting from each what is larger than another's.

use super::conj::Conj;
use super::eliminate::lattice_minimum;
use super::pieces;
use super::row;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::solver::lp::{self, Optimum};

/// For each value of the variables before `first`, the lexicographically smallest values of those from `first` on.
pub(super) fn lexmin(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let mut minima: Vec<Vec<Conj>> = Vec::with_capacity(conjs.len());
    // The leading variables for which there is no minimum, with all values of the others.
    let mut without: Vec<Conj> = Vec::new();
    for conj in pieces::explicit(conjs, b)?.iter() {
        let conj = conj.detect_equalities(b)?;
        if conj.is_plainly_empty() {
            continue;
        }
        let (n_vars, count) = (conj.n_vars, conj.n_vars - first);
        if !is_bounded(&conj, first, b)? {
            let domain = conj.eliminate(first, count, b)?;
            without.extend(domain.iter().map(|c| c.insert_vars(first, n_vars - first)));
            continue;
        }
        let min = lexmin_conj(conj, first, b)?;
        if !min.is_empty() {
            minima.push(min);
        }
    }
    Ok(pieces::tidy(pieces::subtract(
        &smallest(&minima, first, b)?,
        &without,
        b,
    )?))
}

/// Whether there are minima wherever there are points. As all the sets of values, one for each of the leading
/// variables, have the same rational recession cone, there are either minima for all that are not empty or for none.
fn is_bounded(conj: &Conj, first: usize, b: &Budget) -> Outcome<bool> {
    let mut cone = conj.system();
    for row in cone.eqs.iter_mut().chain(&mut cone.ineqs) {
        row[0] = Int::ZERO;
    }
    let unit = |var: usize| {
        let mut row = zeros(1 + cone.n);
        row[1 + var] = Int::ONE;
        row
    };
    let units: Vec<Row> = (0..conj.n_vars).map(unit).collect();
    cone.eqs.extend(units[..first].iter().cloned());
    for (var, unit) in units.iter().enumerate().skip(first) {
        if !is_determined(conj, var) && lp::minimize(&cone, unit, b)? == Optimum::Unbounded {
            return Ok(false);
        }
        cone.eqs.push(unit.clone());
    }
    Ok(true)
}

/// For each value of the variables before `first`, the lexicographically largest values of those from `first` on.
pub(super) fn lexmax(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let negate =
        |conjs: &[Conj]| -> Vec<Conj> { conjs.iter().map(|c| c.negate_vars(first, c.n_vars - first)).collect() };
    Ok(pieces::tidy(negate(&lexmin(&negate(conjs), first, b)?)))
}

/// The minimum of one conjunction: a union of conjunctions that agree where they overlap.
fn lexmin_conj(conj: Conj, first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let n_vars = conj.n_vars;
    let mut current = vec![conj];
    for var in first..n_vars {
        let later = n_vars - var - 1;
        let mut next: Vec<Conj> = Vec::new();
        for conj in current {
            if is_determined(&conj, var) {
                next.push(conj);
                continue;
            }
            let projection = conj.eliminate(var + 1, later, b)?;
            for min in minimum(&projection, b)? {
                let mut piece = conj.intersect(&min.insert_vars(var + 1, later));
                if piece.simplify() && !piece.is_empty(b)? && !next.contains(&piece) {
                    next.push(piece);
                }
            }
        }
        current = next;
    }
    Ok(current)
}

/// Whether an equality, or two inequalities that leave no choice, determine variable `var` by the variables before it.
pub(super) fn is_determined(conj: &Conj, var: usize) -> bool {
    let dependent = conj.dependent_divs(|v| v >= var);
    let by_earlier = |row: &Row| {
        row::is_zero(&row[2 + var..1 + conj.n_vars])
            && row[1 + conj.n_vars..]
                .iter()
                .zip(&dependent)
                .all(|(x, dep)| x.is_zero() || !dep)
    };
    conj.eqs.iter().any(|eq| !eq[1 + var].is_zero() && by_earlier(eq))
        || conj.floor_bounds(var).is_some_and(|(i, _)| by_earlier(&conj.ineqs[i]))
}

/// The smallest values of the last variable.
fn minimum(projection: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    let mut minima = Vec::with_capacity(projection.len());
    for conj in projection {
        let conj = conj.detect_equalities(b)?;
        if conj.is_plainly_empty() {
            continue;
        }
        let var = conj.n_vars - 1;
        if is_determined(&conj, var) {
            minima.push(vec![conj]);
            continue;
        }
        let conj = conj.remove_redundancies(b)?;
        let Some(found) = lattice_minimum(&conj) else {
            let larger = larger_than(std::slice::from_ref(&conj), var, b)?;
            minima.push(pieces::subtract(&[conj], &larger, b)?);
            continue;
        };
        let mut cases = Vec::with_capacity(found.len());
        for mut case in found {
            if case.simplify() && !case.is_empty(b)? {
                cases.push(case);
            }
        }
        minima.push(cases);
    }
    let var = projection.first().map_or(0, |c| c.n_vars - 1);
    smallest(&minima, var, b)
}

/// The tuples of variables from `first` on that are lexicographically larger than one of `conjs` with the same values
/// before.
fn larger_than(conjs: &[Conj], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let mut out = Vec::new();
    for conj in conjs {
        let n_vars = conj.n_vars;
        let count = n_vars - first;
        for level in 0..count {
            // Columns: the leading variables, the tuple y, the smaller tuple z.
            let mut pair = conj.remap(n_vars + count, |v| if v < first { v } else { v + count });
            for k in 0..level {
                pair.equate(first + k, n_vars + k);
            }
            let mut less = zeros(pair.n_cols());
            less[0] = Int::from(-1);
            less[1 + first + level] = Int::ONE;
            less[1 + n_vars + level] = Int::from(-1);
            pair.ineqs.push(less);
            out.extend(pair.eliminate(n_vars, count, b)?);
        }
    }
    Ok(out)
}

/// The smallest of several partial functions from the variables before `first` to those from `first` on, each a union
/// of conjunctions.
fn smallest(functions: &[Vec<Conj>], first: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    if let [one] = functions {
        return Ok(one.clone());
    }
    let larger: Vec<Vec<Conj>> = functions
        .iter()
        .map(|f| larger_than(f, first, b))
        .collect::<Outcome<_>>()?;
    let mut out = Vec::new();
    for (i, function) in functions.iter().enumerate() {
        let mut rest = function.clone();
        for (_, larger) in larger.iter().enumerate().filter(|(j, _)| *j != i) {
            rest = pieces::subtract(&rest, larger, b)?;
        }
        out.extend(rest);
    }
    Ok(out)
}
