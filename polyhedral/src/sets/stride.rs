//! Strides: the values that a dimension can take when all others are fixed.
//!
//! On the affine hull `{ x : exists q: E(x, q) = 0 }` the steps that one dimension can take are the entries of that
//! dimension in the kernel of `E`, restricted to the columns of the dimension and of `q`; their greatest common divisor is
//! the stride. For example `{ [i, j] : i = 2j + 6q }` has the kernel `(6, 1)` over `(i, q)`: `i` has the stride 6 and the
//! offset `2j mod 6`.

use super::conj::Conj;
use super::lexmin::lexmin_leaves;
use super::{Aff, Expr, Map, Set};
use crate::budget::{Budget, Outcome};
use crate::int::Int;
use crate::linalg::{Matrix, Row, kernel, zeros};

/// A dimension is `offset + stride * k` for some integer `k` that may differ from element to element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stride {
    /// The stride: 1 if nothing is known, 0 if the dimension is equal to the offset, where isl says 1.
    pub stride: Int,
    /// The offset, an integer-valued expression in parameters and the other dimensions; smaller than the stride and not
    /// negative, unless the stride is 0.
    pub offset: Aff,
}

impl Set {
    /// The stride and the offset of dimension `dim` that follow from the affine hull, see
    /// [`Set::affine_hull`].
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn stride(&self, dim: usize, b: &Budget) -> Outcome<Stride> {
        assert!(dim < self.n_dims(), "{} has no dimension {dim}", self.space());
        let n_vars = self.space().n_vars();
        let var = self.params().len() + dim;
        let hull = super::affine_hull::affine_hull(self.pieces(), n_vars, b)?;
        let zero = |stride| Stride {
            stride,
            offset: Aff::constant(self.space().clone(), Int::ZERO),
        };
        if hull.is_plainly_empty() {
            return Ok(zero(Int::ONE));
        }
        let stride = step(&hull, var);
        if stride.is_one() {
            return Ok(zero(stride));
        }
        // The offset is the smallest value that is not negative, or the only one.
        let last = n_vars - 1;
        let move_last = |v: usize| match v {
            v if v < var => v,
            v if v == var => last,
            v => v - 1,
        };
        let mut values = hull.remap(n_vars, move_last);
        if stride.is_pos() {
            let mut row = zeros(values.n_cols());
            row[1 + last] = Int::ONE;
            values.add_ineq(row);
        }
        let leaves = lexmin_leaves(&[values], last, b)?;
        let Some(value) = (match &leaves[..] {
            [leaf] => leaf.values.first(),
            _ => None,
        }) else {
            return Ok(zero(Int::ONE));
        };
        let expr: Expr = value.remap(n_vars, |v| if v < var { v } else { v + 1 });
        Ok(Stride {
            stride,
            offset: Aff::from_expr(self.space().clone(), expr),
        })
    }
}

impl Map {
    /// The stride and the offset of domain dimension `dim`, as [`Set::stride`] of the wrapped pairs: the offset is an
    /// expression on those.
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn domain_stride(&self, dim: usize, b: &Budget) -> Outcome<Stride> {
        assert!(dim < self.domain_tuple().n(), "the domain of {}", self.space());
        self.wrap().stride(dim, b)
    }

    /// The stride and the offset of range dimension `dim`, as [`Map::domain_stride`].
    ///
    /// # Panics
    ///
    /// If there is no such dimension.
    pub fn range_stride(&self, dim: usize, b: &Budget) -> Outcome<Stride> {
        assert!(dim < self.range_tuple().n(), "the range of {}", self.space());
        self.wrap().stride(self.domain_tuple().n() + dim, b)
    }
}

/// The greatest common divisor of the steps that variable `var` can take with all others fixed, in a conjunction of
/// equalities where the divisions stand for any integers.
fn step(hull: &Conj, var: usize) -> Int {
    let n_vars = hull.n_vars();
    let row = |eq: &Row| -> Row {
        std::iter::once(&eq[1 + var])
            .chain(&eq[1 + n_vars..])
            .cloned()
            .collect()
    };
    let free = kernel(&Matrix::new(hull.eqs().iter().map(row).collect(), 1 + hull.n_divs()));
    free.rows.iter().fold(Int::ZERO, |gcd, v| gcd.gcd(&v[0]))
}
