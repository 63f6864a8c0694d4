//! Strides: the values that a schedule dimension takes are those of an arithmetic progression (P1 section 5.3.1).
//!
//! # Definitions
//!
//! An equality of the integer affine hull of a schedule domain is `h(p) + k i + sum of a_j q_j = 0`, with `i` the last
//! dimension, `p` parameters and outer dimensions, and `q` integers of which nothing else is known. With `g` the greatest
//! common divisor of the `a_j` and `u = gcd(k, g)`, `v = k / u` and `s = g / u`, Bézout's `a v + b s = 1` gives
//!
//! ```text
//! i = -a h(p) / u   modulo s
//! ```
//!
//! where `h(p)` is a multiple of `u` wherever there is a value. Several of these are combined: with `g = c s1 + d s2` the
//! greatest common divisor of two strides, the offset is `(d s2 / g) o1 + (c s1 / g) o2`, modulo `s1 s2 / g`.
//!
//! For example `n - i + 6 q = 0` and `m - i + 10 r = 0` have the offsets `n` and `m` and the strides 6 and 10; together they
//! are `-5 n + 6 m` modulo 30, and that there is such a value at all implies that `n - m` is even.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Aff, Conj, Expr, Set, SetSpace};

/// What is known of the values of the last dimension of a set, for fixed values of the others.
#[derive(Clone, Debug)]
pub(super) enum Progression {
    /// It is equal to an expression, over the space of the set, that does not depend on it.
    Fixed(Aff),
    /// It is `offset + step k` for integers `k`, `step` at least 2; the offset is over the space of the set and does not
    /// depend on the dimension.
    Strided { step: Int, offset: Aff },
    /// It may be any integer.
    Any,
}

/// The progression of the last dimension, and what the equalities of the affine hull say of it, as a set.
pub(super) fn progression(domain: &Set, b: &Budget) -> Outcome<(Progression, Set)> {
    let space = domain.space();
    if domain.pieces().iter().any(|piece| !has_equality_on_last(piece)) {
        return Ok((Progression::Any, Set::universe(space.clone())));
    }
    let hull = domain.affine_hull(b)?;
    let [conj] = hull.pieces() else {
        return Ok((Progression::Any, Set::universe(space.clone())));
    };
    let last = space.n_vars();
    let on_last = conj.map_constraints(|row, _| (!row[last].is_zero()).then(|| row.clone()));
    let values = Set::from_conj(space.clone(), on_last.clone());
    let free = free_divs(conj, last - 1);
    let mut found: Option<(Int, Aff)> = None;
    for row in on_last.eqs() {
        let common = (0..free.len())
            .filter(|div| free[*div])
            .fold(Int::ZERO, |gcd, div| gcd.gcd(&row[1 + last + div]));
        if common.is_zero() {
            return Ok((Progression::Fixed(fixed_value(row, conj, space)), values));
        }
        if let Some(next) = strided_value(row, &common, &free, conj, space) {
            found = Some(match found {
                None => next,
                Some(other) => combined(&other, &next),
            });
        }
    }
    let progression = match found {
        None => Progression::Any,
        Some((step, offset)) => Progression::Strided { step, offset },
    };
    Ok((progression, values))
}

/// Whether some equality of a conjunction involves its last variable, by itself or in a division. If not, the equalities
/// leave that variable open.
fn has_equality_on_last(conj: &Conj) -> bool {
    let last = conj.n_vars();
    let first_div = conj.n_cols() - conj.n_divs();
    let mut depends = vec![false; conj.n_cols()];
    depends[last] = true;
    for (index, div) in conj.divs().iter().enumerate() {
        depends[first_div + index] = div.num.iter().zip(&depends).any(|(c, d)| *d && !c.is_zero());
    }
    let involves = |row: &Row| row.iter().zip(&depends).any(|(c, d)| *d && !c.is_zero());
    conj.eqs().iter().any(involves)
}

/// Whether equalities restrict the last variable of a conjunction, but none of them gives it a value by itself.
pub(super) fn is_strided(conj: &Conj) -> bool {
    let last = conj.n_vars();
    let dependent = conj.dependent_divs(|var| var + 1 >= last);
    let first_div = conj.n_cols() - conj.n_divs();
    let has_value = |row: &Row| {
        !row[last].is_zero()
            && row[last + 1..first_div].iter().all(Int::is_zero)
            && row[first_div..]
                .iter()
                .zip(&dependent)
                .all(|(c, depends)| !depends || c.is_zero())
    };
    has_equality_on_last(conj) && !conj.eqs().iter().any(has_value)
}

/// Which divisions stand for any integer: those that depend on variables from `first` on.
fn free_divs(conj: &Conj, first: usize) -> Vec<bool> {
    let n_vars = conj.n_vars();
    let mut free: Vec<bool> = Vec::with_capacity(conj.n_divs());
    for div in conj.divs() {
        let depends = |column: usize| match column {
            0 => false,
            column if column <= n_vars => column > first,
            column => free[column - 1 - n_vars],
        };
        let is_free = (0..div.num.len()).any(|c| c < 1 + n_vars + free.len() && !div.num[c].is_zero() && depends(c));
        free.push(is_free);
    }
    free
}

/// `-h / k` for the row `h + k i`.
fn fixed_value(row: &Row, conj: &Conj, space: &SetSpace) -> Aff {
    let last = space.n_vars();
    let mut rest = row.clone();
    let coefficient = std::mem::take(&mut rest[last]);
    let sign = Int::from(if coefficient.is_pos() { -1 } else { 1 });
    aff(&rest, conj, space).scale(&sign).floor_div(&coefficient.abs())
}

/// Stride and offset of the row, where the free divisions have the greatest common divisor `common`; `None` for the stride 1.
fn strided_value(row: &Row, common: &Int, free: &[bool], conj: &Conj, space: &SetSpace) -> Option<(Int, Aff)> {
    let last = space.n_vars();
    let u = row[last].gcd(common);
    let step = common.div_exact(&u);
    if step.is_one() {
        return None;
    }
    let (_, inverse, _) = bezout(&row[last].div_exact(&u), &step);
    let modulus = &step * &u;
    let mut rest = zeros(row.len());
    for (column, coefficient) in row.iter().enumerate() {
        let is_free = column > last && free[column - 1 - last];
        if column != last && !is_free {
            rest[column] = nearest_to_zero(&-(coefficient * &inverse), &modulus);
        }
    }
    Some((step, aff(&rest, conj, space).floor_div(&u)))
}

/// The number of least magnitude that is equal modulo `modulus`.
fn nearest_to_zero(value: &Int, modulus: &Int) -> Int {
    let rest = value.mod_floor(modulus);
    if &rest + &rest > *modulus { rest - modulus } else { rest }
}

/// The progression of the numbers that are in both.
fn combined(first: &(Int, Aff), second: &(Int, Aff)) -> (Int, Aff) {
    let ((s1, o1), (s2, o2)) = (first, second);
    let (g, c, d) = bezout(s1, s2);
    let t1 = (&d * s2).div_exact(&g);
    let t2 = (&c * s1).div_exact(&g);
    ((s1 * s2).div_exact(&g), o1.scale(&t1).add(&o2.scale(&t2)))
}

/// The greatest common divisor `g` of two numbers, and `c` and `d` with `g = c x + d y`.
fn bezout(x: &Int, y: &Int) -> (Int, Int, Int) {
    let (mut old, mut new) = ((x.clone(), Int::ONE, Int::ZERO), (y.clone(), Int::ZERO, Int::ONE));
    while !new.0.is_zero() {
        let quotient = old.0.div_floor(&new.0);
        let reduced = |a: &Int, b: &Int| a - &(&quotient * b);
        let next = (
            reduced(&old.0, &new.0),
            reduced(&old.1, &new.1),
            reduced(&old.2, &new.2),
        );
        old = std::mem::replace(&mut new, next);
    }
    match old.0.is_neg() {
        true => (-old.0, -old.1, -old.2),
        false => old,
    }
}

/// A row over the columns of `conj` as an expression.
fn aff(row: &Row, conj: &Conj, space: &SetSpace) -> Aff {
    Aff::from_expr(space.clone(), Expr::over(conj, row.clone()))
}
