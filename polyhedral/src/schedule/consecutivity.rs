//! Consecutivity: accesses that step through memory one element after the other (P3).
//!
//! # Definitions
//!
//! A [`Reference`] `A[F i + c]` has the *outer* rows `G` and the *inner* rows `H` of its linear part `F`; at first `H` is
//! the last subscript. It is accessed consecutively under the schedule `T` of its statement if
//!
//! ```text
//! F = [ G ] = [ X 0 0 ] T     with the rows T1 of T in the first block of columns,
//!     [ H ]   [ Y L 0 ]       and L lower triangular with 1 or -1 on the diagonal:
//! ```
//!
//! the outer subscripts are fixed by the rows `T1`, then come rows that step along `H`, perhaps with independent ones
//! between them. So rows are found in two phases. With `T0` the rows so far,
//!
//! | phase | the next row `C` |
//! |---|---|
//! | `T0` does not span `G` | `C = X [T0; G]` but not of `[T0; H]`, or independent of `[T0; G; H]`, or `C = X T0` |
//! | it does, `h` rows of `H` are done | `C = H_h + X [T1; H_<h]`, or independent of `[T0; G; H]`, or `C = -H_h + X [T1; H_<h]`, or `C = X T0` |
//!
//! where `C = X T0` is for statements that can afford a dependent row (P3, table 2). These are [wishes](crate::solver::non_trivial::Wish): a row that
//! has none of the forms is legal, but the reference has *failed*, and is not considered any more. How far a reference has
//! come follows from the rows alone. P3 has ones on the diagonal of `L` only. A step backward is as good for the memory, and the only one that is
//! legal where values come from later elements: `t[i][j]` from `t[k][j]` with `k > i`.
//!
//! Several references of a statement are composed into one that serves all of them, where there is one (3.4).
//!
//! # Running example
//!
//! In `c[i][j] += a[i][k] * b[k][j]` the references are `a = (i | k)`, `b = (k | j)` and `c = (i | j)`. The composition of
//! `b` and `c` is `(i, k | j)`, and of that with `a`: `(i | k, j)`. The rows `i`, `k`, `j` serve it, in this order.

use super::units::Unit;
use crate::int::Int;
use crate::linalg::{Matrix, Row, combine, kernel, negate, normalize_by_gcd, rank, unit};

/// The linear part of an array reference, over the dimensions of its statement. See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The rows `G`, which outer schedule rows have to fix.
    outer: Vec<Row>,
    /// The rows `H`, to be stepped along, the outermost first.
    inner: Vec<Row>,
    dim: usize,
}

fn rank_of<'r>(rows: impl IntoIterator<Item = &'r Row>, dim: usize) -> usize {
    rank(&Matrix::new(rows.into_iter().cloned().collect(), dim))
}

/// Whether `row` is a combination of `rows`.
fn spans(rows: &[&Row], row: &Row) -> bool {
    let all = rows.iter().copied().chain([row]);
    rank_of(all, row.len()) == rank_of(rows.iter().copied(), row.len())
}

/// The rows of `more`, as far as they are needed, that extend `rows` to span both (`more \ rows`, P3 2.1).
fn extension(rows: &[Row], more: &[Row]) -> Vec<Row> {
    let mut all: Vec<&Row> = rows.iter().collect();
    let mut added = Vec::new();
    for row in more {
        if !spans(&all, row) {
            all.push(row);
            added.push(row.clone());
        }
    }
    added
}

impl Reference {
    /// The reference with these rows over `dim` dimensions. None if the rows of `inner` are not linearly independent of
    /// each other and of `outer`, as in `A[i][i]`: no schedule makes that consecutive.
    ///
    /// # Panics
    ///
    /// If a row has another width.
    pub fn new(outer: Vec<Row>, inner: Vec<Row>, dim: usize) -> Option<Reference> {
        assert!(
            outer.iter().chain(&inner).all(|row| row.len() == dim),
            "rows over the dimensions"
        );
        let independent = rank_of(outer.iter().chain(&inner), dim) == rank_of(&outer, dim) + inner.len();
        (independent && !inner.is_empty()).then_some(Reference { outer, inner, dim })
    }

    /// The rows `G`.
    pub fn outer(&self) -> &[Row] {
        &self.outer
    }

    /// The rows `H`.
    pub fn inner(&self) -> &[Row] {
        &self.inner
    }

    /// A reference that is consecutive only if both are (P3, 3.4), if there is one.
    pub fn compose(&self, other: &Reference) -> Option<Reference> {
        if self.dim != other.dim {
            return None;
        }
        if self.inner == other.inner {
            let outer = [self.outer.clone(), extension(&self.outer, &other.outer)].concat();
            return Reference::new(outer, self.inner.clone(), self.dim);
        }
        let all = [self.outer.clone(), self.inner.clone()].concat();
        let first: Vec<&Row> = all.iter().chain(&other.outer).collect();
        let joined = first.iter().copied().chain(&other.inner);
        if rank_of(joined, self.dim) < rank_of(first.iter().copied(), self.dim) + other.inner.len() {
            return None;
        }
        let outer = [self.outer.clone(), extension(&all, &other.outer)].concat();
        let inner = [self.inner.clone(), other.inner.clone()].concat();
        Reference::new(outer, inner, self.dim)
    }

    /// How far the reference is served by the rows `T0` of a schedule, after the rows `base`, which may be added to any row
    /// freely.
    pub(super) fn progress(&self, base: &[Row], rows: &[Row]) -> Progress {
        let mut progress = self.entered(base, &[]);
        for (index, row) in rows.iter().enumerate() {
            let before = &rows[..index];
            progress = match progress {
                Progress::Failed | Progress::Complete { .. } => return progress,
                Progress::Outer => {
                    let [t0, g, h] = [self.span(base, before, 0, 0), self.outer_rows(), self.inner_rows()];
                    let along = spans(&[&t0[..], &g].concat(), row) && !spans(&[&t0[..], &h].concat(), row);
                    let other = !spans(&[&t0[..], &g, &h].concat(), row) || spans(&t0, row);
                    if along || other {
                        self.entered(base, &rows[..=index])
                    } else {
                        Progress::Failed
                    }
                }
                Progress::Inner { outer, done } => {
                    let earlier = self.span(base, &rows[..outer], 0, done);
                    let steps = |sign: Int| spans(&earlier, &combine(&Int::ONE, row, &sign, &self.inner[done]));
                    let t0 = self.span(base, before, 0, 0);
                    if steps(-Int::ONE) || steps(Int::ONE) {
                        let done = done + 1;
                        if done == self.inner.len() {
                            Progress::Complete { outer }
                        } else {
                            Progress::Inner { outer, done }
                        }
                    } else if spans(&t0, row)
                        || !spans(&self.span(base, before, self.outer.len(), self.inner.len()), row)
                    {
                        progress
                    } else {
                        Progress::Failed
                    }
                }
            };
            // Are there still enough rows to come that are independent?
            let all = self.span(base, &rows[..=index], self.outer.len(), self.inner.len());
            let fixed = self.span(base, &rows[..=index], self.outer.len(), 0);
            let open = match progress {
                Progress::Outer => self.inner.len(),
                Progress::Inner { done, .. } => self.inner.len() - done,
                Progress::Failed | Progress::Complete { .. } => 0,
            };
            if open > rank_of(all, self.dim) - rank_of(fixed, self.dim) {
                return Progress::Failed;
            }
        }
        progress
    }

    /// The first phase, or the second one if the rows span `G`.
    fn entered(&self, base: &[Row], rows: &[Row]) -> Progress {
        let t0 = self.span(base, rows, 0, 0);
        if self.outer.iter().all(|row| spans(&t0, row)) {
            Progress::Inner {
                outer: rows.len(),
                done: 0,
            }
        } else {
            Progress::Outer
        }
    }

    fn outer_rows(&self) -> Vec<&Row> {
        self.outer.iter().collect()
    }

    fn inner_rows(&self) -> Vec<&Row> {
        self.inner.iter().collect()
    }

    /// `base`, `rows`, and as many rows of `G` and `H`.
    fn span<'r>(&'r self, base: &'r [Row], rows: &'r [Row], outer: usize, inner: usize) -> Vec<&'r Row> {
        let own = self.outer[..outer].iter().chain(&self.inner[..inner]);
        base.iter().chain(rows).chain(own).collect()
    }

    /// The forms that the next row may have (table 2) after the rows `rows`, with which it has come as far as `progress`.
    /// `dependent` says whether the row may depend on the ones before.
    pub(super) fn forms(&self, base: &[Row], rows: &[Row], progress: Progress, dependent: bool) -> Vec<Form> {
        let null = |rows: Vec<&Row>| kernel(&Matrix::new(rows.into_iter().cloned().collect(), self.dim)).rows;
        let t0 = || self.span(base, rows, 0, 0);
        let (mut forms, mut backward) = (Vec::new(), None);
        match progress {
            Progress::Failed | Progress::Complete { .. } => return forms,
            Progress::Outer => {
                let zero = null(self.span(base, rows, self.outer.len(), 0));
                let mut with_inner = t0();
                with_inner.extend(&self.inner);
                let nonzero = extension(&zero, &null(with_inner));
                forms.push(Form {
                    fixed: zero.into_iter().map(|row| (row, Int::ZERO)).collect(),
                    nonzero: normalized(nonzero),
                });
            }
            Progress::Inner { outer, done } => {
                let step = &self.inner[done];
                let earlier = self.span(base, &rows[..outer], 0, done);
                let zero = null(earlier.iter().copied().chain([step]).collect());
                let one = extension(&zero, &null(earlier));
                let value = |row: &Row| crate::linalg::dot(row, step);
                let zero = zero.into_iter().map(|row| (row, Int::ZERO));
                let one = one.into_iter().map(|row| {
                    let value = value(&row);
                    (row, value)
                });
                let forward: Vec<(Row, Int)> = zero.chain(one).collect();
                backward = Some(Form {
                    fixed: forward.iter().map(|(row, value)| (row.clone(), -value)).collect(),
                    nonzero: Vec::new(),
                });
                forms.push(Form {
                    fixed: forward,
                    nonzero: Vec::new(),
                });
            }
        }
        let elsewhere = null(self.span(base, rows, self.outer.len(), self.inner.len()));
        if !elsewhere.is_empty() {
            forms.push(Form {
                fixed: Vec::new(),
                nonzero: normalized(elsewhere),
            });
        }
        forms.extend(backward);
        if dependent {
            forms.push(Form {
                fixed: null(t0()).into_iter().map(|row| (row, Int::ZERO)).collect(),
                nonzero: Vec::new(),
            });
        }
        forms
    }
}

/// The references of a statement that serve as many accesses to consecutive arrays as possible, the ones that serve the
/// most first (P3, 3.4). `accesses` are the arrays, by any index, with the linear parts of the accesses to them.
///
/// An array is left out, with all its accesses, if no single reference covers these.
pub fn composed_references(accesses: &[(usize, Matrix)]) -> Vec<Reference> {
    let mut arrays: Vec<usize> = accesses.iter().map(|(array, _)| *array).collect();
    arrays.dedup();
    let mut single: Vec<(Vec<usize>, Reference)> = Vec::new();
    for array in arrays {
        if single.iter().any(|(covered, _)| covered.contains(&array)) {
            continue;
        }
        let own = accesses.iter().filter(|(other, _)| *other == array);
        let split = own.map(|(_, linear)| {
            let (inner, outer) = linear.rows.split_last()?;
            Reference::new(outer.to_vec(), vec![inner.clone()], linear.cols)
        });
        let composed = split.collect::<Option<Vec<Reference>>>().and_then(of_one_array);
        single.extend(composed.map(|reference| (vec![array], reference)));
    }
    // Each set of arrays is composed in one way, the first that is found.
    let mut all = single.clone();
    let mut next = 0;
    while next < all.len() && all.len() < MAX_COMPOSED {
        let (covered, reference) = all[next].clone();
        for (array, other) in &single {
            let mut both = [covered.clone(), array.clone()].concat();
            both.sort_unstable();
            if covered.contains(&array[0]) || all.iter().any(|(known, _)| *known == both) {
                continue;
            }
            let composed = reference.compose(other).or_else(|| other.compose(&reference));
            all.extend(composed.map(|reference| (both, reference)));
        }
        next += 1;
    }
    all.sort_by_key(|(covered, _)| std::cmp::Reverse(covered.len()));
    all.into_iter().map(|(_, reference)| reference).collect()
}

/// One reference that serves all of these, if it is found. Those that step along the same row come first: `(i | j)` and `(k | j)` are `(i, k | j)`,
/// which goes together with `(i | k)`, as `(i | k, j)`. Of `(i | j)` and `(i | k)` alone it would be `(i | j, k)`.
fn of_one_array(references: Vec<Reference>) -> Option<Reference> {
    let mut by_step: Vec<Reference> = Vec::new();
    for reference in references {
        match by_step.iter_mut().find(|known| known.inner == reference.inner) {
            Some(known) => *known = known.compose(&reference)?,
            None => by_step.push(reference),
        }
    }
    let mut by_step = by_step.into_iter();
    let first = by_step.next()?;
    by_step.try_fold(first, |all, other| all.compose(&other).or_else(|| other.compose(&all)))
}

/// The number of composed references at which no more are made.
const MAX_COMPOSED: usize = 64;

/// The first of `references` that can be served still, by its position, and how far it is, after rows `base` that may be
/// added freely and `rows`.
pub(super) fn served(references: &[Reference], base: &[Row], rows: &[Row]) -> Option<(usize, Progress)> {
    let progress = references.iter().map(|reference| reference.progress(base, rows));
    progress.enumerate().find(|(_, progress)| *progress != Progress::Failed)
}

/// How far a reference is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Some row has none of the forms.
    Failed,
    /// `G` is not spanned.
    Outer,
    /// The first `outer` rows span `G`, and `done` rows of `H` are there.
    Inner { outer: usize, done: usize },
    /// All rows of `H` are there.
    Complete { outer: usize },
}

/// A form that the next row `C` may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// `u.C = value`.
    pub(super) fixed: Vec<(Row, Int)>,
    /// If there are any, one of `v.C` is not zero.
    pub(super) nonzero: Vec<Row>,
}

/// The linear forms, each with as many final zeros as possible and a positive first entry; the ones with more final zeros
/// come first (P0, 6.5.6).
pub(super) fn normalized(mut rows: Vec<Row>) -> Vec<Row> {
    let cols = rows.first().map_or(0, |row| row.len());
    let mut settled = 0;
    for column in (0..cols).rev() {
        let open = rows.len() - settled;
        let pivot = (0..open)
            .filter(|&i| !rows[i][column].is_zero())
            .min_by(|&i, &j| rows[i][column].abs().cmp(&rows[j][column].abs()));
        let Some(pivot) = pivot else { continue };
        rows[..open].swap(pivot, open - 1);
        let (pivot, p) = (rows[open - 1].clone(), rows[open - 1][column].clone());
        for (i, row) in rows.iter_mut().enumerate() {
            if i != open - 1 && !row[column].is_zero() {
                *row = combine(&p, row, &-&row[column], &pivot);
                normalize_by_gcd(row);
            }
        }
        settled += 1;
    }
    for row in &mut rows {
        if row.iter().find(|v| !v.is_zero()).is_some_and(Int::is_neg) {
            negate(row);
        }
    }
    rows
}

/// The reference of a cluster that keeps its members from `first` on in their order, one step after the other, as those
/// serve references of its statements (P3, 3.5).
pub(super) fn kept_members(first: usize, members: usize) -> Option<Reference> {
    let rows: Vec<Row> = (0..members).map(|k| unit(members, k)).collect();
    Reference::new(rows[..first].to_vec(), rows[first..].to_vec(), members)
}

/// The forms wished for the next row of a unit: per reference that is being served, in the order in which they are to be
/// tried, without what an earlier one wishes too.
pub(super) fn wished_forms(unit: &Unit, rows: &[Row], dependent: bool) -> Vec<Vec<Form>> {
    let mut wished: Vec<Vec<Form>> = Vec::new();
    for reference in &unit.references {
        let forms = match reference.progress(&unit.base, &[&unit.done, rows].concat()) {
            Progress::Failed => continue,
            // The first one that can be served is the one that matters.
            Progress::Complete { .. } => break,
            progress => reference.forms(&unit.base, &[&unit.done, rows].concat(), progress, dependent),
        };
        let new = |form: &Form| !wished.iter().flatten().any(|known| known == form);
        let forms: Vec<Form> = forms.into_iter().filter(new).collect();
        if !forms.is_empty() {
            wished.push(forms);
        }
    }
    wished
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::row_from;

    fn reference(outer: &[&[i64]], inner: &[&[i64]], dim: usize) -> Reference {
        let rows = |rows: &[&[i64]]| rows.iter().map(|r| row_from(r)).collect();
        Reference::new(rows(outer), rows(inner), dim).unwrap()
    }

    #[test]
    fn references_of_matrix_multiplication() {
        // P3, listing 3 and equations 17 to 20, over (i, j, k).
        let [i, j, k] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let access = |rows: [&[i64]; 2]| Matrix::from_rows(&rows, 3);
        let accesses = [(0, access([&i, &k])), (1, access([&k, &j])), (2, access([&i, &j]))];
        let composed = composed_references(&accesses);
        assert_eq!(composed[0], reference(&[&i], &[&k, &j], 3));
        assert_eq!(composed.len(), 7);
        assert_eq!(composed[1..4].iter().filter(|r| r.inner.len() == 1).count(), 1);
        // The same array with other last subscripts, and one of which the last subscript is among the others.
        assert_eq!(composed_references(&[(0, access([&i, &j])), (0, access([&j, &i]))]), []);
        assert_eq!(composed_references(&[(0, access([&i, &i]))]), []);
    }

    #[test]
    fn progress_of_rows() {
        let [i, j, k] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
        let all = reference(&[&i], &[&k, &j], 3);
        let progress = |rows: &[&[i64]]| {
            let rows: Vec<Row> = rows.iter().map(|r| row_from(r)).collect();
            all.progress(&[], &rows)
        };
        assert_eq!(progress(&[]), Progress::Outer);
        assert_eq!(progress(&[&i]), Progress::Inner { outer: 1, done: 0 });
        assert_eq!(progress(&[&i, &[1, 0, 1]]), Progress::Inner { outer: 1, done: 1 });
        assert_eq!(progress(&[&i, &k, &j]), Progress::Complete { outer: 1 });
        assert_eq!(progress(&[&i, &k, &[0, -1, 0]]), Progress::Complete { outer: 1 });
        assert_eq!(progress(&[&i, &k, &[0, 2, 0]]), Progress::Failed);
        assert_eq!(progress(&[&i, &j]), Progress::Failed);
        assert_eq!(progress(&[&j]), Progress::Failed);
    }

    #[test]
    fn forms_of_the_transposition() {
        // P3, listing 1: C[j][i] = tmp[i][j], over (i, j), and equation 14.
        let transposed = reference(&[&[0, 1]], &[&[1, 0]], 2);
        let first = transposed.forms(&[], &[], Progress::Outer, false);
        let along = Form {
            fixed: vec![(row_from(&[1, 0]), Int::ZERO)],
            nonzero: vec![row_from(&[0, 1])],
        };
        assert_eq!(first, [along]);
        let rows = [row_from(&[0, 1])];
        let second = transposed.forms(&[], &rows, Progress::Inner { outer: 1, done: 0 }, false);
        let step = |by: Int| Form {
            fixed: vec![(row_from(&[1, 0]), by)],
            nonzero: Vec::new(),
        };
        assert_eq!(second, [step(Int::ONE), step(-Int::ONE)]);
    }

    #[test]
    fn linear_forms_are_normalized() {
        // P0, example 11.
        let forms = |known: &[&[i64]]| normalized(kernel(&Matrix::from_rows(known, 3)).rows);
        assert_eq!(forms(&[]), Matrix::identity(3).rows);
        assert_eq!(forms(&[&[4, 2, 1]]), [row_from(&[1, -2, 0]), row_from(&[1, 0, -4])]);
        assert_eq!(forms(&[&[4, 2, 1], &[1, 0, 0]]), [row_from(&[0, 1, -2])]);
    }
}
