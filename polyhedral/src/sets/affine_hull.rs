//! Affine hulls over the integers.
//!
//! The affine hull of a conjunction is described by the equalities over its variables *and divisions* that hold on all
//! integer points. Once they are known, the divisions are mere integers again: `i = 4 floor(i / 4)` leaves "`i` is a
//! multiple of 4", and `i = 2 floor(j / 3)` leaves "`i` is even". The hull of several conjunctions is that of all their
//! points, each with the values of the divisions of all conjunctions.
//!
//! The hull is found from below (Karr, *Affine relationships among variables of a program*, 1976, with integer points as
//! the generators): starting with one integer point, a point off the present hull is looked for in each direction that
//! the equalities leave open; mostly a neighbour of the first point does. A direction without such a point is a new
//! equality. For example `{ [i, j] : 2j <= i <= 2j + 1 and i mod 2 = 0 }` has the point (0, 0), with 0 for the division,
//! and the neighbour (2, 1), with 1; no point has `i != 2j`, so that the hull is `{ [i, j] : i = 2j }`.

use super::conj::Conj;
use super::row;
use super::{Map, Set, UnionMap, UnionSet};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, dot, kernel, solve, unit, zeros};
use crate::solver::{System, integer, value_at};

/// An affine space: a point and directions that generate the differences.
struct Span {
    point: Row,
    directions: Vec<Row>,
    /// Whether these are all directions that the equalities leave open.
    by_equalities: bool,
}

impl Conj {
    /// The integer affine hull: equalities and congruences of the variables only. See the module's text.
    pub fn affine_hull(&self, b: &Budget) -> Outcome<Conj> {
        let mut simple = self.clone();
        if !simple.simplify() {
            return Ok(simple);
        }
        if simple.ineqs.is_empty() && simple.divs.is_empty() {
            return Ok(simple);
        }
        let Some(span) = span(&simple.system(), b)? else {
            return Ok(Conj::empty(self.n_vars));
        };
        let eqs = if span.by_equalities {
            simple.eqs
        } else {
            equalities(&span.point, span.directions, simple.n_vars + simple.divs.len())
        };
        free_divs(self.n_vars, simple.divs.len(), eqs, b)
    }
}

/// The integer affine hull of all points of the conjunctions.
pub(super) fn affine_hull(pieces: &[Conj], n_vars: usize, b: &Budget) -> Outcome<Conj> {
    match pieces {
        [] => return Ok(Conj::empty(n_vars)),
        [one] => return one.affine_hull(b),
        _ => {}
    }
    let mut all = Conj::universe(n_vars);
    let cols: Vec<Vec<usize>> = pieces.iter().map(|piece| all.import_divs(piece)).collect();
    let n = n_vars + all.divs.len();
    let mut hull: Option<Span> = None;
    for (piece, cols) in pieces.iter().zip(&cols) {
        let mut own = all.clone();
        own.eqs = piece.eqs.iter().map(|r| all.import_row(r, cols)).collect();
        own.ineqs = piece.ineqs.iter().map(|r| all.import_row(r, cols)).collect();
        let Some(span) = span(&own.system(), b)? else { continue };
        match &mut hull {
            None => hull = Some(span),
            Some(hull) => {
                let difference = span.point.iter().zip(&hull.point).map(|(x, y)| x - y).collect();
                hull.directions.push(difference);
                hull.directions.extend(span.directions);
            }
        }
    }
    match hull {
        None => Ok(Conj::empty(n_vars)),
        Some(Span { point, directions, .. }) => {
            free_divs(n_vars, all.divs.len(), equalities(&point, directions, n), b)
        }
    }
}

/// The equalities that hold on `point` plus all combinations of `directions`.
fn equalities(point: &Row, directions: Vec<Row>, n: usize) -> Vec<Row> {
    let normals = kernel(&Matrix::new(directions, n));
    let equality = |normal: &Row| {
        let mut row = zeros(1);
        row[0] = -dot(normal, point);
        row.extend(normal.iter().cloned());
        row
    };
    normals.rows.iter().map(equality).collect()
}

/// The values of the first `n_vars` variables for which there are integers for the others that satisfy the equalities.
fn free_divs(n_vars: usize, n_divs: usize, eqs: Vec<Row>, b: &Budget) -> Outcome<Conj> {
    let mut conj = Conj::universe(n_vars + n_divs);
    conj.eqs = eqs;
    if n_divs == 0 {
        conj.simplify();
        return Ok(conj);
    }
    let mut projection = conj.eliminate(n_vars, n_divs, b)?;
    debug_assert!(projection.len() <= 1, "equalities do not split");
    Ok(projection.pop().unwrap_or_else(|| Conj::empty(n_vars)))
}

/// The affine span of the integer points; None if there are none.
fn span(system: &System, b: &Budget) -> Outcome<Option<Span>> {
    let n = system.n;
    b.spend((system.eqs.len() * n + system.ineqs.len() + 1) as u64)?;
    let (origin, basis) = if system.eqs.is_empty() {
        (zeros(n), Matrix::identity(n))
    } else {
        let a = Matrix::new(system.eqs.iter().map(|r| Row::from(&r[1..])).collect(), n);
        let right: Row = system.eqs.iter().map(|r| -&r[0]).collect();
        match solve(&a, &right) {
            Some(solution) => solution,
            None => return Ok(None),
        }
    };
    // In terms of the basis there are inequalities only.
    let mut open = System::new(basis.rows.len());
    for ineq in &system.ineqs {
        let mut row = zeros(1);
        row[0] = value_at(ineq, &origin);
        row.extend(basis.rows.iter().map(|v| dot(&ineq[1..], v)));
        if row::is_zero(&row[1..]) {
            if row[0].is_neg() {
                return Ok(None);
            }
        } else if row::normalize_ineq(&mut row) {
            open.ineqs.push(row);
        }
    }
    let Some(point) = integer::sample(&open, b)? else {
        return Ok(None);
    };
    let directions = open_directions(&open, &point, b)?;
    let lift = |y: &Row| -> Row {
        let mut x = zeros(n);
        for (factor, v) in y.iter().zip(&basis.rows) {
            row::add_scaled(&mut x, factor, v);
        }
        x
    };
    let by_equalities = directions.is_none();
    let directions = match directions {
        None => basis.rows.clone(),
        Some(directions) => directions.iter().map(lift).collect(),
    };
    let mut start = lift(&point);
    row::add_scaled(&mut start, &Int::ONE, &origin);
    Ok(Some(Span {
        point: start,
        directions,
        by_equalities,
    }))
}

/// The directions in which there are integer points, starting from `point`; None if these are all.
fn open_directions(system: &System, point: &Row, b: &Budget) -> Outcome<Option<Vec<Row>>> {
    let n = system.n;
    let slacks: Vec<Int> = system.ineqs.iter().map(|r| value_at(r, point)).collect();
    b.spend((n + system.ineqs.len()) as u64)?;
    let is_open = |v: &usize| {
        let stays = |step: i32| {
            let change = |r: &Row| if step > 0 { r[1 + v].clone() } else { -&r[1 + v] };
            (system.ineqs.iter().zip(&slacks)).all(|(r, slack)| !(slack + &change(r)).is_neg())
        };
        stays(1) || stays(-1)
    };
    let mut directions: Vec<Row> = (0..n).filter(is_open).map(|v| unit(n, v)).collect();
    let mut closed = 0;
    // Each normal of the present span is an equality, or there is a point off it.
    loop {
        let normals = kernel(&Matrix::new(directions.clone(), n));
        if normals.rows.len() == closed {
            return Ok((closed > 0).then_some(directions));
        }
        let mut known = Matrix::new(Vec::new(), n);
        let mut found = None;
        'normals: for normal in &normals.rows {
            for sign in [1, -1] {
                let mut row: Row = zeros(1);
                row.extend(normal.iter().map(|x| x * &Int::from(sign)));
                row[0] = -dot(&row[1..], point) - Int::ONE;
                let mut beyond = system.clone();
                beyond.eqs.extend(known.rows.iter().map(|normal: &Row| {
                    let mut eq = zeros(1);
                    eq[0] = -dot(normal, point);
                    eq.extend(normal.iter().cloned());
                    eq
                }));
                beyond.ineqs.push(row);
                if let Some(other) = integer::sample(&beyond, b)? {
                    found = Some(other.iter().zip(point).map(|(x, y)| x - y).collect());
                    break 'normals;
                }
            }
            known.rows.push(normal.clone());
        }
        closed = known.rows.len();
        match found {
            Some(direction) => directions.push(direction),
            None => return Ok(Some(directions)),
        }
    }
}

impl Set {
    /// The smallest set of one conjunction of equalities and congruences that contains this one, as far as they follow
    /// from equalities of dimensions, parameters and the divisions of the conjunctions: `{ x : exists q : E(x, q) = 0 }`
    /// where `E(x, q) = 0` are all equalities that hold on all `x` with the values `q` of divisions.
    pub fn affine_hull(&self, b: &Budget) -> Outcome<Set> {
        let hull = affine_hull(self.pieces(), self.space().n_vars(), b)?;
        Ok(Set::from_conj(self.space().clone(), hull))
    }
}

impl Map {
    /// The hull of the pairs, as [`Set::affine_hull`].
    pub fn affine_hull(&self, b: &Budget) -> Outcome<Map> {
        let hull = affine_hull(self.pieces(), self.space().n_vars(), b)?;
        Ok(Map::from_conj(self.space().clone(), hull))
    }
}

impl UnionSet {
    /// The hull of the set of each tuple, as [`Set::affine_hull`].
    pub fn affine_hull(&self, b: &Budget) -> Outcome<UnionSet> {
        self.map_sets(|set| set.affine_hull(b))
    }
}

impl UnionMap {
    /// The hull of the relation of each pair of tuples, as [`Set::affine_hull`].
    pub fn affine_hull(&self, b: &Budget) -> Outcome<UnionMap> {
        self.map_maps(|map| map.affine_hull(b))
    }
}
