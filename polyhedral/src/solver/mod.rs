//! Linear and integer programming on systems of affine constraints, exact throughout.
//!
//! Nothing here knows of spaces or names: a constraint is a [`Row`] `[c, a_1, ..., a_n]` that stands for
//! `c + a_1 x_1 + ... + a_n x_n = 0` or `>= 0`. All of it works on a [budget](crate::budget), and ends in
//! [`OutOfBudget`](crate::budget::OutOfBudget) where that is gone; a row of another length than the system asks for is a
//! bug of the caller and panics.
//!
//! ```
//! use farkas_polyhedral::budget::Budget;
//! use farkas_polyhedral::int::Int;
//! use farkas_polyhedral::linalg::row_from;
//! use farkas_polyhedral::solver::{System, integer, lp};
//!
//! # fn main() -> Result<(), farkas_polyhedral::budget::OutOfBudget> {
//! let b = Budget::new(100_000);
//! // 2 x + 3 y >= 7, x >= 0, y >= 0
//! let ineqs = [[-7, 2, 3], [0, 1, 0], [0, 0, 1]].map(|row| row_from(&row)).to_vec();
//! let system = System { n: 2, eqs: Vec::new(), ineqs };
//! let sum = row_from(&[0, 1, 1]);
//! let (num, den) = (Int::from(7), Int::from(3));
//! assert_eq!(lp::minimize(&system, &sum, &b)?, lp::Optimum::Finite { num, den });
//! let least = integer::minimize_integer(&system, &sum, &b)?;
//! assert_eq!(least, integer::IntOptimum::Finite(Int::from(3)));
//! # Ok(())
//! # }
//! ```
//!
//! | module | question |
//! |---|---|
//! | [`simplex`] | an incremental rational tableau, with push and pop |
//! | [`lp`] | rational optima, emptiness, implicit equalities, redundancy |
//! | [`integer`] | integer points, integer optima |
//! | [`lexmin`] | lexicographic minima over non-negative integer unknowns |
//! | [`parametric`] | lexicographic minima as functions of parameters |
//! | [`non_trivial`] | lexicographic minima where some linear forms must not all be zero |
//! | [`cone`] | the generators of a polyhedral cone |

pub mod cone;
mod dense;
pub mod integer;
pub mod lexmin;
pub mod lp;
pub mod non_trivial;
mod number;
pub mod parametric;
pub mod simplex;
mod thin;
mod width;

use crate::int::Int;
use crate::linalg::{Row, dot};

/// A conjunction of affine constraints on `n` unknowns of any sign, `{ x : E x + e = 0, A x + c >= 0 }`. Rows are
/// `[c, a_1, ..., a_n]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The number of unknowns.
    pub n: usize,
    /// Rows with `c + a.x = 0`.
    pub eqs: Vec<Row>,
    /// Rows with `c + a.x >= 0`.
    pub ineqs: Vec<Row>,
}

impl System {
    /// The system on `n` unknowns without constraints: all points.
    pub fn new(n: usize) -> System {
        System {
            n,
            eqs: Vec::new(),
            ineqs: Vec::new(),
        }
    }

    /// Whether the point satisfies all constraints.
    ///
    /// # Panics
    ///
    /// If it has not `n` entries.
    pub fn contains(&self, point: &[Int]) -> bool {
        assert_eq!(point.len(), self.n, "dimension of a point");
        self.eqs.iter().all(|r| value_at(r, point).is_zero()) && self.ineqs.iter().all(|r| !value_at(r, point).is_neg())
    }
}

/// `c + a.x` for the row `[c, a..]` and the point `x`, of one entry less.
pub fn value_at(row: &[Int], point: &[Int]) -> Int {
    dot(&row[1..], point) + &row[0]
}

#[cfg(test)]
pub(crate) mod testing {
    //! Small random systems, and their integer points by enumeration.

    use super::*;
    use crate::linalg::{row_from, zeros};
    use proptest::prelude::*;

    pub(crate) const RADIUS: i64 = 4;

    fn rows(n: usize, at_most: usize) -> impl Strategy<Value = Vec<Row>> {
        let row = (-9i64..10, proptest::collection::vec(-4i64..5, n));
        proptest::collection::vec(row, 0..=at_most).prop_map(|rows| {
            rows.into_iter()
                .map(|(c, a)| row_from(&[&[c][..], &a].concat()))
                .collect()
        })
    }

    /// A system without bounds.
    pub(crate) fn systems(n: usize) -> impl Strategy<Value = System> {
        (rows(n, 1), rows(n, 6)).prop_map(move |(eqs, ineqs)| System { n, eqs, ineqs })
    }

    /// A system whose unknowns are in `low..=high`.
    pub(crate) fn boxed(mut system: System, low: i64, high: i64) -> System {
        for i in 0..system.n {
            let mut row = zeros(system.n + 1);
            (row[0], row[1 + i]) = (Int::from(-low), Int::ONE);
            system.ineqs.push(row.clone());
            (row[0], row[1 + i]) = (Int::from(high), -Int::ONE);
            system.ineqs.push(row);
        }
        system
    }

    /// All integer points with entries in `low..=high`, in lexicographic order.
    pub(crate) fn points(system: &System, low: i64, high: i64) -> Vec<Row> {
        let mut points = vec![Row::new()];
        for _ in 0..system.n {
            let extend = |p: Row| (low..=high).map(move |v| p.iter().cloned().chain([Int::from(v)]).collect());
            points = points.into_iter().flat_map(extend).collect();
        }
        points.retain(|p| system.contains(p));
        points
    }
}
