//! Hermite normal forms, and the questions about lattices and linear systems that they answer.
//!
//! The row form of `A` is `U A = H` with `U` unimodular and `H` in row echelon form: the first non-zero entry of every
//! row, its pivot, is positive and lies to the right of the pivot above, the entries above a pivot are in
//! `0..pivot`, and zero rows come last. The column form is the same transposed: `A U = H`. For example
//!
//! ```text
//! A = [ 2 3 ]    A U = [ 1 0 ]    U = [ -1  3 ]
//!                                     [  1 -2 ]
//! ```
//!
//! The columns of `U` beyond the rank of `A` are a basis of all integer `x` with `A x = 0`.

use super::matrix::Matrix;
use super::row::{Row, negate, zeros};
use crate::int::Int;

/// `transform * A = form`, see the module.
#[derive(Clone, Debug)]
pub struct RowHermite {
    /// The form `H`, of the shape of `A`.
    pub form: Matrix,
    /// The unimodular `U` with `U A = H`.
    pub transform: Matrix,
    /// The inverse of `U`.
    pub inverse: Matrix,
    /// The pivot column of each non-zero row of `H`; their number is the rank of `A`.
    pub pivots: Vec<usize>,
}

/// `A * transform = form`, see the module.
#[derive(Clone, Debug)]
pub struct ColumnHermite {
    /// The form `H`, of the shape of `A`.
    pub form: Matrix,
    /// The unimodular `U` with `A U = H`.
    pub transform: Matrix,
    /// The inverse of `U`.
    pub inverse: Matrix,
    /// The pivot row of each non-zero column of `H`; their number is the rank of `A`.
    pub pivots: Vec<usize>,
}

/// The row form of `a`.
pub fn row_hermite(a: &Matrix) -> RowHermite {
    let n = a.rows.len();
    let mut form = a.clone();
    let mut transform = Matrix::identity(n);
    // Kept transposed, so that the column operations on the inverse are row operations.
    let mut inverse = Matrix::identity(n);
    let pivots = bring_into_row_form(&mut form, Some(&mut transform), Some(&mut inverse));
    RowHermite {
        form,
        transform,
        inverse: inverse.transposed(),
        pivots,
    }
}

/// The row form of `a` without the transforms, and the pivot column of each row that is not zero.
pub fn row_form(mut a: Matrix) -> (Matrix, Vec<usize>) {
    let pivots = bring_into_row_form(&mut a, None, None);
    (a, pivots)
}

/// Brings `form` into row form, does the same operations on the rows of `transform`, and the inverse ones on the columns of what
/// `inverse` is the transpose of. Returns the pivot columns.
fn bring_into_row_form(
    form: &mut Matrix,
    mut transform: Option<&mut Matrix>,
    mut inverse: Option<&mut Matrix>,
) -> Vec<usize> {
    let n = form.rows.len();
    let mut pivots = Vec::new();
    for column in 0..form.cols {
        let top = pivots.len();
        if top == n {
            break;
        }
        // Euclid's algorithm on the column, always with the smallest entry as divisor.
        loop {
            let smallest = (top..n)
                .filter(|&i| !form.rows[i][column].is_zero())
                .min_by(|&i, &j| form.rows[i][column].abs().cmp(&form.rows[j][column].abs()));
            let Some(smallest) = smallest else { break };
            let is_negative = form.rows[smallest][column].is_neg();
            let all = [Some(&mut *form), transform.as_deref_mut(), inverse.as_deref_mut()];
            for m in all.into_iter().flatten() {
                m.rows.swap(top, smallest);
                if is_negative {
                    negate(&mut m.rows[top]);
                }
            }
            let mut done = true;
            for i in top + 1..n {
                let quotient = form.rows[i][column].div_floor(&form.rows[top][column]);
                let transforms = (transform.as_deref_mut(), inverse.as_deref_mut());
                subtract_multiple(form, transforms, i, &quotient, top);
                done &= form.rows[i][column].is_zero();
            }
            if done {
                break;
            }
        }
        if form.rows[top][column].is_zero() {
            continue;
        }
        for i in 0..top {
            let quotient = form.rows[i][column].div_floor(&form.rows[top][column]);
            let transforms = (transform.as_deref_mut(), inverse.as_deref_mut());
            subtract_multiple(form, transforms, i, &quotient, top);
        }
        pivots.push(column);
    }
    pivots
}

/// Subtracts `factor` times row `source` from row `target`, in the form and in both transforms.
fn subtract_multiple(
    form: &mut Matrix,
    (transform, inverse): (Option<&mut Matrix>, Option<&mut Matrix>),
    target: usize,
    factor: &Int,
    source: usize,
) {
    if factor.is_zero() {
        return;
    }
    let minus = -factor;
    for m in [Some(form), transform].into_iter().flatten() {
        add_multiple(m, target, &minus, source);
    }
    if let Some(inverse) = inverse {
        add_multiple(inverse, source, factor, target);
    }
}

/// Adds `factor` times row `source` to row `target`, another one.
fn add_multiple(m: &mut Matrix, target: usize, factor: &Int, source: usize) {
    let [target, source] = m.rows.get_disjoint_mut([target, source]).expect("two rows");
    for (x, y) in target.iter_mut().zip(source.iter()).filter(|(_, y)| !y.is_zero()) {
        x.add_mul(factor, y);
    }
}

/// The column form of `a`.
pub fn column_hermite(a: &Matrix) -> ColumnHermite {
    let RowHermite {
        form,
        transform,
        inverse,
        pivots,
    } = row_hermite(&a.transposed());
    ColumnHermite {
        form: form.transposed(),
        transform: transform.transposed(),
        inverse: inverse.transposed(),
        pivots,
    }
}

/// The number of linearly independent rows of `a`.
pub fn rank(a: &Matrix) -> usize {
    row_form(a.clone()).1.len()
}

/// A basis, as rows, of the lattice of all integer `x` with `a x = 0`.
pub fn kernel(a: &Matrix) -> Matrix {
    // The row form of the transpose: its zero rows are combinations of the columns of `a` that vanish.
    let mut transform = Matrix::identity(a.cols);
    let pivots = bring_into_row_form(&mut a.transposed(), Some(&mut transform), None);
    Matrix {
        rows: transform.rows.split_off(pivots.len()),
        cols: a.cols,
    }
}

/// A basis, as rows, of the integer vectors that are orthogonal to all rows of `a`: a row is linearly independent of the
/// rows of `a` if and only if its product with one of these is not zero. The same as [`kernel`], under the name that it
/// goes by in scheduling; in row Hermite form, so that it depends on the span of the rows alone.
pub fn orthogonal_complement(a: &Matrix) -> Matrix {
    row_form(kernel(a)).0
}

/// All integer `x` with `a x = b`: a solution and a basis of the kernel, as rows. None if there is no integer solution.
///
/// # Panics
///
/// If `b` has not as many entries as `a` has rows.
pub fn solve(a: &Matrix, b: &[Int]) -> Option<(Row, Matrix)> {
    assert_eq!(a.rows.len(), b.len(), "right-hand side of a linear system");
    // The column form H and U, transposed.
    let (mut form, mut transform) = (a.transposed(), Matrix::identity(a.cols));
    let pivots = bring_into_row_form(&mut form, Some(&mut transform), None);
    // A x = H y with x = U y; H is lower echelon, so that y follows entry by entry.
    let mut y = Row::with_capacity(pivots.len());
    for (i, right) in b.iter().enumerate() {
        let known = y.iter().zip(&form.rows);
        let rest = known.fold(right.clone(), |rest, (y, column)| rest - y * &column[i]);
        if pivots.get(y.len()) == Some(&i) {
            let pivot = &form.rows[y.len()][i];
            if !rest.divisible_by(pivot) {
                return None;
            }
            y.push(rest.div_exact(pivot));
        } else if !rest.is_zero() {
            return None;
        }
    }
    let mut solution = zeros(a.cols);
    for (y, column) in y.iter().zip(&transform.rows).filter(|(y, _)| !y.is_zero()) {
        solution.iter_mut().zip(column).for_each(|(x, u)| x.add_mul(y, u));
    }
    let kernel = Matrix {
        rows: transform.rows.split_off(pivots.len()),
        cols: a.cols,
    };
    Some((solution, kernel))
}

/// A unimodular matrix whose first rows are those of `a`. None if there is none, that is, if the rows are dependent or
/// do not generate all integer vectors in their span.
pub fn unimodular_completion(a: &Matrix) -> Option<Matrix> {
    let hermite = column_hermite(a);
    // A U = [H 0] and A = H * (first rows of the inverse of U), which completes A if H is the unit matrix.
    let complete = hermite.pivots.len() == a.rows.len()
        && hermite
            .pivots
            .iter()
            .enumerate()
            .all(|(j, &i)| hermite.form.rows[i][j].is_one());
    complete.then_some(hermite.inverse)
}

/// Rows that extend the rows of `a` to a set of rows that spans all rational vectors of `a.cols` entries: integer vectors
/// that are linearly independent of each other and of the rows of `a`, as many as the rank of `a` falls short of the
/// number of columns. They are rows of the inverse of the unimodular matrix of the column Hermite form, so that together
/// with a basis of the integer vectors in the span of `a` they generate all integer vectors.
pub fn basis_extension(a: &Matrix) -> Matrix {
    let hermite = column_hermite(a);
    Matrix {
        rows: hermite.inverse.rows[hermite.pivots.len()..].to_vec(),
        cols: a.cols,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn matrices() -> impl Strategy<Value = Matrix> {
        (1usize..5, 1usize..5).prop_flat_map(|(rows, cols)| {
            proptest::collection::vec(proptest::collection::vec(-6i64..7, cols), rows).prop_map(move |m| {
                let rows: Vec<&[i64]> = m.iter().map(Vec::as_slice).collect();
                Matrix::from_rows(&rows, cols)
            })
        })
    }

    fn is_zero(row: &[Int]) -> bool {
        row.iter().all(Int::is_zero)
    }

    proptest! {
        #[test]
        fn forms_are_products(a in matrices()) {
            let r = row_hermite(&a);
            prop_assert_eq!(&r.transform.product(&a), &r.form);
            prop_assert_eq!(r.transform.product(&r.inverse), Matrix::identity(a.rows.len()));
            for (i, &p) in r.pivots.iter().enumerate() {
                prop_assert!(is_zero(&r.form.rows[i][..p]) && r.form.rows[i][p].is_pos());
                prop_assert!(r.form.rows[..i].iter().all(|row| !row[p].is_neg() && row[p] < r.form.rows[i][p]));
            }
            prop_assert!(r.form.rows[r.pivots.len()..].iter().all(|row| is_zero(row)));
            let c = column_hermite(&a);
            prop_assert_eq!(&a.product(&c.transform), &c.form);
            prop_assert_eq!(c.inverse.product(&c.transform), Matrix::identity(a.cols));
            prop_assert_eq!(c.pivots.len(), r.pivots.len());
        }

        #[test]
        fn kernels_vanish_and_have_the_right_rank(a in matrices()) {
            for k in [kernel(&a), orthogonal_complement(&a)] {
                prop_assert_eq!(k.rows.len(), a.cols - rank(&a));
                prop_assert!(k.rows.iter().all(|x| is_zero(&a.apply(x))));
                // A basis of the whole lattice, not of a part of it.
                prop_assert!(unimodular_completion(&k).is_some());
            }
        }

        #[test]
        fn bases_are_extended(a in matrices()) {
            let extension = basis_extension(&a);
            prop_assert_eq!(extension.rows.len(), a.cols - rank(&a));
            let all = [a.rows.clone(), extension.rows.clone()].concat();
            prop_assert_eq!(rank(&Matrix::new(all, a.cols)), a.cols);
            prop_assert!(unimodular_completion(&extension).is_some());
        }

        #[test]
        fn solutions_are_found_when_there_are_some(
            a in matrices(),
            x in proptest::collection::vec(-5i64..6, 4),
            noise in 0i64..2,
        ) {
            let x: Row = x[..a.cols.min(4)].iter().map(|&v| Int::from(v)).collect();
            let mut b = a.apply(&x);
            b[0] += Int::from(noise);
            match solve(&a, &b) {
                Some((y, k)) => {
                    prop_assert_eq!(a.apply(&y), b);
                    prop_assert!(k.rows.iter().all(|z| is_zero(&a.apply(z))));
                }
                None => prop_assert_eq!(noise, 1),
            }
        }
    }

    #[test]
    fn systems_without_integer_solution() {
        let a = Matrix::from_rows(&[&[2, 4]], 2);
        assert!(solve(&a, &[Int::ONE]).is_none());
        let dependent = Matrix::from_rows(&[&[1, 1], &[2, 2]], 2);
        assert!(solve(&dependent, &[Int::ONE, Int::ONE]).is_none());
        assert!(solve(&dependent, &[Int::ONE, Int::from(2)]).is_some());
    }

    #[test]
    fn completions() {
        let a = Matrix::from_rows(&[&[2, 3, 5]], 3);
        let u = unimodular_completion(&a).unwrap();
        assert_eq!(u.rows[0], a.rows[0]);
        assert_eq!(row_hermite(&u).form, Matrix::identity(3));
        assert!(unimodular_completion(&Matrix::from_rows(&[&[2, 4, 6]], 3)).is_none());
    }
}
