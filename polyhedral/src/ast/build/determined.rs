//! Values of a schedule dimension that only integers determine.
//!
//! # Definitions
//!
//! Constraints on the last dimension `i`, and on divisions of it and existentially quantified variables, all of which are the
//! *inner* variables `y` here, are rows `h(p) + a y >= 0` with an *outer* part `h` over parameters and outer dimensions. Where two
//! rows are
//!
//! ```text
//! 0 <= h(p) + g (c y) <= k     with k < g
//! ```
//!
//! there is only one multiple of `g` in the range, so that `c y = -floor(h(p) / g)`. This puts an inner variable of coefficient 1
//! in terms of the others, after which other rows may come in such pairs.
//!
//! For example, where `0 <= a <= 2` and `0 <= s - 4 a - 12 q <= 3`, the second says `a + 3 q = floor(s / 4)`; with that `a` put in, the
//! first says `0 <= floor(s / 4) - 3 q <= 2`, hence `q = floor(floor(s / 4) / 3)`, and `a = floor(s / 4) - 3 floor(s / 12)`.

use crate::ast::build::bounds::without_last;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Aff, Conj, Expr, Set, negated};

/// `outer + inner y`.
#[derive(Clone, Debug)]
struct Split {
    /// Over the dimensions without the last.
    outer: Aff,
    /// A coefficient for each inner variable; the last dimension is the first.
    inner: Row,
}

/// The value of the last dimension of the set, over the space without it, where pairs of inequalities on inner variables determine
/// it; only sets of one conjunction are looked at.
pub(super) fn determined(set: &Set, b: &Budget) -> Outcome<Option<Aff>> {
    let [conj] = set.pieces() else { return Ok(None) };
    let Some(mut rows) = split(set, conj) else {
        return Ok(None);
    };
    let mut values: Vec<Option<Split>> = vec![None; rows.first().map_or(0, |row| row.inner.len())];
    while let Some((var, value)) = next_value(&rows, b)? {
        for row in rows.iter_mut().chain(values.iter_mut().flatten()) {
            put_in(row, var, &value);
        }
        values[var] = Some(value);
        if let Some(Some(last)) = values.first()
            && last.inner.iter().all(Int::is_zero)
        {
            return Ok(Some(last.outer.clone()));
        }
    }
    Ok(None)
}

/// The constraints on inner variables, equalities as two of them; `None` where the last dimension is the only such variable.
fn split(set: &Set, conj: &Conj) -> Option<Vec<Split>> {
    let last = conj.n_vars();
    let dependent = conj.dependent_divs(|var| var + 1 >= last);
    let first_div = conj.n_cols() - conj.n_divs();
    let divs = (0..conj.n_divs())
        .filter(|div| dependent[*div])
        .map(|div| first_div + div);
    let inner: Vec<usize> = (last..=last + conj.n_locals()).chain(divs).collect();
    if inner.len() < 2 {
        return None;
    }
    // The outer divisions alone, and where each column went.
    let mut outer = Conj::universe(last);
    let mut column_of: Vec<Option<usize>> = (0..first_div).map(|column| (column < last).then_some(column)).collect();
    for (div, depends) in conj.divs().iter().zip(dependent) {
        let moved = (!depends).then(|| moved(&div.num, &column_of, outer.n_cols()));
        column_of.push(moved.map(|num| 1 + last + outer.add_div(num, div.den.clone())));
    }
    let system = conj.system();
    let halves = system.eqs.iter().flat_map(|row| [row.clone(), negated(row)]);
    let split = |row: Row| {
        let own = moved(&row, &column_of, outer.n_cols());
        Split {
            outer: without_last(&Aff::from_expr(set.space().clone(), Expr::over(&outer, own))),
            inner: inner.iter().map(|column| row[*column].clone()).collect(),
        }
    };
    let rows = halves.chain(system.ineqs.iter().cloned()).map(split);
    Some(rows.filter(|row| row.inner.iter().any(|c| !c.is_zero())).collect())
}

/// The row in other columns, `n` of them, without those that have none.
fn moved(row: &Row, column_of: &[Option<usize>], n: usize) -> Row {
    let mut moved = zeros(n);
    for (coefficient, column) in row.iter().zip(column_of) {
        if let Some(column) = column {
            moved[*column] = coefficient.clone();
        }
    }
    moved
}

/// An inner variable that is determined by a pair of rows and the other inner variables, and what it is; the last dimension only where
/// there is no other.
fn next_value(rows: &[Split], b: &Budget) -> Outcome<Option<(usize, Split)>> {
    for (position, row) in rows.iter().enumerate() {
        b.spend(1 + (rows.len() - position) as u64)?;
        let common = row.inner.iter().fold(Int::ZERO, |gcd, c| gcd.gcd(c));
        let unit = |var: &usize| row.inner[*var].abs() == common;
        let Some(var) = (0..row.inner.len()).rev().find(unit).filter(|_| !common.is_zero()) else {
            continue;
        };
        let is_other_half = |other: &Split| {
            let opposite = row.inner.iter().zip(&other.inner).all(|(c, d)| *c == -d);
            opposite
                && row
                    .outer
                    .add(&other.outer)
                    .as_constant()
                    .is_some_and(|range| range < common)
        };
        if !rows[position + 1..].iter().any(is_other_half) {
            continue;
        }
        // `c y = -floor(h / g)`, with the coefficient 1 or -1 for the variable.
        let sign = row.inner[var].div_exact(&common);
        let mut inner: Row = row.inner.iter().map(|c| -(c.div_exact(&common) * &sign)).collect();
        inner[var] = Int::ZERO;
        let outer = row.outer.floor_div(&common).neg().scale(&sign);
        return Ok(Some((var, Split { outer, inner })));
    }
    Ok(None)
}

/// The row with the variable replaced by its value.
fn put_in(row: &mut Split, var: usize, value: &Split) {
    let factor = std::mem::take(&mut row.inner[var]);
    if factor.is_zero() {
        return;
    }
    row.outer = row.outer.add(&value.outer.scale(&factor));
    let mut inner = zeros(row.inner.len());
    for (at, (own, put)) in inner.iter_mut().zip(row.inner.iter().zip(&value.inner)) {
        *at = own + &(put * &factor);
    }
    row.inner = inner;
}
