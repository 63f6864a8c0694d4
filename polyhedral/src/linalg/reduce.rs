//! Lattice basis reduction (Lenstra, Lenstra and Lovász 1982), all in integers (Cohen, *A Course in Computational
//! Algebraic Number Theory*, algorithm 2.6.7).
//!
//! A basis of a lattice is *reduced* if its vectors are short and nearly orthogonal: with the Gram-Schmidt vectors
//! `b*_i` and coefficients `mu_ij` of the basis, `|mu_ij| <= 1/2` and
//! `|b*_i|^2 >= (3/4 - mu_{i,i-1}^2) |b*_{i-1}|^2`. For example `(1, 700), (0, 1009)` is reduced to
//! `(-13, -19), (-36, 25)`.

use super::matrix::Matrix;
use super::row::{Row, dot, zeros};
use crate::int::Int;

/// The state of a reduction. `gram[i]` is the determinant of the products of the first `i` vectors, and
/// `lambda[k][j] = gram[j + 1] * mu_kj`; all are integers.
struct Reduction {
    basis: Vec<Row>,
    transform: Matrix,
    gram: Row,
    lambda: Vec<Row>,
}

/// A unimodular `U` such that the rows of `U * basis` are reduced.
///
/// # Panics
///
/// If the rows of `basis` are linearly dependent.
pub fn reduce_basis(basis: &Matrix) -> Matrix {
    let n = basis.rows.len();
    let mut reduction = Reduction {
        basis: basis.rows.clone(),
        transform: Matrix::identity(n),
        gram: Row::from_iter([Int::ONE]),
        lambda: vec![zeros(n); n],
    };
    let mut k = 0;
    while k < n {
        if reduction.gram.len() == k + 1 {
            reduction.orthogonalize(k);
        }
        if k == 0 {
            k = 1;
            continue;
        }
        reduction.subtract(k, k - 1);
        let (gram, lambda) = (&reduction.gram, &reduction.lambda[k][k - 1]);
        // Lovász's condition, times four.
        let left = (&gram[k + 1] * &gram[k - 1] + lambda * lambda) * Int::from(4);
        if left < &gram[k] * &gram[k] * Int::from(3) {
            reduction.swap(k);
            k = (k - 1).max(1);
        } else {
            (0..k - 1).rev().for_each(|l| reduction.subtract(k, l));
            k += 1;
        }
    }
    reduction.transform
}

impl Reduction {
    /// Works out `lambda[k]` and `gram[k + 1]`.
    fn orthogonalize(&mut self, k: usize) {
        for j in 0..=k {
            let mut u = dot(&self.basis[k], &self.basis[j]);
            for i in 0..j {
                let product = &self.lambda[k][i] * &self.lambda[j][i];
                u = (&self.gram[i + 1] * u - product).div_exact(&self.gram[i]);
            }
            if j < k {
                self.lambda[k][j] = u;
            } else {
                assert!(u.is_pos(), "a basis is linearly independent");
                self.gram.push(u);
            }
        }
    }

    /// Subtracts from vector `k` the multiple of vector `l` that makes `|mu_kl| <= 1/2`.
    fn subtract(&mut self, k: usize, l: usize) {
        let two = Int::from(2);
        let gram = &self.gram[l + 1];
        if &(&self.lambda[k][l] * &two).abs() <= gram {
            return;
        }
        let minus = -(&self.lambda[k][l] * &two + gram).div_floor(&(gram * &two));
        self.lambda[k][l].add_mul(&minus, gram);
        let add = |rows: &mut [Row], len: usize| {
            let (first, second) = rows.split_at_mut(k);
            for (target, source) in second[0][..len].iter_mut().zip(&first[l]) {
                target.add_mul(&minus, source);
            }
        };
        let width = self.basis[k].len();
        add(&mut self.basis, width);
        add(&mut self.transform.rows, self.transform.cols);
        add(&mut self.lambda, l);
    }

    /// Exchanges vectors `k` and `k - 1`.
    fn swap(&mut self, k: usize) {
        self.basis.swap(k, k - 1);
        self.transform.rows.swap(k, k - 1);
        for j in 0..k - 1 {
            let (first, second) = self.lambda.split_at_mut(k);
            std::mem::swap(&mut second[0][j], &mut first[k - 1][j]);
        }
        let lambda = self.lambda[k][k - 1].clone();
        let gram = (&self.gram[k - 1] * &self.gram[k + 1] + &lambda * &lambda).div_exact(&self.gram[k]);
        for i in k + 1..self.gram.len() - 1 {
            let t = self.lambda[i][k].clone();
            let row = &mut self.lambda[i];
            row[k] = (&self.gram[k + 1] * &row[k - 1] - &lambda * &t).div_exact(&self.gram[k]);
            row[k - 1] = (&gram * &t + &lambda * &row[k]).div_exact(&self.gram[k + 1]);
        }
        self.gram[k] = gram;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{rank, row_hermite};
    use proptest::prelude::*;

    /// A consequence of reducedness: `|b*_i|^2 >= |b*_{i-1}|^2 / 2`.
    fn is_reduced(rows: &[Row]) -> bool {
        let m = Matrix::new(rows.to_vec(), rows[0].len());
        // With the determinants d_i of the leading Gram matrices, |b*_i|^2 = d_{i+1} / d_i.
        let gram = |n: usize| {
            let products: Vec<Row> = (0..n)
                .map(|i| (0..n).map(|j| dot(&m.rows[i], &m.rows[j])).collect())
                .collect();
            determinant(products)
        };
        (1..rows.len()).all(|i| {
            let (d0, d1, d2) = (gram(i - 1), gram(i), gram(i + 1));
            d2 * d0 * Int::from(2) >= &d1 * &d1
        })
    }

    fn determinant(rows: Vec<Row>) -> Int {
        let n = rows.len();
        let hermite = row_hermite(&Matrix::new(rows, n));
        (0..n).fold(Int::ONE, |product, i| product * &hermite.form.rows[i][i])
    }

    proptest! {
        #[test]
        fn bases_become_reduced(rows in proptest::collection::vec(proptest::collection::vec(-1000i64..1001, 5), 1..5)) {
            let rows: Vec<&[i64]> = rows.iter().map(Vec::as_slice).collect();
            let basis = Matrix::from_rows(&rows, 5);
            prop_assume!(rank(&basis) == basis.rows.len());
            let u = reduce_basis(&basis);
            prop_assert_eq!(row_hermite(&u).form, Matrix::identity(basis.rows.len()));
            prop_assert!(is_reduced(&u.product(&basis).rows));
        }
    }

    #[test]
    fn a_skewed_basis() {
        let basis = Matrix::from_rows(&[&[1, 700], &[0, 1009]], 2);
        let reduced = reduce_basis(&basis).product(&basis);
        assert_eq!(reduced, Matrix::from_rows(&[&[-13, -19], &[-36, 25]], 2));
    }
}
