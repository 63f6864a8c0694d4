//! Merging conjunctions of a union.
//!
//! Two conjunctions P and Q are merged where their union is one conjunction H. A row `r >= 0` of P is *valid* if it holds
//! on Q and else *cut*; an equality counts as two rows. Rows are over variables and the divisions of both. A point that
//! is in neither violates a row of each, and a valid row is one of H, so that H = P ∪ Q exactly if
//!
//! ```text
//! H and r <= -1 and s <= -1    has no integer point, for each cut row r of P and each cut row s of Q.
//! ```
//!
//! Where there is no cut row of P, it contains Q. H starts as the valid rows and the cut ones with the constant relaxed as
//! far as the other conjunction needs it. If that leaves points for a pair of cut rows, these are *wrapped*: `r` is
//! turned about its intersection with a row `t` of H, with the smallest `f` for which `r + f t >= 0` holds on Q. As
//! `t >= 0` on both, it then holds on P too. That `f` is the maximum of `-r` over the points of Q scaled to `t = 1`.
//!
//! For example `{ (i, j) : 1 <= i <= 9, 0 <= j <= 9 }` and `{ (i, j) : 0 <= i <= 9, 1 <= j <= 9 }` are both relaxed to
//! `0 <= i, j <= 9`, which also has (0, 0), where the cut rows `i - 1` and `j - 1` are negative. Turning the first about
//! `j = 0` gives `i - 1 + j >= 0`, and H is the union.

use super::conj::Conj;
use super::enclosed::is_enclosed;
use super::pieces::{explicit, is_covered, remove_redundancies, tidy};
use super::reduce::{halves, with_divs_of_all};
use super::row;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, dot, zeros};
use crate::solver::lp::Optimum;
use crate::solver::simplex::Simplex;
use std::collections::BTreeSet;

/// The work that making one conjunction with locals explicit may take, to find what it contains.
const EXPLICIT_WORK: u64 = 2_000;

/// The same points, in conjunctions that are not empty, have no redundant constraints, and are merged where the union
/// of two is found to be one.
pub(super) fn coalesce(pieces: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    let mut simple = Vec::new();
    for mut piece in tidy(pieces.to_vec()) {
        if piece.n_locals > 0 {
            piece = piece.project(0, 0, b)?;
        }
        let piece = piece.detect_equalities(b)?.remove_redundancies(b)?;
        if !piece.is_empty(b)? {
            simple.push(piece);
        }
    }
    // A conjunction that has grown gets a new number, and may merge with any other.
    let mut out: Vec<(usize, Piece)> = tidy(simple).into_iter().map(Piece::new).enumerate().collect();
    let mut next = out.len();
    let mut apart: BTreeSet<(usize, usize)> = BTreeSet::new();
    'again: loop {
        for i in (0..out.len()).rev() {
            for j in i + 1..out.len() {
                let pair = (out[i].0, out[j].0);
                if apart.contains(&pair) {
                    continue;
                }
                let (before, from) = out.split_at_mut(j);
                if let Some(union) = merge(&mut before[i].1, &mut from[0].1, b)? {
                    out[i] = (next, Piece::new(union));
                    next += 1;
                    out.remove(j);
                    continue 'again;
                }
                apart.insert(pair);
            }
        }
        break;
    }
    Ok(out.into_iter().map(|(_, piece)| piece.conj).collect())
}

/// The same points in conjunctions as [`coalesce`] leaves them, also if there is only one, which that leaves alone.
pub(super) fn compact(pieces: &[Conj], b: &Budget) -> Outcome<Vec<Conj>> {
    match pieces {
        [] | [_] => remove_redundancies(pieces, b),
        _ => coalesce(pieces, b),
    }
}

/// A conjunction to be merged with others.
struct Piece {
    conj: Conj,
    /// The conjunction with its locals as variables, for those with the same divisions.
    side: Option<Side>,
}

impl Piece {
    fn new(conj: Conj) -> Piece {
        Piece { conj, side: None }
    }

    fn side(&mut self, b: &Budget) -> Outcome<&mut Side> {
        if self.side.is_none() {
            self.side = Some(Side::new(self.plain(), b)?);
        }
        Ok(self.side.as_mut().expect("it was made"))
    }

    fn plain(&self) -> Conj {
        let mut plain = self.conj.clone();
        plain.n_locals = 0;
        plain
    }
}

/// The union of two conjunctions, if it is found to be one.
fn merge(p: &mut Piece, q: &mut Piece, b: &Budget) -> Outcome<Option<Conj>> {
    if p.conj.n_locals == q.conj.n_locals {
        // With the same values of the locals.
        let union = if p.conj.divs == q.conj.divs {
            merge_plain(p.side(b)?, q.side(b)?, true, b)?
        } else {
            let (all, sides) = with_divs_of_all(&[p.plain(), q.plain()], p.conj.n_vars);
            let [one, other] = <[Conj; 2]>::try_from(sides).expect("a conjunction for each");
            let same_divs = [&*p, &*q].iter().all(|own| own.conj.divs.len() == all.divs.len());
            merge_plain(&mut Side::new(one, b)?, &mut Side::new(other, b)?, same_divs, b)?
        };
        return Ok(union.map(|union| match union {
            Union::First => p.conj.clone(),
            Union::Second => q.conj.clone(),
            Union::New(mut union) => {
                union.n_locals = p.conj.n_locals;
                union
            }
        }));
    }
    let (p, q) = (&p.conj, &q.conj);
    for (part, all) in [(p, q), (q, p)] {
        let explicit = b.trial(EXPLICIT_WORK, |b| explicit(std::slice::from_ref(all), b))?;
        if let Ok(all_explicit) = explicit
            && is_covered(part, &all_explicit, b)?
        {
            return Ok(Some(all.clone()));
        }
    }
    Ok(None)
}

/// What the union of two conjunctions is.
enum Union {
    First,
    Second,
    New(Conj),
}

/// One of the two conjunctions, in the columns of both.
struct Side {
    conj: Conj,
    simplex: Simplex,
}

impl Side {
    fn new(conj: Conj, b: &Budget) -> Outcome<Side> {
        let (simplex, _) = conj.simplex(b)?;
        Ok(Side { conj, simplex })
    }

    /// Whether there is a constraint that differs from the row at most in that its constant is smaller.
    fn has(&self, row: &Row) -> bool {
        let implies = |own: &Row| own[1..] == row[1..] && own[0] <= row[0];
        let implies_negated = |own: &Row| own[1..].iter().zip(&row[1..]).all(|(x, y)| *x == -y) && -&own[0] <= row[0];
        let eqs = &self.conj.eqs;
        self.conj.ineqs.iter().any(implies) || eqs.iter().any(|eq| implies(eq) || implies_negated(eq))
    }

    /// Adds the rows of this side to `hull`, relaxed to hold on `other`. Returns those that are cut.
    fn classify(&self, other: &mut Side, hull: &mut Conj, b: &Budget) -> Outcome<Vec<Row>> {
        let mut cut = Vec::new();
        let rows = self.conj.eqs.iter().flat_map(halves);
        for mut row in rows.chain(self.conj.ineqs.iter().cloned()) {
            // Most rows are those of both sides.
            if other.has(&row) {
                hull.add_ineq(row);
                continue;
            }
            let min = match other.simplex.minimize(&row, b)? {
                Optimum::Empty => Int::ZERO,
                Optimum::Unbounded => {
                    cut.push(row);
                    continue;
                }
                // On integer points the row is at least the minimum rounded up.
                Optimum::Finite { num, den } => num.div_ceil(&den),
            };
            if min.is_neg() && !other.satisfies_over_integers(&row, b)? {
                cut.push(row.clone());
                row[0] -= min;
            }
            hull.add_ineq(row);
        }
        Ok(cut)
    }

    /// Whether a row that is negative on the relaxation, which knows nothing of divisibility, is not on integer points.
    fn satisfies_over_integers(&self, row: &Row, b: &Budget) -> Outcome<bool> {
        if row::is_zero(&row[1 + self.conj.n_vars..]) {
            return Ok(false);
        }
        let mut outside = self.conj.clone();
        outside.add_ineq(row::complement(row));
        outside.is_empty(b)
    }

    /// The row `row + f t` with the smallest `f` for which it is not negative on this side, on which `t` is not: for each
    /// `t` for which there is one. There is none if `t` is zero at a point at which `row` is negative.
    fn wrapped(&self, row: &Row, about: &[Row], b: &Budget) -> Outcome<Vec<Row>> {
        // Scaled points: the constant becomes the last unknown, which is not negative.
        let homogeneous = |row: &Row| {
            let mut out = zeros(1);
            out.extend(row[1..].iter().cloned());
            out.push(row[0].clone());
            out
        };
        let system = self.conj.system();
        let mut simplex = Simplex::with_capacity(system.n + 1, system.eqs.len() + system.ineqs.len() + 2);
        for eq in &system.eqs {
            simplex.add_eq(&homogeneous(eq), b)?;
        }
        for ineq in &system.ineqs {
            simplex.add_ineq(&homogeneous(ineq), b)?;
        }
        let mut scale = zeros(system.n + 2);
        scale[system.n + 1] = Int::ONE;
        simplex.add_ineq(&scale, b)?;
        let objective = homogeneous(row);
        // The minimum where `equal` is 1, and the scaled point that the search for it has come to.
        let mut minimum = |mut equal: Row| -> Outcome<(Optimum, Option<Row>)> {
            equal[0] = Int::from(-1);
            simplex.push();
            simplex.add_eq(&equal, b)?;
            let min = simplex.minimize(&objective, b)?;
            let point = (!matches!(min, Optimum::Empty)).then(|| simplex.sample().0);
            simplex.pop();
            Ok((min, point))
        };
        let is_below = |point: &Row| dot(&objective[1..], point).is_neg();
        let mut below: Vec<Row> = minimum(scale)?.1.into_iter().filter(is_below).collect();
        let mut out = Vec::new();
        for t in about {
            let turning = homogeneous(t);
            if below.iter().any(|point| dot(&turning[1..], point).is_zero()) {
                continue;
            }
            let (min, point) = minimum(turning)?;
            below.extend(point.into_iter().filter(is_below));
            if let Optimum::Finite { num, den } = min
                && num.is_neg()
            {
                let mut turned = row.clone();
                row::scale(&mut turned, &den);
                row::add_scaled(&mut turned, &-num, t);
                out.push(turned);
            }
        }
        Ok(out)
    }
}

/// The union of two conjunctions in the same columns, without locals, if it is found to be one. Where they are about different
/// divisions, rows are not turned: they would be hard to read.
fn merge_plain(p: &mut Side, q: &mut Side, same_divs: bool, b: &Budget) -> Outcome<Option<Union>> {
    b.spend(1)?;
    let mut hull = p.conj.clone();
    hull.changed();
    hull.eqs.clear();
    hull.ineqs.clear();
    let p_cut = p.classify(q, &mut hull, b)?;
    if p_cut.is_empty() {
        return Ok(Some(Union::First));
    }
    let q_cut = q.classify(p, &mut hull, b)?;
    if q_cut.is_empty() {
        return Ok(Some(Union::Second));
    }
    let coefficients = |side: &Conj| {
        side.eqs
            .iter()
            .chain(&side.ineqs)
            .flat_map(|r| r[1..].to_vec())
            .map(|x| x.abs())
            .max()
    };
    let largest = coefficients(&p.conj).max(coefficients(&q.conj)).unwrap_or(Int::ONE);
    let (mut simplex, _) = hull.simplex(b)?;
    for r in &p_cut {
        simplex.push();
        simplex.add_ineq(&row::complement(r), b)?;
        let known = hull.ineqs.len();
        for s in &q_cut {
            if simplex.implies(s, b)? {
                continue;
            }
            if hull.divs.is_empty() && is_enclosed([&p.conj, &q.conj], [r, s], b)? {
                return Ok(None);
            }
            if is_without(&hull, r, s, b)? {
                continue;
            }
            if !same_divs || is_gap(&hull, r, q, b)? || is_gap(&hull, s, p, b)? {
                return Ok(None);
            }
            let about = hull.ineqs.clone();
            let mut turned = q.wrapped(r, &about, b)?;
            turned.extend(p.wrapped(s, &about, b)?);
            for mut row in turned {
                let is_new = row::normalize_ineq(&mut row) && !hull.ineqs.contains(&row);
                // Repeated merging would let coefficients grow without end, and with them the cost of all that follows.
                if is_new && row[1..].iter().all(|x| x.abs() <= largest) {
                    simplex.add_ineq(&row, b)?;
                    hull.add_ineq(row);
                }
            }
            if !(simplex.implies(s, b)? || is_without(&hull, r, s, b)?) {
                return Ok(None);
            }
        }
        simplex.pop();
        for row in &hull.ineqs[known..] {
            simplex.add_ineq(row, b)?;
        }
    }
    let hull = hull.detect_equalities(b)?.remove_redundancies(b)?;
    Ok(Some(Union::New(hull)))
}

/// Whether no integer point of `hull` has negative values of both rows.
fn is_without(hull: &Conj, r: &Row, s: &Row, b: &Budget) -> Outcome<bool> {
    let mut outside = hull.clone();
    outside.add_ineq(row::complement(r));
    outside.add_ineq(row::complement(s));
    outside.is_empty(b)
}

/// Whether `row` is less than -1 on all of `side`, so that there is a gap to where it is not negative, in which integer
/// points of a hull are to be expected, unless there are divisions.
fn is_gap(hull: &Conj, row: &Row, side: &mut Side, b: &Budget) -> Outcome<bool> {
    let mut beyond = row::negated(row);
    beyond[0] -= Int::from(2);
    Ok(hull.divs.is_empty() && side.simplex.implies(&beyond, b)?)
}
