//! Dense integer matrices.

use super::row::{Row, dot, row_from, unit};
use crate::int::Int;

/// A dense matrix, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The rows, each of length `cols`.
    pub rows: Vec<Row>,
    /// The number of columns, which a matrix without rows has too.
    pub cols: usize,
}

impl Matrix {
    /// A matrix of the given rows.
    ///
    /// # Panics
    ///
    /// If a row has a length other than `cols`.
    pub fn new(rows: Vec<Row>, cols: usize) -> Matrix {
        assert!(rows.iter().all(|r| r.len() == cols), "rows of different lengths");
        Matrix { rows, cols }
    }

    /// A matrix of the given rows of small entries.
    pub fn from_rows(rows: &[&[i64]], cols: usize) -> Matrix {
        Matrix::new(rows.iter().map(|r| row_from(r)).collect(), cols)
    }

    /// The unit matrix of `n` rows.
    pub fn identity(n: usize) -> Matrix {
        Matrix {
            rows: (0..n).map(|i| unit(n, i)).collect(),
            cols: n,
        }
    }

    /// Rows and columns exchanged.
    pub fn transposed(&self) -> Matrix {
        let column = |j: usize| self.rows.iter().map(|r| r[j].clone()).collect();
        Matrix {
            rows: (0..self.cols).map(column).collect(),
            cols: self.rows.len(),
        }
    }

    /// The matrix product `self * other`.
    ///
    /// # Panics
    ///
    /// If the shapes do not fit.
    pub fn product(&self, other: &Matrix) -> Matrix {
        assert_eq!(self.cols, other.rows.len(), "shapes of a product");
        let columns = other.transposed();
        let rows = self
            .rows
            .iter()
            .map(|r| columns.rows.iter().map(|c| dot(r, c)).collect())
            .collect();
        Matrix { rows, cols: other.cols }
    }

    /// The product of the matrix and a column vector of `cols` entries.
    pub fn apply(&self, vector: &[Int]) -> Row {
        self.rows.iter().map(|r| dot(r, vector)).collect()
    }
}
