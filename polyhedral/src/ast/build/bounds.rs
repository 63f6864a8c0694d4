//! The bounds of a loop, what has to be checked before it and what it enforces (P1 section 5.3.3).

use crate::ast::build::AstError;
use crate::ast::build::region::{Region, widened};
use crate::ast::build::scope::Scope;
use crate::ast::expr::Expr;
use crate::ast::quasi::Quasi;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::sets::{Conj, Params};
use crate::solver::lp::{self, Optimum};

/// The values that a schedule dimension takes in a region.
pub(super) enum Range {
    /// One value for each value of the outer dimensions.
    Single(Quasi),
    /// From `lower` to `upper`, both included.
    Loop { lower: Expr, upper: Expr },
}

/// How a region becomes a loop.
pub(super) struct LoopShape {
    /// What has to hold for the loop to be entered, over the schedule space outside it.
    pub(super) guard: Conj,
    pub(super) range: Range,
    /// What holds inside, over the schedule space with the new dimension.
    pub(super) enforced: Conj,
}

/// The loop over a region.
pub(super) fn shape(region: &Region, scope: &Scope, params: &Params, b: &Budget) -> Result<LoopShape, AstError> {
    let n_outer = params.len() + scope.depth();
    let known = widened(&scope.known, n_outer + 1);
    let hull = region_hull(region, b)?;
    let needed = hull.detect_equalities(b)?.gist(&known, b)?;
    if let Some(equation) = needed.eqs().iter().find(|row| !row[1 + n_outer].is_zero()) {
        return single(equation, &needed, &known, scope, params, b);
    }
    let is_bound = |row: &Row| !row[1 + n_outer].is_zero();
    let mut bounds = subset(&needed, |row| is_bound(row));
    let mut lower = bound_expr(&bounds, Side::Lower, scope, params);
    let mut upper = bound_expr(&bounds, Side::Upper, scope, params);
    if lower.is_none() || upper.is_none() {
        // The hull of several parts may have lost a bound that each of them has.
        let shapes = shapes(region);
        lower = part_bounds(&shapes, Side::Lower, &known, scope, params, b)?;
        upper = part_bounds(&shapes, Side::Upper, &known, scope, params, b)?;
        bounds = Conj::universe(n_outer + 1);
    }
    let unbounded = |direction| AstError::Unbounded {
        dimension: scope.depth(),
        direction,
        statement: region.some_statement(),
    };
    let lower = lower.ok_or_else(|| unbounded("below"))?;
    let upper = upper.ok_or_else(|| unbounded("above"))?;
    // A loop that runs at all implies what follows from its bounds: only the rest has to be checked before it.
    let implied = scope.known.intersect(&bounds.eliminate_rational(n_outer, 1, b)?);
    let rest = subset(&needed, |row| !is_bound(row)).eliminate_rational(n_outer, 1, b)?;
    let guard = rest.gist(&implied, b)?;
    let enforced = known.intersect(&bounds).intersect(&widened(&rest, n_outer + 1));
    Ok(LoopShape {
        guard,
        range: Range::Loop { lower, upper },
        enforced,
    })
}

/// The shape where `equation` fixes the dimension.
fn single(
    equation: &Row,
    needed: &Conj,
    known: &Conj,
    scope: &Scope,
    params: &Params,
    b: &Budget,
) -> Result<LoopShape, AstError> {
    let n_outer = params.len() + scope.depth();
    let coefficient = equation[1 + n_outer].clone();
    let mut rest = equation.clone();
    rest[1 + n_outer] = Int::ZERO;
    let sign = Int::from(if coefficient.is_pos() { -1 } else { 1 });
    let numerator = scope.quasi(&rest, needed, params.len()).scaled(&sign);
    let value = numerator.floor_div(&coefficient.abs());
    let outside = needed.eliminate(n_outer, 1, b)?;
    let guard = Conj::simple_hull(&outside, b)?.gist(&scope.known, b)?;
    // The guard is all of what is needed where elimination gave one conjunction; else leaves check the rest.
    let enforced = if outside.len() == 1 {
        known.intersect(needed)
    } else {
        let mut enforced = known.intersect(&widened(&guard, n_outer + 1));
        if needed.n_divs() == 0 {
            enforced.add_eq(equation.clone());
        }
        enforced
    };
    Ok(LoopShape {
        guard,
        range: Range::Single(value),
        enforced,
    })
}

/// The region cut into one slice per value, counted from a lower bound from which the distance is bounded by a
/// constant below `limit`; `None` where there is no such bound.
pub(super) fn slices(
    region: &Region,
    scope: &Scope,
    params: &Params,
    limit: usize,
    b: &Budget,
) -> Outcome<Option<Vec<Region>>> {
    let n_outer = params.len() + scope.depth();
    let column = 1 + n_outer;
    let hull = region_hull(region, b)?;
    let mut best: Option<(i64, Row)> = None;
    for row in hull.ineqs().iter().filter(|row| row[column].is_pos()) {
        let mut largest = 0;
        for part in region.parts() {
            let shape = part.shape.intersect(&widened(&scope.known, n_outer + 1));
            match largest_distance(&shape, row, &hull, column, b)? {
                Some(distance) => largest = largest.max(distance),
                None => {
                    largest = i64::MAX;
                    break;
                }
            }
        }
        if largest < limit as i64 && best.as_ref().is_none_or(|(least, _)| largest < *least) {
            best = Some((largest, row.clone()));
        }
    }
    let Some((distance, row)) = best else { return Ok(None) };
    let mut slices = Vec::new();
    for offset in 0..=distance {
        if let Some(slice) = region.restricted(&at_distance(&hull, &row, column, offset), scope, b)? {
            slices.push(slice);
        }
    }
    Ok(Some(slices))
}

/// The largest integer distance of the last variable from the lower bound that `row` of `hull` gives, if bounded.
fn largest_distance(shape: &Conj, row: &Row, hull: &Conj, column: usize, b: &Budget) -> Outcome<Option<i64>> {
    let both = shape.intersect(hull);
    // The row's divisions come first among those of the hull; to be independent of how columns were merged, the bound
    // is restated as a fresh variable.
    let n = both.n_vars();
    let mut extended = widened(hull, n + 1);
    let mut slack = zeros(1 + n + 1 + hull.n_divs());
    slack[..=n].clone_from_slice(&row[..=n]);
    slack[n + 2..].clone_from_slice(&row[n + 1..]);
    slack[n + 1] = Int::from(-1);
    extended.add_eq(slack);
    let system = extended.intersect(&widened(&both, n + 1)).system();
    let mut objective = zeros(1 + system.n);
    objective[n + 1] = Int::from(-1);
    Ok(match lp::minimize(&system, &objective, b)? {
        Optimum::Empty => Some(0),
        Optimum::Unbounded => None,
        // The row is `a c + rest`, so that the distance of `c` from its bound is at most the value over `a`.
        Optimum::Finite { num, den } => (-num).div_floor(&(&den * &row[column])).to_i64(),
    })
}

/// `c = ceil(-rest / a) + offset` for a row `a c + rest` with positive `a`.
fn at_distance(hull: &Conj, row: &Row, column: usize, offset: i64) -> Conj {
    let mut slice = Conj::universe(hull.n_vars());
    let mut columns: Vec<usize> = (0..=hull.n_vars()).collect();
    let translate = |row: &Row, columns: &[usize], width: usize| {
        let mut result = zeros(width);
        for (at, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            result[columns[at]] += coefficient;
        }
        result
    };
    for div in hull.divs() {
        let numerator = translate(&div.num, &columns, 1 + slice.n_vars() + slice.n_divs());
        let index = slice.add_div(numerator, div.den.clone());
        columns.push(1 + slice.n_vars() + index);
    }
    let mut rest = translate(row, &columns, 1 + slice.n_vars() + slice.n_divs());
    let coefficient = std::mem::take(&mut rest[column]);
    let mut equation;
    if coefficient.is_one() {
        equation = rest;
    } else {
        let index = slice.add_div(rest, coefficient);
        equation = zeros(1 + slice.n_vars() + slice.n_divs());
        equation[1 + slice.n_vars() + index] = Int::ONE;
    }
    equation[column] = Int::ONE;
    equation[0] -= &Int::from(offset);
    slice.add_eq(equation);
    slice
}

/// The least lower and the greatest upper bound of the last variable over all shapes, if each has both.
pub(super) fn of_shapes(shapes: &[Conj], scope: &Scope, params: &Params, b: &Budget) -> Outcome<Option<(Expr, Expr)>> {
    let known = widened(&scope.known, params.len() + scope.depth() + 1);
    let lower = part_bounds(shapes, Side::Lower, &known, scope, params, b)?;
    let upper = part_bounds(shapes, Side::Upper, &known, scope, params, b)?;
    Ok(lower.zip(upper))
}

fn shapes(region: &Region) -> Vec<Conj> {
    region.parts().iter().map(|part| part.shape.clone()).collect()
}

/// A superset of the region without divisions of its last variable.
fn region_hull(region: &Region, b: &Budget) -> Outcome<Conj> {
    let shapes = shapes(region);
    let hull = if shapes.len() == 1 {
        shapes[0].clone()
    } else {
        Conj::simple_hull(&shapes, b)?
    };
    without_divs_on_last(&hull, b)
}

/// The conjunction with divisions that involve the last variable projected out over the rationals.
pub(super) fn without_divs_on_last(conj: &Conj, b: &Budget) -> Outcome<Conj> {
    let n = conj.n_vars();
    let mut dependent = vec![false; 1 + n + conj.n_divs()];
    dependent[n] = true;
    let mut moved = Vec::new();
    for (index, div) in conj.divs().iter().enumerate() {
        if div.num.iter().zip(&dependent).any(|(c, d)| *d && !c.is_zero()) {
            dependent[1 + n + index] = true;
            moved.push(index);
        }
    }
    if moved.is_empty() {
        return Ok(conj.clone());
    }
    // The divisions become variables after the others, bounded by what defines them.
    let mut result = Conj::universe(n + moved.len());
    let mut columns: Vec<usize> = (0..=n).collect();
    let translate = |row: &Row, columns: &[usize], width: usize| {
        let mut translated = zeros(width);
        for (at, coefficient) in row.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
            translated[columns[at]] += coefficient;
        }
        translated
    };
    for (index, div) in conj.divs().iter().enumerate() {
        let width = 1 + result.n_vars() + result.n_divs();
        let numerator = translate(&div.num, &columns, width);
        if let Some(position) = moved.iter().position(|m| *m == index) {
            let own = 1 + n + position;
            columns.push(own);
            let mut least = numerator.clone();
            least[own] = -&div.den;
            let mut most: Row = numerator.iter().map(|c| -c).collect();
            most[own] = div.den.clone();
            most[0] += &(&div.den - &Int::ONE);
            result.add_ineq(least);
            result.add_ineq(most);
        } else {
            let at = result.add_div(numerator, div.den.clone());
            columns.push(1 + result.n_vars() + at);
        }
    }
    let width = 1 + result.n_vars() + result.n_divs();
    conj.eqs()
        .iter()
        .for_each(|row| result.add_eq(translate(row, &columns, width)));
    conj.ineqs()
        .iter()
        .for_each(|row| result.add_ineq(translate(row, &columns, width)));
    result.simplify();
    result.eliminate_rational(n, moved.len(), b)
}

/// The constraints that `keep` selects.
fn subset(conj: &Conj, keep: impl Fn(&Row) -> bool) -> Conj {
    conj.map_constraints(|row, _| keep(row).then(|| row.clone()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lower,
    Upper,
}

/// The bound that the inequalities give the last variable, if they do.
fn bound_expr(conj: &Conj, side: Side, scope: &Scope, params: &Params) -> Option<Expr> {
    let column = conj.n_vars();
    let mut operands = Vec::new();
    for row in conj.ineqs() {
        let coefficient = &row[column];
        let mut rest = row.clone();
        rest[column] = Int::ZERO;
        let rest = scope.quasi(&rest, conj, params.len());
        match side {
            Side::Lower if coefficient.is_pos() => {
                operands.push(Expr::Quasi(rest.scaled(&Int::from(-1)).ceil_div(coefficient)));
            }
            Side::Upper if coefficient.is_neg() => operands.push(Expr::Quasi(rest.floor_div(&coefficient.abs()))),
            _ => {}
        }
    }
    if operands.is_empty() {
        return None;
    }
    Some(if side == Side::Lower {
        Expr::max(operands)
    } else {
        Expr::min(operands)
    })
}

/// The least lower or greatest upper bound over all parts, if each has one.
fn part_bounds(
    shapes: &[Conj],
    side: Side,
    known: &Conj,
    scope: &Scope,
    params: &Params,
    b: &Budget,
) -> Outcome<Option<Expr>> {
    let mut operands = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let shape = without_divs_on_last(shape, b)?.gist(known, b)?;
        let column = shape.n_vars();
        let mut inequalities = shape.clone();
        for row in shape.eqs().iter().filter(|row| !row[column].is_zero()) {
            inequalities.add_ineq(row.clone());
            inequalities.add_ineq(row.iter().map(|c| -c).collect());
        }
        match bound_expr(&inequalities, side, scope, params) {
            Some(bound) => operands.push(bound),
            None => return Ok(None),
        }
    }
    Ok(Some(if side == Side::Lower {
        Expr::min(operands)
    } else {
        Expr::max(operands)
    }))
}
