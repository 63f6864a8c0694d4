//! The generators of a polyhedral cone, by the double description method (Motzkin et al. 1953, Chernikova 1965).
//!
//! A cone `{ x : E x = 0, A x >= 0 }` is also the set of all sums of *lines*, with any factor, and *rays*, with
//! non-negative factors. For example the cone `x >= 0` of the plane has the line `(0, 1)` and the ray `(1, 0)`.
//!
//! The method starts with a line for every axis and adds one constraint after the other. As long as some line is not
//! orthogonal to the constraint, that line becomes a ray (or goes, for an equality), and everything else is moved along
//! it into the hyperplane of the constraint. Otherwise the rays on the negative side go, and every pair of *adjacent*
//! rays on opposite sides has a positive combination in the hyperplane. Two rays are adjacent if no third ray lies on
//! all the hyperplanes on which both of them lie.

use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Row, combine, dot, negate, normalize_by_gcd, unit};

/// The generators of a cone. Rows have no constant column and no common factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generators {
    /// A basis of the largest linear space in the cone.
    pub lines: Vec<Row>,
    /// The extreme rays, one for each, up to the lines; sorted.
    pub rays: Vec<Row>,
}

/// A ray and the set of the inequalities, in the order they are added, that it makes 0.
struct Ray {
    row: Row,
    zeros: BitSet,
}

#[derive(Clone)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(len: usize) -> BitSet {
        BitSet(vec![0; len.div_ceil(64)])
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn intersection(&self, other: &BitSet) -> BitSet {
        BitSet(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn is_subset(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }
}

/// The generators of the cone `{ x : e.x = 0 for e in eqs, a.x >= 0 for a in ineqs }`: it is
/// `{ sum of l_i lines_i + sum of r_j rays_j : r_j >= 0 }`. Rows have `n` entries, without a constant. There may be
/// exponentially many rays.
///
/// ```
/// use farkas_polyhedral::budget::Budget;
/// use farkas_polyhedral::linalg::row_from;
/// use farkas_polyhedral::solver::cone::generators;
///
/// // x >= 0 and x + y >= 0 in space
/// let ineqs = [[1, 0, 0], [1, 1, 0]].map(|row| row_from(&row));
/// let cone = generators(3, &[], &ineqs, &Budget::new(1000)).unwrap();
/// assert_eq!(cone.lines, [row_from(&[0, 0, 1])]);
/// assert_eq!(cone.rays, [row_from(&[0, 1, 0]), row_from(&[1, -1, 0])]);
/// ```
pub fn generators(n: usize, eqs: &[Row], ineqs: &[Row], budget: &Budget) -> Outcome<Generators> {
    let mut lines: Vec<Row> = (0..n).map(|i| unit(n, i)).collect();
    for e in eqs {
        budget.spend(lines.len() as u64)?;
        take_line(&mut lines, &mut [], e);
    }
    let dimension = lines.len();
    let mut rays: Vec<Ray> = Vec::new();
    for (index, a) in ineqs.iter().enumerate() {
        budget.spend((lines.len() + rays.len()) as u64)?;
        if let Some(line) = take_line(&mut lines, &mut rays, a) {
            rays.iter_mut().for_each(|ray| ray.zeros.insert(index));
            // A line is orthogonal to all constraints before this one.
            let mut zeros = BitSet::new(ineqs.len());
            (0..index).for_each(|i| zeros.insert(i));
            rays.push(Ray { row: line, zeros });
        } else {
            rays = cut_rays(rays, a, index, dimension - lines.len(), budget)?;
        }
    }
    let mut rays: Vec<Row> = rays.into_iter().map(|ray| ray.row).collect();
    rays.sort();
    Ok(Generators { lines, rays })
}

/// Removes a line that is not orthogonal to `a`, if there is one, and moves the other lines and the rays along it until
/// they are. The line is returned on the positive side of `a`.
fn take_line(lines: &mut Vec<Row>, rays: &mut [Ray], a: &Row) -> Option<Row> {
    let position = lines.iter().position(|line| !dot(a, line).is_zero())?;
    let mut line = lines.remove(position);
    let mut value = dot(a, &line);
    if value.is_neg() {
        negate(&mut line);
        value = -value;
    }
    let onto = |row: &mut Row| {
        let off = dot(a, row);
        if !off.is_zero() {
            *row = combine(&value, row, &-off, &line);
            normalize_by_gcd(row);
        }
    };
    lines.iter_mut().for_each(onto);
    rays.iter_mut().for_each(|ray| onto(&mut ray.row));
    Some(line)
}

/// The extreme rays of the cone of `rays` intersected with `a >= 0`; all lines are orthogonal to `a`. `dimension` is that
/// of the space in which the rays lie.
fn cut_rays(rays: Vec<Ray>, a: &Row, index: usize, dimension: usize, budget: &Budget) -> Outcome<Vec<Ray>> {
    let values: Vec<Int> = rays.iter().map(|ray| dot(a, &ray.row)).collect();
    let mut born = Vec::new();
    for (p, up) in rays.iter().enumerate().filter(|(p, _)| values[*p].is_pos()) {
        for (q, down) in rays.iter().enumerate().filter(|(q, _)| values[*q].is_neg()) {
            let common = up.zeros.intersection(&down.zeros);
            // Adjacent rays span a face of dimension 2, which takes that many hyperplanes.
            if common.len() + 2 < dimension {
                continue;
            }
            budget.spend(1 + rays.len() as u64 / 16)?;
            let adjacent = rays
                .iter()
                .enumerate()
                .all(|(r, ray)| r == p || r == q || !common.is_subset(&ray.zeros));
            if adjacent {
                let mut row = combine(&-&values[q], &up.row, &values[p], &down.row);
                normalize_by_gcd(&mut row);
                let mut zeros = common;
                zeros.insert(index);
                born.push(Ray { row, zeros });
            }
        }
    }
    let mut kept = Vec::with_capacity(rays.len() + born.len());
    for (mut ray, value) in rays.into_iter().zip(values) {
        if value.is_zero() {
            ray.zeros.insert(index);
        }
        if !value.is_neg() {
            kept.push(ray);
        }
    }
    kept.append(&mut born);
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;
    use crate::solver::System;
    use crate::solver::lp::{Optimum, minimize};
    use proptest::prelude::*;

    fn rows(rows: &[&[i64]]) -> Vec<Row> {
        rows.iter().map(|r| row_from(r)).collect()
    }

    #[test]
    fn named_cones() {
        let budget = Budget::unlimited();
        let half = generators(2, &[], &rows(&[&[1, 0]]), &budget).unwrap();
        assert_eq!(
            half,
            Generators {
                lines: rows(&[&[0, 1]]),
                rays: rows(&[&[1, 0]])
            }
        );
        // The cone over a square, at height 1: (h, x, y) with 0 <= x <= h, 0 <= y <= h.
        let square = rows(&[&[0, 1, 0], &[1, -1, 0], &[0, 0, 1], &[1, 0, -1]]);
        let square = generators(3, &[], &square, &budget).unwrap();
        assert_eq!(square.lines, rows(&[]));
        assert_eq!(square.rays, rows(&[&[1, 0, 0], &[1, 0, 1], &[1, 1, 0], &[1, 1, 1]]));
        // An equality that meets no line any more, and a cone that is a point.
        let point = rows(&[&[1, 0], &[0, 1], &[1, 1]]);
        assert_eq!(
            generators(2, &point, &[], &budget).unwrap(),
            Generators {
                lines: vec![],
                rays: vec![]
            }
        );
    }

    fn cone_rows(n: usize, at_most: usize) -> impl Strategy<Value = Vec<Row>> {
        let row = proptest::collection::vec(-3i64..4, n).prop_map(|r| row_from(&r));
        proptest::collection::vec(row, 0..=at_most)
    }

    /// Whether `a >= 0` on the whole cone.
    fn follows(a: &Row, eqs: &[Row], ineqs: &[Row]) -> bool {
        let affine = |r: &Row| [Int::ZERO].into_iter().chain(r.iter().cloned()).collect();
        let system = System {
            n: a.len(),
            eqs: eqs.iter().map(affine).collect(),
            ineqs: ineqs.iter().map(affine).collect(),
        };
        let minimum = minimize(&system, &affine(a), &Budget::unlimited()).unwrap();
        minimum
            == Optimum::Finite {
                num: Int::ZERO,
                den: Int::ONE,
            }
    }

    proptest! {
        #[test]
        fn the_dual_of_the_dual_is_the_cone(eqs in cone_rows(4, 1), ineqs in cone_rows(4, 7)) {
            let budget = Budget::unlimited();
            let g = generators(4, &eqs, &ineqs, &budget).unwrap();
            for ray in g.lines.iter().chain(&g.rays) {
                prop_assert!(eqs.iter().all(|e| dot(e, ray).is_zero()));
                prop_assert!(ineqs.iter().all(|a| !dot(a, ray).is_neg()));
            }
            for line in &g.lines {
                prop_assert!(ineqs.iter().all(|a| dot(a, line).is_zero()));
            }
            // The generators of the dual cone are constraints that describe the cone again.
            let dual = generators(4, &g.lines, &g.rays, &budget).unwrap();
            for e in &dual.lines {
                let minus: Row = e.iter().map(|x| -x).collect();
                prop_assert!(follows(e, &eqs, &ineqs) && follows(&minus, &eqs, &ineqs));
            }
            prop_assert!(dual.rays.iter().all(|a| follows(a, &eqs, &ineqs)));
            prop_assert!(ineqs.iter().all(|a| follows(a, &dual.lines, &dual.rays)));
            for e in &eqs {
                let minus: Row = e.iter().map(|x| -x).collect();
                prop_assert!(follows(e, &dual.lines, &dual.rays) && follows(&minus, &dual.lines, &dual.rays));
            }
            // The rays are extreme: none follows from the others.
            for (i, ray) in g.rays.iter().enumerate() {
                let mut others = g.rays.clone();
                others.remove(i);
                prop_assert!(!follows(ray, &g.lines, &others));
            }
        }
    }
}
