//! Bounds of a schedule dimension as expressions in the dimensions outside (P1 section 5.3.3).

use crate::ast::build::executed::{divs_on_last, schedule_space, without_divs_on_last};
use crate::ast::build::strides::Progression;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Aff, Conj, Expr, MultiAff, Set, negated};
use crate::solver::integer::IntOptimum;

/// Which end of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Lower,
    Upper,
}

/// A superset of which bounds can be made: without locals, and without divisions of the last dimension.
pub(super) fn shape(set: &Set, b: &Budget) -> Outcome<Set> {
    let shapes = set.pieces().iter().map(|piece| match piece.n_locals() {
        0 => without_divs_on_last(piece, b),
        _ => without_divs_on_last(&piece.eliminate_rational(0, 0, b)?, b),
    });
    let shapes: Vec<Conj> = shapes.collect::<Outcome<_>>()?;
    Ok(Set::from_conjs(set.space().clone(), shapes))
}

/// What all conjunctions of the set say, as far as bounds can be made of it.
pub(super) fn hull(set: &Set, b: &Budget) -> Outcome<Set> {
    shape(set, b)?.unshifted_simple_hull(b)
}

/// The bounds that the constraints of a set of one conjunction give its last dimension, over the space without it; of an
/// equality both.
pub(super) fn bounds(set: &Set, side: Side) -> Vec<Aff> {
    let mut bounds: Vec<Aff> = Vec::new();
    for conj in set.pieces() {
        for row in rows_on_last(conj, side) {
            let bound = bound(&row, conj, set);
            if !bounds.contains(&bound) {
                bounds.push(bound);
            }
        }
    }
    bounds
}

/// The inequalities that bound the last variable on the side, with halves of equalities.
fn rows_on_last(conj: &Conj, side: Side) -> Vec<Row> {
    debug_assert!(
        divs_on_last(conj).is_empty(),
        "bounds without divisions of the dimension"
    );
    let last = conj.n_vars();
    let halves = conj.eqs().iter().flat_map(|row| [row.clone(), negated(row)]);
    let is_bound = |row: &Row| match side {
        Side::Lower => row[last].is_pos(),
        Side::Upper => row[last].is_neg(),
    };
    halves.chain(conj.ineqs().iter().cloned()).filter(is_bound).collect()
}

/// `ceil(-h / v)` for a row `h + v i` with `v > 0`, and `floor(h / v)` for `h - v i`.
fn bound(row: &Row, conj: &Conj, set: &Set) -> Aff {
    let last = conj.n_vars();
    let mut rest = row.clone();
    let coefficient = std::mem::take(&mut rest[last]);
    let rest = Aff::from_expr(set.space().clone(), Expr::over(conj, rest));
    let quotient = rest.floor_div(&coefficient.abs());
    without_last(&match coefficient.is_pos() {
        true => quotient.neg(),
        false => quotient,
    })
}

/// The expression, which does not depend on the last dimension of its space, over the space without that.
pub(super) fn without_last(aff: &Aff) -> Aff {
    let n = aff.space().tuple.n() - 1;
    let outer = schedule_space(&aff.space().params, n);
    let mut affs: Vec<Aff> = (0..n).map(|dim| Aff::var(outer.clone(), dim)).collect();
    affs.push(Aff::constant(outer.clone(), Int::ZERO));
    aff.pullback(&MultiAff::new(outer, aff.space().tuple.clone(), affs))
}

/// The expression over the space with one more dimension, the last.
pub(super) fn with_last(aff: &Aff) -> Aff {
    let n = aff.space().tuple.n();
    aff.insert_dims(n, 1, crate::sets::Tuple::anonymous(n + 1))
}

/// `{ x : x_last = value }` for an expression over the space without the last dimension.
pub(super) fn fixed(value: &Aff) -> Set {
    let value = with_last(value);
    let space = value.space().clone();
    let last = space.tuple.n() - 1;
    Aff::var(space, last).eq_set(&value)
}

/// The least value of the progression that is not below `bound`.
pub(super) fn on_progression(bound: &Aff, progression: &Progression, known: &Set, b: &Budget) -> Outcome<Aff> {
    let Progression::Strided { step, offset } = progression else {
        return Ok(bound.clone());
    };
    let offset = without_last(offset);
    let distance = bound.sub(&offset);
    let off = known.subtract(
        &distance
            .modulo(step)
            .eq_set(&Aff::constant(known.space().clone(), Int::ZERO)),
        b,
    )?;
    if off.is_empty(b)? {
        return Ok(bound.clone());
    }
    let steps = distance.neg().floor_div(step).neg();
    Ok(offset.add(&steps.scale(step)))
}

/// A lower bound of the last dimension, on its progression, from which the values are at most `steps - 1` steps of the progression
/// away, and that number; the one with the fewest. `None` where there is no such bound.
///
/// `bounds` is one conjunction, `domain` the values.
pub(super) fn closest_lower_bound(
    bounds: &Set,
    domain: &Set,
    progression: &Progression,
    known: &Set,
    b: &Budget,
) -> Outcome<Option<(Aff, i64)>> {
    let [conj] = bounds.pieces() else { return Ok(None) };
    let last = conj.n_vars();
    let step = match progression {
        Progression::Strided { step, .. } => step.clone(),
        _ => Int::ONE,
    };
    let mut best: Option<(Row, i64)> = None;
    for row in rows_on_last(conj, Side::Lower) {
        let Some(distance) = largest(&row, conj, domain, b)? else {
            continue;
        };
        // The row is `v i + h`: a value is at most `distance / v` above `ceil(-h / v)`.
        let steps = distance.div_floor(&row[last]).div_floor(&step);
        let Some(steps) = steps.to_i64().and_then(|steps| steps.checked_add(1)) else {
            continue;
        };
        if best.as_ref().is_none_or(|(_, fewest)| steps < *fewest) {
            best = Some((row, steps));
        }
    }
    let Some((row, steps)) = best else { return Ok(None) };
    let bound = on_progression(&bound(&row, conj, bounds), progression, known, b)?;
    Ok(Some((bound, steps)))
}

/// The largest value of a row of `conj` on `domain`, if there is one.
fn largest(row: &Row, conj: &Conj, domain: &Set, b: &Budget) -> Outcome<Option<Int>> {
    let mut largest: Option<Int> = None;
    for piece in domain.pieces() {
        // The value becomes a variable, so that it does not matter how columns are merged.
        let n = conj.n_vars();
        let mut with_value = conj.insert_vars(n, 1);
        let mut equation = zeros(with_value.n_cols());
        equation[..=n].clone_from_slice(&row[..=n]);
        equation[n + 2..].clone_from_slice(&row[n + 1..]);
        equation[n + 1] = -Int::ONE;
        with_value.add_eq(equation);
        let both = with_value.intersect(&piece.insert_vars(n, 1));
        let mut objective = zeros(both.n_cols());
        objective[n + 1] = -Int::ONE;
        match both.minimum(&objective, b)? {
            IntOptimum::Empty => {}
            IntOptimum::Unbounded => return Ok(None),
            IntOptimum::Finite(least) => {
                let value = -least;
                if largest.as_ref().is_none_or(|l| value > *l) {
                    largest = Some(value);
                }
            }
        }
    }
    Ok(largest)
}
