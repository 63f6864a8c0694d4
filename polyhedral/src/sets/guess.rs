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

/// The rows of a conjunction one after the other, equalities first.
struct Rows {
    width: usize,
    n_eqs: usize,
    data: Vec<i64>,
}

impl Rows {
    fn of<'a>(rows: impl Iterator<Item = &'a Row>, n_eqs: usize, width: usize) -> Option<Rows> {
        let mut data = Vec::with_capacity(16 * width);
        for row in rows {
            data.push(small(&row[0], MAX_CONSTANT)?);
            for x in &row[1..] {
                data.push(small(x, MAX_COEFFICIENT)?);
            }
        }
        Some(Rows { width, n_eqs, data })
    }

    fn iter(&self) -> impl Iterator<Item = (bool, &[i64])> {
        let is_eq = |(i, row)| (i < self.n_eqs, row);
        self.data.chunks_exact(self.width).enumerate().map(is_eq)
    }
}

fn small(x: &Int, limit: i64) -> Option<i64> {
    x.to_i64().filter(|x| x.unsigned_abs() < limit as u64)
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

fn search(conj: &Conj, eqs: &[&Row]) -> Option<Vec<i64>> {
    let n_vars = conj.n_vars;
    if conj.n_cols() > MAX_WIDTH {
        return None;
    }
    let rows = Rows::of(eqs.iter().copied().chain(&conj.ineqs), eqs.len(), conj.n_cols())?;
    let nums = Rows::of(conj.divs.iter().map(|d| &d.num), 0, conj.n_cols())?;
    let dens: Vec<i64> = conj
        .divs
        .iter()
        .map(|d| small(&d.den, MAX_COORDINATE))
        .collect::<Option<_>>()?;
    let mut point = vec![0; conj.n_cols() - 1];
    let mut values = Vec::with_capacity(rows.data.len() / rows.width);
    for _ in 0..=2 * n_vars {
        for (div, ((_, num), den)) in nums.iter().zip(&dens).enumerate() {
            let floor = value(num, &point).div_euclid(*den);
            if floor.abs() >= MAX_COORDINATE {
                return None;
            }
            point[n_vars + div] = floor;
        }
        values.clear();
        values.extend(rows.iter().map(|(_, row)| value(row, &point)));
        let violated = rows
            .iter()
            .zip(&values)
            .find(|((is_eq, _), v)| is_violated(*is_eq, **v));
        let Some(((is_eq, row), &off)) = violated else {
            return Some(point);
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
            let after = rows.iter().zip(&values);
            after
                .filter(|((is_eq, row), v)| is_violated(*is_eq, **v + row[1 + var] * by))
                .count()
        };
        let (var, by) = (0..n_vars)
            .filter_map(|var| change(var).map(|by| (var, by)))
            .filter(|(_, by)| by.abs() < MAX_COORDINATE)
            .min_by_key(|&(var, by)| (left_violated(var, by), by.abs()))?;
        point[var] += by;
        if point[var].abs() >= MAX_COORDINATE {
            return None;
        }
    }
    None
}
