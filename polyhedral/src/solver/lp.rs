//! Rational questions about a [`System`], answered by the [simplex method](super::simplex).
//!
//! For a row `a = [c, a_1 ..]` and the polyhedron `P` of a system over the rationals, [`minimize`] gives
//! `min { c + a.x : x in P }`. The other questions come down to it: an inequality is redundant if its minimum over the others
//! is not negative, or, where only integer points count, larger than -1; it is an implicit equality if its maximum over
//! all constraints, its own included, is 0.

use super::System;
use super::simplex::Simplex;
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::Row;

/// The minimum of an affine expression over a set of rational points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// The set is empty.
    Empty,
    /// The expression has no lower bound on the set.
    Unbounded,
    /// The minimum is `num / den`, in lowest terms with `den > 0`, and is attained.
    Finite {
        /// Numerator.
        num: Int,
        /// Denominator, positive.
        den: Int,
    },
}

/// The minimum `min { c + a.x : x in P }` of `objective = [c, a..]` over the rational points of `system`.
pub fn minimize(system: &System, objective: &Row, budget: &Budget) -> Outcome<Optimum> {
    Simplex::from_system(system, budget)?.0.minimize(objective, budget)
}

/// Whether `system` has no rational point: `P = {}`. There may be rational points where there is no integer one, for which
/// see [`integer::is_empty`](super::integer::is_empty).
pub fn is_empty_rational(system: &System, budget: &Budget) -> Outcome<bool> {
    Ok(!Simplex::from_system(system, budget)?.0.is_feasible(budget)?)
}

/// The indices of the inequalities that hold with equality at every rational point, `{ i : c_i + a_i.x = 0 for all x in P }`:
/// all if there is no rational point.
pub fn implicit_equalities(system: &System, budget: &Budget) -> Outcome<Vec<usize>> {
    let (mut simplex, slacks) = Simplex::from_system(system, budget)?;
    let implicit = simplex.implicit_equalities(&slacks, budget)?;
    Ok(implicit.unwrap_or_else(|| (0..slacks.len()).collect()))
}

/// Per inequality, whether it is redundant on integer points, as far as its rational minimum tells: if that is larger than
/// -1, for a row of integers. Dropping it may let rational points in, but no integer ones. The marks are
/// sequential: dropping all the marked ones together keeps the set. An empty system has no marks.
pub fn redundant(system: &System, budget: &Budget) -> Outcome<Vec<bool>> {
    let (mut simplex, slacks) = Simplex::from_system(system, budget)?;
    if !simplex.is_feasible(budget)? {
        return Ok(vec![false; slacks.len()]);
    }
    slacks
        .iter()
        .map(|&slack| simplex.drop_if_redundant(slack, budget))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{RADIUS, boxed, points, systems};
    use super::super::{integer, value_at};
    use super::*;
    use crate::linalg::row_from;
    use proptest::prelude::*;

    fn system(n: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> System {
        System {
            n,
            eqs: eqs.iter().map(|r| row_from(r)).collect(),
            ineqs: ineqs.iter().map(|r| row_from(r)).collect(),
        }
    }

    fn finite(num: i64, den: i64) -> Optimum {
        Optimum::Finite {
            num: Int::from(num),
            den: Int::from(den),
        }
    }

    #[test]
    fn minima() {
        let budget = Budget::unlimited();
        // 2x + 3y >= 7, x >= 0, y >= 0
        let s = system(2, &[], &[&[-7, 2, 3], &[0, 1, 0], &[0, 0, 1]]);
        assert_eq!(minimize(&s, &row_from(&[0, 1, 1]), &budget), Ok(finite(7, 3)));
        assert_eq!(minimize(&s, &row_from(&[1, 0, 1]), &budget), Ok(finite(1, 1)));
        assert_eq!(minimize(&s, &row_from(&[0, 1, -1]), &budget), Ok(Optimum::Unbounded));
        let e = system(1, &[], &[&[-1, 1], &[0, -1]]);
        assert_eq!(minimize(&e, &row_from(&[0, 1]), &budget), Ok(Optimum::Empty));
        let line = system(2, &[&[0, 1, -2]], &[]);
        assert_eq!(minimize(&line, &row_from(&[3, 1, -2]), &budget), Ok(finite(3, 1)));
        assert_eq!(minimize(&line, &row_from(&[3, 1, 0]), &budget), Ok(Optimum::Unbounded));
        assert_eq!(is_empty_rational(&system(1, &[&[1, 0]], &[]), &budget), Ok(true));
    }

    #[test]
    fn equalities_and_redundancies() {
        let budget = Budget::unlimited();
        // x >= y, y >= z, z >= x, z <= 5, z <= 7
        let s = system(
            3,
            &[],
            &[
                &[0, 1, -1, 0],
                &[0, 0, 1, -1],
                &[0, -1, 0, 1],
                &[5, 0, 0, -1],
                &[7, 0, 0, -1],
            ],
        );
        assert_eq!(implicit_equalities(&s, &budget), Ok(vec![0, 1, 2]));
        assert_eq!(redundant(&s, &budget), Ok(vec![false, false, false, false, true]));
        // The same inequality twice: only one copy may go.
        let twice = system(1, &[], &[&[0, 1], &[0, 2]]);
        assert_eq!(redundant(&twice, &budget), Ok(vec![true, false]));
    }

    proptest! {
        #[test]
        fn optima_bound_all_points(s in systems(3), objective in proptest::collection::vec(-4i64..5, 4)) {
            let budget = Budget::unlimited();
            let s = boxed(s, -RADIUS, RADIUS);
            let objective = row_from(&objective);
            let points = points(&s, -RADIUS, RADIUS);
            match minimize(&s, &objective, &budget).unwrap() {
                Optimum::Empty => prop_assert!(points.is_empty()),
                Optimum::Unbounded => prop_assert!(false, "a box is bounded"),
                Optimum::Finite { num, den } => {
                    for p in &points {
                        prop_assert!(value_at(&objective, p) * &den >= num);
                    }
                    // The bound is tight: with the opposite constraint the set becomes a face, that is not empty.
                    let mut face = s.clone();
                    let mut row: Row = objective.iter().map(|a| -(a * &den)).collect();
                    row[0] += &num;
                    face.ineqs.push(row.clone());
                    prop_assert!(!is_empty_rational(&face, &budget).unwrap());
                    row[0] -= Int::ONE;
                    face.ineqs.push(row);
                    prop_assert!(is_empty_rational(&face, &budget).unwrap());
                }
            }
        }

        #[test]
        fn implicit_equalities_are_those(s in systems(3)) {
            let budget = Budget::unlimited();
            if is_empty_rational(&s, &budget).unwrap() {
                return Ok(());
            }
            let implicit = implicit_equalities(&s, &budget).unwrap();
            for (i, row) in s.ineqs.iter().enumerate() {
                let negated = row.iter().map(|a| -a).collect();
                let maximum = minimize(&s, &negated, &budget).unwrap();
                prop_assert_eq!(implicit.contains(&i), maximum == finite(0, 1));
            }
        }

        #[test]
        fn dropping_redundant_ones_keeps_the_set(s in systems(3)) {
            let budget = Budget::unlimited();
            let marks = redundant(&s, &budget).unwrap();
            let mut reduced = s.clone();
            let mut keep = marks.iter();
            reduced.ineqs.retain(|_| !keep.next().unwrap());
            for row in &s.ineqs {
                // The rational points may grow with each that is dropped, the integer ones may not.
                let mut outside = reduced.clone();
                let mut below: Row = row.iter().map(|a| -a).collect();
                below[0] -= Int::ONE;
                outside.ineqs.push(below);
                prop_assert!(integer::is_empty(&outside, &budget).unwrap());
            }
            // Nothing that is left is redundant, unless the set is empty.
            if !is_empty_rational(&s, &budget).unwrap() {
                prop_assert!(redundant(&reduced, &budget).unwrap().iter().all(|r| !r));
            }
        }
    }
}
