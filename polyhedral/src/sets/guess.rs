//! A point of a conjunction, guessed.
//!
//! Most conjunctions that are not empty have a point close to the origin. From there the search changes one variable at
//! a time so that a violated constraint holds: of all the variables that could do it, the one that leaves the fewest
//! constraints violated. In `{ (n, i) : 0 <= i < n }` the origin violates `i < n`; lowering `i` to -1 would violate
//! `0 <= i`, raising `n` to 1 violates nothing. The search is short and proves nothing where it fails.

use super::conj::Conj;
use crate::int::Int;
use crate::linalg::Row;

/// Larger numbers are not worth the while. As it is, the value of a row is less than
/// `MAX_CONSTANT + MAX_WIDTH * MAX_COEFFICIENT * MAX_COORDINATE = 2^59 + 2^61`, and so is that after a change of one
/// variable by less than `MAX_COORDINATE`: an `i64` holds it.
const MAX_COEFFICIENT: i64 = 1 << 20;
const MAX_COORDINATE: i64 = 1 << 33;
const MAX_CONSTANT: i64 = 1 << 59;
const MAX_WIDTH: usize = 1 << 8;

/// Rows of small numbers, constants first, one after the other; equalities before inequalities.
pub(super) struct Rows {
    width: usize,
    n_eqs: usize,
    data: Vec<i64>,
}

impl Rows {
    /// No rows, of one constant and `width - 1` columns.
    pub(super) fn new(width: usize) -> Rows {
        Rows {
            width,
            n_eqs: 0,
            data: Vec::with_capacity(16 * width),
        }
    }

    /// The rows of all constraints of the conjunction, but of no divisions; `None` if there are large numbers.
    pub(super) fn of(conj: &Conj) -> Option<Rows> {
        let mut rows = Rows::new(conj.n_cols());
        conj.eqs.iter().try_for_each(|row| rows.add_eq(numbers(row)))?;
        conj.ineqs.iter().try_for_each(|row| rows.add_ineq(numbers(row)))?;
        Some(rows)
    }

    /// Adds an equality; `None` if a number of it is large.
    ///
    /// # Panics
    ///
    /// If there are inequalities, or the row is not as wide as the others.
    pub(super) fn add_eq(&mut self, row: impl Iterator<Item = Option<i64>>) -> Option<()> {
        assert_eq!(self.data.len(), self.n_eqs * self.width, "equalities come first");
        self.n_eqs += 1;
        self.add_ineq(row)
    }

    /// Adds an inequality; `None` if a number of it is large.
    ///
    /// # Panics
    ///
    /// If the row is not as wide as the others.
    pub(super) fn add_ineq(&mut self, row: impl Iterator<Item = Option<i64>>) -> Option<()> {
        let start = self.data.len();
        for x in row {
            let limit = if self.data.len() == start {
                MAX_CONSTANT
            } else {
                MAX_COEFFICIENT
            };
            self.data.push(x.filter(|x| x.unsigned_abs() < limit as u64)?);
        }
        assert_eq!(self.data.len(), start + self.width, "rows are of one width");
        Some(())
    }

    /// The rows, and whether they are equalities.
    pub(super) fn iter(&self) -> impl Iterator<Item = (bool, &[i64])> {
        let is_eq = |(i, row)| (i < self.n_eqs, row);
        self.data.chunks_exact(self.width).enumerate().map(is_eq)
    }

    /// Whether some of the first steps of the search come to a point.
    pub(super) fn have_point(&self, steps: usize) -> bool {
        self.point(steps).is_some()
    }

    /// The point that some of the first steps of the search come to.
    fn point(&self, steps: usize) -> Option<Vec<i64>> {
        let mut point = vec![0; self.width - 1];
        let mut values = self.values(&point);
        for _ in 0..steps {
            match self.step(&mut point, self.width - 1, &mut values) {
                Step::Arrived => return Some(point),
                Step::Closer => {}
                Step::Lost => return None,
            }
        }
        None
    }

    /// The values of the rows at a point.
    fn values(&self, point: &[i64]) -> Vec<i64> {
        self.iter().map(|(_, row)| value(row, point)).collect()
    }

    /// Changes one of the first `n_vars` columns of the point, at which the rows have these values, and the values with it.
    fn step(&self, point: &mut [i64], n_vars: usize, values: &mut [i64]) -> Step {
        let violated = self
            .iter()
            .zip(&*values)
            .find(|((is_eq, _), v)| is_violated(*is_eq, **v));
        let Some(((is_eq, row), &off)) = violated else {
            return Step::Arrived;
        };
        // The changes of one variable after which this constraint holds.
        let change = |var: usize| {
            let a = row[1 + var];
            match a {
                0 => None,
                _ if is_eq => (off % a == 0).then(|| -off / a),
                _ => Some((-off + a.abs() - 1) / a.abs() * a.signum()),
            }
        };
        let left_violated = |var: usize, by: i64| {
            let after = self.iter().zip(&*values);
            after
                .filter(|((is_eq, row), v)| is_violated(*is_eq, **v + row[1 + var] * by))
                .count()
        };
        let best = (0..n_vars)
            .filter_map(|var| change(var).map(|by| (var, by)))
            .filter(|(_, by)| by.abs() < MAX_COORDINATE)
            .min_by_key(|&(var, by)| (left_violated(var, by), by.abs()));
        let Some((var, by)) = best else { return Step::Lost };
        point[var] += by;
        for (value, (_, row)) in values.iter_mut().zip(self.iter()) {
            *value += row[1 + var] * by;
        }
        match point[var].abs() < MAX_COORDINATE {
            true => Step::Closer,
            false => Step::Lost,
        }
    }
}

/// What comes of a step of the search.
enum Step {
    /// The point satisfies all rows: it was not changed.
    Arrived,
    Closer,
    /// There is nothing to change, or the point is too far away.
    Lost,
}

/// The numbers of a row, as far as they are small.
pub(super) fn numbers(row: &Row) -> impl Iterator<Item = Option<i64>> + '_ {
    row.iter().map(Int::to_i64)
}

fn value(row: &[i64], point: &[i64]) -> i64 {
    row[0] + row[1..].iter().zip(point).map(|(a, x)| a * x).sum::<i64>()
}

fn is_violated(is_eq: bool, value: i64) -> bool {
    if is_eq { value != 0 } else { value < 0 }
}

/// Whether a point was found that satisfies the conjunction with only the equalities `eqs` of it. If not, there may still
/// be one.
pub(super) fn has_point(conj: &Conj, eqs: &[&Row]) -> bool {
    search(conj, eqs).is_some()
}

/// A point of the inequalities over `n` variables, if one was found.
pub(super) fn point_of(ineqs: &[Row], n: usize) -> Option<Row> {
    if n >= MAX_WIDTH {
        return None;
    }
    let mut rows = Rows::new(1 + n);
    ineqs.iter().try_for_each(|row| rows.add_ineq(numbers(row)))?;
    let point = rows.point(1 + 2 * n)?;
    Some(point.into_iter().map(Int::from).collect())
}

fn search(conj: &Conj, eqs: &[&Row]) -> Option<Vec<i64>> {
    let n_vars = conj.n_vars;
    if conj.n_cols() > MAX_WIDTH {
        return None;
    }
    let mut rows = Rows::new(conj.n_cols());
    eqs.iter().try_for_each(|row| rows.add_eq(numbers(row)))?;
    conj.ineqs.iter().try_for_each(|row| rows.add_ineq(numbers(row)))?;
    let mut nums = Rows::new(conj.n_cols());
    conj.divs.iter().try_for_each(|div| nums.add_ineq(numbers(&div.num)))?;
    let dens: Vec<i64> = conj
        .divs
        .iter()
        .map(|d| d.den.to_i64().filter(|den| *den < MAX_COORDINATE))
        .collect::<Option<_>>()?;
    let mut point = vec![0; conj.n_cols() - 1];
    let mut values = rows.values(&point);
    for _ in 0..=2 * n_vars {
        for (div, ((_, num), den)) in nums.iter().zip(&dens).enumerate() {
            let floor = value(num, &point).div_euclid(*den);
            if floor.abs() >= MAX_COORDINATE {
                return None;
            }
            point[n_vars + div] = floor;
        }
        if !dens.is_empty() {
            values = rows.values(&point);
        }
        match rows.step(&mut point, n_vars, &mut values) {
            Step::Arrived => return Some(point),
            Step::Closer => {}
            Step::Lost => return None,
        }
    }
    None
}
