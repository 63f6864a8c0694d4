//! Affine hulls over the integers.
//!
//! The affine hull of a conjunction is described by the equalities over its variables *and divisions* that hold on all
//! integer points. Once they are known, the divisions are mere integers again, as locals are: `i = 4 floor(i / 4)` leaves "`i` is a
//! multiple of 4", and `i = 2 floor(j / 3)` leaves "`i` is even". The hull of several conjunctions is the smallest affine
//! lattice that contains the integer points of their hulls: those of `i = 0` and `i mod 6 = 4` generate "`i` is even".
//!
//! The hull is found from below (Karr, *Affine relationships among variables of a program*, 1976, with integer points as
//! the generators): starting with one integer point, a point off the present hull is looked for in each direction that
//! the equalities leave open; mostly a neighbour of the first point does. A direction without such a point is a new
//! equality. For example `{ [i, j] : 2j <= i <= 2j + 1 and i mod 2 = 0 }` has the point (0, 0), with 0 for the division,
//! and the neighbour (2, 1), with 1; no point has `i != 2j`, so that the hull is `{ [i, j] : i = 2j }`.

use super::conj::Conj;
use super::row;
use super::{Map, Set, UnionMap, UnionSet, guess, pieces};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, RowHermite, dot, kernel, rank, row_hermite, solve, unit, zeros};
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
        let (n_vars, n_all) = (simple.n_vars(), simple.n_cols() - 1);
        if simple.ineqs.is_empty() && n_vars == n_all {
            return Ok(simple);
        }
        let Some(span) = span(&simple.system(), b)? else {
            return Ok(Conj::empty(n_vars));
        };
        let eqs = if span.by_equalities {
            simple.eqs
        } else {
            equalities(&span.point, span.directions, n_all)
        };
        free_divs(n_vars, n_all - n_vars, eqs, b)
    }
}

/// The smallest affine lattice that contains the affine hulls of the conjunctions.
pub(super) fn affine_hull(pieces: &[Conj], n_vars: usize, b: &Budget) -> Outcome<Conj> {
    if let [one] = pieces {
        return one.affine_hull(b);
    }
    let Some(Span { point, directions, .. }) = joined(pieces, n_vars, b)? else {
        return Ok(Conj::empty(n_vars));
    };
    b.spend((directions.len() * n_vars) as u64)?;
    let steps = directions.iter().map(|d| Row::from(&d[..n_vars])).collect();
    let RowHermite { form, pivots, .. } = row_hermite(&Matrix::new(steps, n_vars));
    let basis = &form.rows[..pivots.len()];
    // x = point + sum of z_k * basis k, for some integers z.
    let mut eqs = Vec::with_capacity(n_vars);
    for var in 0..n_vars {
        let mut row = zeros(1 + n_vars);
        (row[0], row[1 + var]) = (-&point[var], Int::ONE);
        row.extend(basis.iter().map(|v| -&v[var]));
        eqs.push(row);
    }
    free_divs(n_vars, basis.len(), eqs, b)
}

/// The affine lattice that the points of all conjunctions generate, with the values of the divisions of all of them. For
/// each conjunction these are all integer points of the affine span.
fn joined(pieces: &[Conj], n_vars: usize, b: &Budget) -> Outcome<Option<Span>> {
    let pieces = pieces::explicit(pieces, b)?;
    let mut all = Conj::universe(n_vars);
    let cols: Vec<Vec<usize>> = pieces.iter().map(|piece| all.import_divs(piece)).collect();
    let mut hull: Option<Span> = None;
    for (piece, cols) in pieces.iter().zip(&cols) {
        let mut own = all.clone();
        piece.eqs.iter().for_each(|r| own.add_eq(all.import_row(r, cols)));
        piece.ineqs.iter().for_each(|r| own.add_ineq(all.import_row(r, cols)));
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
    Ok(hull)
}

/// The equalities that hold on `point` plus all combinations of `directions`.
fn equalities(point: &Row, directions: Vec<Row>, n: usize) -> Vec<Row> {
    let normals = kernel(&Matrix::new(directions, n));
    normals.rows.iter().map(|normal| relative(normal, point)).collect()
}

/// The values of the first `n_vars` variables for which there are integers for the others that satisfy the equalities.
fn free_divs(n_vars: usize, n_divs: usize, eqs: Vec<Row>, b: &Budget) -> Outcome<Conj> {
    let mut conj = Conj::universe(n_vars + n_divs);
    eqs.into_iter().for_each(|eq| conj.add_eq(eq));
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
    let Some(point) = some_point(&open, b)? else {
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

/// An integer point of the inequalities: a guessed one, if that is one.
fn some_point(system: &System, b: &Budget) -> Outcome<Option<Row>> {
    b.spend(1)?;
    match guess::point_of(&system.ineqs, system.n) {
        Some(point) => Ok(Some(point)),
        None => integer::sample(system, b),
    }
}

/// A basis of the integer vectors in the span of the differences of integer points, one of which is `point`; None if these
/// are all integer vectors.
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
    if directions.len() == n {
        return Ok(None);
    }
    // A point that has all neighbours in the positive directions says the same.
    let mut roomy = system.clone();
    for row in &mut roomy.ineqs {
        let falls: Int = row[1..].iter().filter(|a| a.is_neg()).fold(Int::ZERO, |sum, a| sum + a);
        row[0] += falls;
    }
    if some_point(&roomy, b)?.is_some() {
        return Ok(None);
    }
    // Normals that are constant on all points.
    let mut constant: Vec<Row> = Vec::new();
    loop {
        let normals = kernel(&Matrix::new(directions.clone(), n));
        if normals.rows.len() == constant.len() {
            // The points found may be multiples of the smallest steps apart.
            return Ok((!constant.is_empty()).then(|| kernel(&normals).rows));
        }
        let normals = normals.rows;
        let is_new = |normal: &&Row| {
            let mut rows = constant.clone();
            rows.push((*normal).clone());
            rank(&Matrix::new(rows, n)) > constant.len()
        };
        let normal = normals
            .iter()
            .find(is_new)
            .expect("more normals than constant ones")
            .clone();
        match off(system, point, &normal, &constant, b)? {
            Some(other) => directions.push(other.iter().zip(point).map(|(x, y)| x - y).collect()),
            None => constant.push(normal),
        }
    }
}

/// `normal . (y - point)`, as a row.
fn relative(normal: &[Int], point: &Row) -> Row {
    let mut row = zeros(1);
    row[0] = -dot(normal, point);
    row.extend(normal.iter().cloned());
    row
}

/// A point where `normal` has not the value that it has at `point`, as `constant` have everywhere.
fn off(system: &System, point: &Row, normal: &Row, constant: &[Row], b: &Budget) -> Outcome<Option<Row>> {
    for sign in [1, -1] {
        let mut row: Row = relative(normal, point).iter().map(|x| x * &Int::from(sign)).collect();
        row[0] -= Int::ONE;
        let mut beyond = system.clone();
        beyond.eqs.extend(constant.iter().map(|normal| relative(normal, point)));
        beyond.ineqs.push(row);
        if let Some(other) = integer::sample(&beyond, b)? {
            return Ok(Some(other));
        }
    }
    Ok(None)
}

impl Set {
    /// The smallest affine lattice, a point plus all integer combinations of some directions, that contains the affine
    /// hulls of the conjunctions: `{ i : i mod 6 = 1 or i mod 9 = 4 }` has the hull `{ i : i mod 3 = 1 }`. It is one
    /// conjunction of equalities and congruences.
    ///
    /// The hull of a single conjunction is as small as its divisions show: `{ x : exists q : E(x, q) = 0 }` where
    /// `E(x, q) = 0` are all equalities that hold on all `x` with the values `q` of the divisions.
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
