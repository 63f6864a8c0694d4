//! Linear algebra over the integers: rows, matrices, Hermite normal forms and what follows from them.
//!
//! Everything is exact. A *lattice* is the set of integer combinations of some rows; a square matrix is *unimodular* if
//! it has an integer inverse, that is, if its determinant is 1 or -1.

mod hermite;
mod matrix;
mod rational;
mod reduce;
mod row;

pub use hermite::{
    ColumnHermite, RowHermite, basis_extension, column_hermite, kernel, orthogonal_complement, rank, row_form,
    row_hermite, solve, unimodular_completion,
};
pub use matrix::Matrix;
pub use rational::{ParseRatError, Rat};
pub use reduce::reduce_basis;
pub use row::{Row, combine, content, dot, negate, normalize_by_gcd, row_from, unit, zeros};
