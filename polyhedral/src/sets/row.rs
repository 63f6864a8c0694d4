//! Operations on the rows of constraint systems.

use crate::int::Int;
use crate::linalg::{Row, content, zeros};

/// Whether all entries are zero.
pub(crate) fn is_zero(row: &[Int]) -> bool {
    row.iter().all(Int::is_zero)
}

/// The row with all signs changed.
pub(crate) fn negated(row: &[Int]) -> Row {
    row.iter().map(|x| -x).collect()
}

/// The negation of `row >= 0` over the integers: `-row - 1 >= 0`.
pub(crate) fn complement(row: &[Int]) -> Row {
    let mut row = negated(row);
    row[0] -= Int::ONE;
    row
}

/// The row of `n` entries to which entry `k` of `row` contributes in column `cols[k]`.
pub(crate) fn spread(row: &[Int], cols: &[usize], n: usize) -> Row {
    let mut out = zeros(n);
    let entries: &mut [Int] = &mut out;
    for (x, &col) in row.iter().zip(cols) {
        if !x.is_zero() {
            entries[col] += x;
        }
    }
    out
}

/// Adds `factor * other` to `row`. `other` may be shorter.
pub(crate) fn add_scaled(row: &mut [Int], factor: &Int, other: &[Int]) {
    if factor.is_zero() {
        return;
    }
    for (x, y) in row.iter_mut().zip(other) {
        if !y.is_zero() {
            x.add_mul(factor, y);
        }
    }
}

/// Multiplies all entries by `factor`.
pub(crate) fn scale(row: &mut [Int], factor: &Int) {
    if !factor.is_one() {
        for x in row {
            *x *= factor;
        }
    }
}

/// Makes column `col` of `row` zero by adding a multiple of the equality `pivot`, of which that column is not zero,
/// after scaling `row` by a positive factor. Returns whether the row has changed.
#[inline]
pub(crate) fn eliminate(row: &mut [Int], pivot: &[Int], col: usize) -> bool {
    let changes = !row[col].is_zero();
    if changes {
        eliminate_nonzero(row, pivot, col);
    }
    changes
}

fn eliminate_nonzero(row: &mut [Int], pivot: &[Int], col: usize) {
    if pivot[col].is_unit() {
        let factor = if pivot[col].is_neg() {
            row[col].clone()
        } else {
            -&row[col]
        };
        return add_scaled(row, &factor, pivot);
    }
    let g = row[col].gcd(&pivot[col]);
    let mut factor = -row[col].div_exact(&g);
    let mut own = pivot[col].div_exact(&g);
    if own.is_neg() {
        own = -own;
        factor = -factor;
    }
    scale(row, &own);
    add_scaled(row, &factor, pivot);
}

/// Makes column `col` of `row`, a multiple of that of the equality `pivot`, zero by adding a multiple of `pivot`.
pub(crate) fn eliminate_exactly(row: &mut [Int], pivot: &[Int], col: usize) {
    if !row[col].is_zero() {
        let factor = -row[col].div_exact(&pivot[col]);
        add_scaled(row, &factor, pivot);
    }
}

/// Whether a coefficient is 1 or -1, so that the coefficients have no common divisor.
#[inline]
fn has_unit(row: &[Int]) -> bool {
    row[1..].iter().any(Int::is_unit)
}

/// Divides an equality by the common divisor of its coefficients. False if it has no integer solution.
pub(crate) fn normalize_eq(row: &mut [Int]) -> bool {
    if has_unit(row) {
        return true;
    }
    let g = content(&row[1..]);
    if g.is_one() {
        return true;
    }
    if g.is_zero() {
        return row[0].is_zero();
    }
    if !row[0].divisible_by(&g) {
        return false;
    }
    for x in row {
        *x = x.div_exact(&g);
    }
    true
}

/// Divides an inequality by the common divisor of its coefficients, rounding the constant down. False if it has no
/// solution.
pub(crate) fn normalize_ineq(row: &mut [Int]) -> bool {
    if has_unit(row) {
        return true;
    }
    let g = content(&row[1..]);
    if g.is_one() {
        return true;
    }
    if g.is_zero() {
        return !row[0].is_neg();
    }
    row[0] = row[0].div_floor(&g);
    for x in &mut row[1..] {
        *x = x.div_exact(&g);
    }
    true
}

/// The value of the affine expression `row` at `point`, which may be longer.
pub(crate) fn eval(row: &[Int], point: &[Int]) -> Int {
    let mut value = row[0].clone();
    for (a, x) in row[1..].iter().zip(point) {
        value.add_mul(a, x);
    }
    value
}
