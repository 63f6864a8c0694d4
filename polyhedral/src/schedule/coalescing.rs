//! Loop coalescing, and how it is avoided (P0, 7.5).
//!
//! A row that tells the values of several coordinates apart, such as `10000 i + j` where `0 <= j < 10000`, does the work
//! of two loops in one. It hides how many dimensions a schedule has, and its coefficients are large. The *size* of the
//! instances along a coordinate is the largest difference of two instances that differ in this coordinate only, and a row
//! with coefficients `c` is (nearly) coalescing if `|c_i| > ceil(S_j / 2) |c_j|` for a `c_j` that is not zero and the size
//! `S_j` along `j`. What is done about it:
//!
//! - bounds `|c_i| <= ceil(S_j / 2)` for all `j` other than `i`, where rows are found by an integer program (7.5.3);
//! - where a row has to carry dependences, `c_j = 0`, and another search (7.5.4);
//! - constraints `d_j <= S_j` and `d_j >= -S_j` on the distances that a statement has from itself, which only a coalescing
//!   row can make use of, are dropped (7.5.5).

use super::edges::Vectors;
use super::graph::ScheduleRow;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, zeros};
use crate::solver::{System, cone, lp};

/// Two points of `first` and `second`, with the same parameters: columns `[1 | parameters | rest of one | rest of other]`.
fn pair(n_params: usize, first: &System, second: &System) -> System {
    let (own, other) = (first.n - n_params, second.n - n_params);
    let n = n_params + own + other;
    let of_first = |row: &Row| {
        row.iter()
            .cloned()
            .chain((0..other).map(|_| Int::ZERO))
            .collect::<Row>()
    };
    let of_second = |row: &Row| shifted(row, n_params, own, n);
    System {
        n,
        eqs: first
            .eqs
            .iter()
            .map(of_first)
            .chain(second.eqs.iter().map(of_second))
            .collect(),
        ineqs: first
            .ineqs
            .iter()
            .map(of_first)
            .chain(second.ineqs.iter().map(of_second))
            .collect(),
    }
}

/// A row over the second point of a pair whose first point has `own` columns.
fn shifted(row: &Row, n_params: usize, own: usize, n: usize) -> Row {
    let mut all = zeros(n + 1);
    all[..1 + n_params].clone_from_slice(&row[..1 + n_params]);
    all[1 + n_params + own..][..row.len() - 1 - n_params].clone_from_slice(&row[1 + n_params..]);
    all
}

/// The largest `f(y) - f(x)`, rounded down, for `x` in `first` and `y` in `second` on which all of `equal` agree. None if
/// there is no largest; 0 if there are no such points. Functions are over `[1 | parameters | dimensions]`.
fn spread(
    n_params: usize,
    first: &System,
    second: &System,
    f: &Row,
    equal: &[&Row],
    budget: &Budget,
) -> Outcome<Option<Int>> {
    let own = first.n - n_params;
    let mut system = pair(n_params, first, second);
    let difference = |row: &Row| {
        let mut all = shifted(row, n_params, own, system.n);
        all.iter_mut().zip(row).for_each(|(a, b)| *a -= b);
        all
    };
    let equal: Vec<Row> = equal.iter().map(|row| difference(row)).collect();
    let mut objective = difference(f);
    objective.iter_mut().for_each(|a| *a = -&*a);
    system.eqs.extend(equal);
    Ok(match lp::minimize(&system, &objective, budget)? {
        lp::Optimum::Finite { num, den } => Some((-num).div_floor(&den)),
        lp::Optimum::Empty => Some(Int::ZERO),
        lp::Optimum::Unbounded => None,
    })
}

/// The size of the instances in `pieces` along each of some functions, over `[1 | parameters | dimensions]`: the largest
/// difference of two instances of a piece that differ in this function only. None if there is no largest.
pub(super) fn sizes(
    n_params: usize,
    dim: usize,
    pieces: &[System],
    functions: &[Row],
    budget: &Budget,
) -> Outcome<Vec<Option<Int>>> {
    debug_assert!(functions.iter().all(|f| f.len() == 1 + n_params + dim));
    let mut sizes = Vec::with_capacity(functions.len());
    for (axis, f) in functions.iter().enumerate() {
        let others = functions.iter().enumerate().filter(|(other, _)| *other != axis);
        let equal: Vec<&Row> = others.map(|(_, row)| row).collect();
        let mut largest = Some(Int::ZERO);
        for piece in pieces {
            if let Some(so_far) = largest {
                largest = spread(n_params, piece, piece, f, &equal, budget)?.map(|size| size.max(so_far));
            }
        }
        sizes.push(largest);
    }
    Ok(sizes)
}

/// Whether the values of `others` and of the parameters leave only one value of `f` on the instances in `pieces`.
pub(super) fn is_determined(
    n_params: usize,
    dim: usize,
    pieces: &[System],
    f: &Row,
    others: &[Row],
    budget: &Budget,
) -> Outcome<bool> {
    debug_assert!(f.len() == 1 + n_params + dim);
    let equal: Vec<&Row> = others.iter().collect();
    for first in pieces {
        for second in pieces {
            if spread(n_params, first, second, f, &equal, budget)? != Some(Int::ZERO) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Per dimension, the bound on the absolute value of its coefficient that follows from the sizes along the others.
pub(super) fn bounds(sizes: &[Option<Int>]) -> Vec<Option<Int>> {
    let bound = |axis: usize| {
        let others = sizes.iter().enumerate().filter(|(other, _)| *other != axis);
        others.filter_map(|(_, size)| size.as_ref().map(half)).min()
    };
    (0..sizes.len()).map(bound).collect()
}

fn half(size: &Int) -> Int {
    size.div_ceil(&Int::from(2))
}

/// A dimension whose coefficient makes a row (nearly) coalescing, and should be zero.
pub(super) fn coalesced(n_params: usize, row: &ScheduleRow, sizes: &[Option<Int>]) -> Option<usize> {
    let coefficients = &row[1 + n_params..];
    (0..sizes.len()).find(|&j| {
        let Some(size) = &sizes[j] else { return false };
        let limit = half(size) * coefficients[j].abs();
        let others = coefficients.iter().enumerate().filter(|(i, _)| *i != j);
        !coefficients[j].is_zero() && others.map(|(_, c)| c.abs()).any(|c| c > limit)
    })
}

/// The vectors of the distances that a statement has from itself, `[h | parameters | difference]`, without the bounds on
/// the distance along a dimension that are the statement's size there.
pub(super) fn without_size_bounds(
    n_params: usize,
    vectors: &Vectors,
    sizes: &[Option<Int>],
    budget: &Budget,
) -> Outcome<Vectors> {
    let n = 1 + n_params + sizes.len();
    if sizes.iter().all(Option::is_none) || vectors.rays.is_empty() {
        return Ok(vectors.clone());
    }
    // The constraints of a cone are the generators of its dual.
    let lines: Vec<Row> = vectors.lines.iter().cloned().collect();
    let rays: Vec<Row> = vectors.rays.iter().cloned().collect();
    let dual = cone::generators(n, &lines, &rays, budget)?;
    let is_size_bound = |row: &Row| {
        sizes.iter().enumerate().any(|(axis, size)| {
            let Some(size) = size else { return false };
            let own = &row[1 + n_params + axis];
            let rest = row
                .iter()
                .enumerate()
                .skip(1)
                .filter(|(i, _)| *i != 1 + n_params + axis);
            row[0].is_pos() && !own.is_zero() && row[0] == own.abs() * size && rest.map(|(_, a)| a).all(Int::is_zero)
        })
    };
    let kept: Vec<Row> = dual.rays.iter().filter(|row| !is_size_bound(row)).cloned().collect();
    if kept.len() == dual.rays.len() {
        return Ok(vectors.clone());
    }
    let mut ineqs = vec![crate::linalg::unit(n, 0)];
    ineqs.extend(kept);
    let wider = cone::generators(n, &dual.lines, &ineqs, budget)?;
    Ok(Vectors {
        lines: wider.lines.into_iter().collect(),
        rays: wider.rays.into_iter().collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;

    fn triangle() -> System {
        // P0, example 29: { [x, y] : x >= 0 and x <= y and x + y <= 100 }.
        System {
            n: 2,
            eqs: Vec::new(),
            ineqs: vec![row_from(&[0, 1, 0]), row_from(&[0, -1, 1]), row_from(&[100, -1, -1])],
        }
    }

    #[test]
    fn sizes_along_axes() {
        let axes = [row_from(&[0, 1, 0]), row_from(&[0, 0, 1])];
        let budget = Budget::unlimited();
        let sizes = sizes(0, 2, &[triangle()], &axes, &budget).unwrap();
        // The paper's figure takes the other axis for x: the sizes of 100 and 50 are those along y and x.
        assert_eq!(sizes, [Some(Int::from(50)), Some(Int::from(100))]);
    }

    #[test]
    fn coalescing_rows_are_recognized() {
        // P0, example 30: S[i, j] -> 10000 i + j.
        let sizes = [Some(Int::from(10000)), Some(Int::from(10000))];
        assert_eq!(coalesced(0, &row_from(&[0, 10000, 1]), &sizes), Some(1));
        assert_eq!(coalesced(0, &row_from(&[0, 5000, 1]), &sizes), None);
        assert_eq!(coalesced(0, &row_from(&[0, 1, 0]), &sizes), None);
    }

    #[test]
    fn bounds_that_are_sizes_are_dropped() {
        // P0, example 31: { [1, b] : 0 <= b <= 6 } with a size of 6 in the second coordinate.
        let vectors = Vectors {
            lines: [].into_iter().collect(),
            rays: [row_from(&[1, 1, 0]), row_from(&[1, 1, 6])].into_iter().collect(),
        };
        let sizes = [None, Some(Int::from(6))];
        let wider = without_size_bounds(0, &vectors, &sizes, &Budget::unlimited()).unwrap();
        let rays: Vec<Row> = wider.rays.into_iter().collect();
        assert_eq!(rays, [row_from(&[0, 0, 1]), row_from(&[1, 1, 0])]);
        assert!(wider.lines.is_empty());
    }
}
