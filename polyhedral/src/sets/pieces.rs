//! Operations on finite unions of conjunctions over the same variables. [`super::Set`] and [`super::Map`] add what
//! the variables mean.
//!
//! `a - q` for conjunctions `a` and `q = { c_1 >= 0 and .. and c_k >= 0 }` is the disjoint union of
//! `a and c_1 >= 0 and .. and c_{i-1} >= 0 and c_i < 0`, an equality being two inequalities. Only constraints that `a` does
//! not imply take part. As a complement takes constraints without quantifiers, `q` must have no locals: [`explicit`] sees to
//! that; `a` may have some.

use super::conj::Conj;
use super::reduce::{halves, holds_on};
use super::row;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;
use indexmap::IndexSet;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Drops conjunctions that are plainly empty or occur twice; one universe is all there is.
pub(super) fn tidy(pieces: impl IntoIterator<Item = Conj>) -> Vec<Conj> {
    let pieces = pieces.into_iter();
    let mut out: Vec<Conj> = Vec::with_capacity(pieces.size_hint().0);
    for mut piece in pieces {
        if !piece.simplify() {
            continue;
        }
        if piece.is_plainly_universe() {
            return vec![piece];
        }
        out.push(piece);
    }
    without_duplicates(out)
}

/// So many conjunctions are compared to each other faster than they are hashed.
const FEW: usize = 12;

/// Every conjunction once, in the order of their first occurrences.
fn without_duplicates(pieces: Vec<Conj>) -> Vec<Conj> {
    match pieces.len() {
        0 | 1 => pieces,
        2..=FEW => {
            let mut distinct: Vec<Conj> = Vec::with_capacity(pieces.len());
            for piece in pieces {
                if !distinct.contains(&piece) {
                    distinct.push(piece);
                }
            }
            distinct
        }
        _ => pieces.into_iter().collect::<IndexSet<Conj>>().into_iter().collect(),
    }
}

/// The same points in conjunctions without locals.
pub(super) fn explicit<'a>(pieces: &'a [Conj], b: &Budget) -> Outcome<Cow<'a, [Conj]>> {
    if pieces.iter().all(|p| p.n_locals == 0) {
        return Ok(Cow::Borrowed(pieces));
    }
    let mut out = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece.n_locals {
            0 => out.push(piece.clone()),
            _ => out.extend(piece.eliminate(0, 0, b)?),
        }
    }
    Ok(Cow::Owned(tidy(out)))
}

/// The same constraints with `count` unconstrained variables more, inserted at `pos`.
pub(super) fn insert_vars(pieces: &[Conj], pos: usize, count: usize) -> Vec<Conj> {
    if count == 0 {
        return pieces.to_vec();
    }
    pieces.iter().map(|p| p.insert_vars(pos, count)).collect()
}

/// Whether these are all points, as a single conjunction without constraints.
pub(super) fn are_plainly_universe(pieces: &[Conj]) -> bool {
    matches!(pieces, [one] if one.is_plainly_universe())
}

/// Whether all points of the first are plainly in the second: then it is what both have in common.
pub(super) fn are_plainly_within(a: &[Conj], b: &[Conj]) -> bool {
    matches!(b, [one] if a.iter().all(|p| p.has_constraints_of(one)))
}

/// All points of the first that are in the second. Most pairs of many alternatives have nothing in common, and are not kept.
pub(crate) fn intersect(a: &[Conj], b: &[Conj]) -> Vec<Conj> {
    tidy(a.iter().flat_map(|p| {
        // What is within one conjunction has no other points in common with the rest.
        let is_within = b.len() > 1 && b.iter().any(|q| p.has_constraints_of(q));
        let others = if is_within { &[] } else { b };
        let own = is_within.then(|| p.clone());
        own.into_iter().chain(others.iter().map(|q| p.intersect(q)))
    }))
}

/// All points of either.
pub(super) fn union(a: &[Conj], b: &[Conj]) -> Vec<Conj> {
    if a.iter().any(Conj::is_plainly_universe) || b.is_empty() {
        return a.to_vec();
    }
    match b.iter().find(|piece| piece.is_plainly_universe()) {
        Some(universe) => vec![universe.clone()],
        None => without_duplicates(a.iter().chain(b).cloned().collect()),
    }
}

/// Whether there is no point.
pub(super) fn is_empty(pieces: &[Conj], b: &Budget) -> Outcome<bool> {
    for piece in pieces {
        if !piece.is_empty(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the point is in one of them.
pub(super) fn contain(pieces: &[Conj], point: &[Int], b: &Budget) -> Outcome<bool> {
    for piece in pieces {
        if piece.contains(point, b)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether no point is in both.
pub(super) fn is_disjoint(a: &[Conj], b: &[Conj], budget: &Budget) -> Outcome<bool> {
    for p in a {
        for q in b {
            if !p.intersect(q).is_empty(budget)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The inequalities that a constraint is made of.
fn sides(row: &Row, is_eq: bool) -> SmallVec<[Row; 2]> {
    if is_eq {
        SmallVec::from(halves(row))
    } else {
        SmallVec::from_iter([row.clone()])
    }
}

/// The points of `a` that are not in `q`, which has no locals, in disjoint conjunctions that are not empty; none if there
/// is no overlap, so that this is all of `a`.
fn subtract_one(a: &Conj, q: &Conj, b: &Budget) -> Outcome<Option<Vec<Conj>>> {
    debug_assert_eq!(q.n_locals, 0, "locals have no complement");
    let (_, q) = a.with_locals_of_both(q);
    let mut rest = a.clone();
    let cols = rest.import_divs(&q);
    let (mut simplex, _) = rest.simplex(b)?;
    // Only constraints that `a` does not imply cut anything off.
    let mut cuts: Vec<(Row, bool)> = Vec::new();
    for (i, row) in q.eqs.iter().chain(&q.ineqs).enumerate() {
        let row = rest.import_row(row, &cols);
        let is_eq = i < q.eqs.len();
        let mut holds = true;
        for side in &sides(&row, is_eq) {
            if !simplex.implies(side, b)? {
                holds = false;
                if simplex.implies(&row::complement(side), b)? {
                    return Ok(None);
                }
            }
        }
        if !(holds || is_eq && holds_on(&rest, &mut simplex, &row, b)?) {
            cuts.push((row, is_eq));
        }
    }
    if cuts.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut both = rest.clone();
    for (cut, is_eq) in &cuts {
        if *is_eq {
            both.add_eq(cut.clone())
        } else {
            both.add_ineq(cut.clone())
        }
    }
    if both.is_empty(b)? {
        return Ok(None);
    }
    let mut out = Vec::new();
    for (cut, is_eq) in cuts {
        for side in &sides(&cut, is_eq) {
            let mut piece = rest.clone();
            piece.add_ineq(row::complement(side));
            if piece.simplify() && !piece.is_empty(b)? {
                out.push(piece);
            }
        }
        if is_eq {
            rest.add_eq(cut);
        } else {
            rest.add_ineq(cut);
        }
    }
    Ok(Some(out))
}

/// The points of `a` that are not in `b`.
pub(crate) fn subtract(a: &[Conj], b: &[Conj], budget: &Budget) -> Outcome<Vec<Conj>> {
    let mut rest = a.to_vec();
    for q in explicit(b, budget)?.iter() {
        if rest.is_empty() {
            break;
        }
        let mut next = Vec::with_capacity(rest.len());
        for p in rest {
            match subtract_one(&p, q, budget)? {
                None => next.push(p),
                Some(pieces) => next.extend(pieces),
            }
        }
        rest = next;
    }
    Ok(rest)
}

/// Whether every point of `p` is in one of `b`.
pub(super) fn is_covered(p: &Conj, b: &[Conj], budget: &Budget) -> Outcome<bool> {
    // What is left of `p`, each with the number of the first conjunction of `b` that has not been taken away from it.
    let mut todo = vec![(p.clone(), 0)];
    'next: while let Some((mut p, first)) = todo.pop() {
        if !p.simplify() {
            continue;
        }
        for (i, q) in b.iter().enumerate().skip(first) {
            if let Some(pieces) = subtract_one(&p, q, budget)? {
                todo.extend(pieces.into_iter().rev().map(|piece| (piece, i + 1)));
                continue 'next;
            }
        }
        if !p.is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether every point of `a` is in `b`.
pub(super) fn is_subset(a: &[Conj], b: &[Conj], budget: &Budget) -> Outcome<bool> {
    let b = explicit(b, budget)?;
    for p in a {
        if !(b.contains(p) || is_covered(p, &b, budget)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The same points in conjunctions that do not overlap.
pub(super) fn make_disjoint(pieces: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    let mut out: Vec<Conj> = Vec::new();
    for piece in pieces {
        let new = subtract(std::slice::from_ref(piece), &out, b)?;
        out.extend(new);
    }
    Ok(out)
}

/// The exact projection that removes variables `first .. first + count`. It may leave locals.
pub(super) fn project(pieces: &[Conj], first: usize, count: usize, b: &Budget) -> Outcome<Vec<Conj>> {
    let mut out = Vec::new();
    for piece in pieces {
        out.push(piece.project(first, count, b)?);
    }
    Ok(tidy(out))
}

/// The same points without redundant inequalities.
pub(super) fn remove_redundancies(pieces: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    Ok(tidy(
        pieces
            .iter()
            .map(|p| p.remove_redundancies(b))
            .collect::<Outcome<Vec<_>>>()?,
    ))
}

/// The same points with implicit equalities made explicit.
pub(super) fn detect_equalities(pieces: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    Ok(tidy(
        pieces
            .iter()
            .map(|p| p.detect_equalities(b))
            .collect::<Outcome<Vec<_>>>()?,
    ))
}

/// Fewer and simpler conjunctions with the same points within `context`.
pub(super) fn gist(pieces: &[Conj], context: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    let context = explicit(context, b)?;
    if context.is_empty() {
        return Ok(Vec::new());
    }
    let hull = Conj::simple_hull(&context, b)?;
    if hull.is_plainly_universe() {
        return Ok(pieces.to_vec());
    }
    let mut out = Vec::new();
    for piece in pieces {
        if !piece.intersect(&hull).is_empty(b)? {
            out.push(piece.gist(&hull, b)?);
        }
    }
    Ok(tidy(out))
}

/// The conjunction that all of them are contained in, made of their constraints.
pub(super) fn simple_hull(pieces: &[Conj], n_vars: usize, b: &Budget) -> Outcome<Conj> {
    if pieces.is_empty() {
        Ok(Conj::empty(n_vars))
    } else {
        Conj::simple_hull(pieces, b)
    }
}
