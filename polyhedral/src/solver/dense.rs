//! A dense tableau over one block of memory, in narrow or wide numbers.
//!
//! A tableau has a row for every basic variable and a column for every other one. The row
//!
//! ```text
//! d v = c + a_1 y_1 + ... + a_m y_m        (d > 0; all numbers integers without common factor)
//! ```
//!
//! stored as `[d | c | a_1 .. a_m]`, rows one after the other, `stride` numbers each, of which those beyond the live
//! columns mean nothing. Columns are only ever dropped; when most are gone, the rows move together. An operation that ends
//! in [`Overflow`] has changed nothing, so that the tableau can be [widened](Dense::widen) and the operation repeated.

use super::number::{Number, Overflow};
use crate::int::Int;
use crate::linalg::Row;

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Column(usize),
    /// Dropped: fixed to 0, or of no further interest.
    Gone,
}

/// So many words of large numbers are as much work as a row of small ones.
const WORDS_A_UNIT: u64 = 8;

/// A number is small if its magnitude is less than this, and a constant if it is less than `SMALL_CONSTANT`. A sum of two products
/// of a small number and one that is small in its place is less than 2^63.
const SMALL: u64 = 1 << 24;
const SMALL_CONSTANT: u64 = 1 << 37;

/// Where one entry in so many is not zero, these are looked at one by one.
const FEW: usize = 4;

/// With factors less than this, a sum of `FEW_TERMS` products and of a number less than `HALF` is less than 2^63.
const SMALL_FACTOR: u64 = 1 << 20;
const FEW_TERMS: usize = 32;
const HALF: u64 = 1 << 61;

/// Where the denominator of a row is.
pub(super) const DEN: usize = 0;
/// Where the constant of a row is.
pub(super) const CONST: usize = 1;
/// Where the columns of a row start.
pub(super) const COLS: usize = 2;

#[derive(Debug)]
pub(super) struct Dense<S> {
    stride: usize,
    data: Vec<S>,
    /// All numbers are small: rows change in place, without a check for overflow.
    is_small: bool,
    /// For a pivot: the row that it is about and its entries that are not zero. Where numbers are not small, also the other rows
    /// that change, as they will be, and which these are.
    source: Vec<S>,
    nonzero: Vec<usize>,
    spare: Vec<S>,
    changed: Vec<usize>,
    /// The variable of each row.
    pub(super) row_vars: Vec<usize>,
    /// The variable of each live column.
    pub(super) col_vars: Vec<usize>,
    /// The place of each variable.
    pub(super) places: Vec<Place>,
}

/// A copy has room for so many rows more.
const ROOM: usize = 2;

impl<S: Clone> Clone for Dense<S> {
    fn clone(&self) -> Self {
        Dense {
            stride: self.stride,
            data: with_room(&self.data, ROOM * self.stride),
            is_small: self.is_small,
            // What is in the buffers means nothing between two operations.
            source: Vec::new(),
            nonzero: Vec::new(),
            spare: Vec::new(),
            changed: Vec::new(),
            row_vars: with_room(&self.row_vars, ROOM),
            col_vars: self.col_vars.clone(),
            places: with_room(&self.places, ROOM),
        }
    }
}

fn with_room<T: Clone>(values: &[T], more: usize) -> Vec<T> {
    let mut copy = Vec::with_capacity(values.len() + more);
    copy.extend_from_slice(values);
    copy
}

impl<S: Number> Dense<S> {
    /// A tableau of `n` column variables and no rows, with room for `rows`.
    pub(super) fn new(n: usize, rows: usize) -> Dense<S> {
        let stride = n + COLS;
        let mut places = Vec::with_capacity(n + rows);
        places.extend((0..n).map(Place::Column));
        Dense {
            stride,
            data: Vec::with_capacity(stride * rows),
            is_small: true,
            source: Vec::with_capacity(stride),
            nonzero: Vec::with_capacity(stride),
            spare: Vec::new(),
            changed: Vec::new(),
            row_vars: Vec::with_capacity(rows),
            col_vars: (0..n).collect(),
            places,
        }
    }

    /// The same tableau in wide numbers.
    pub(super) fn widen(&self) -> Dense<Int> {
        Dense {
            stride: self.stride,
            data: self.data.iter().map(S::to_int).collect(),
            is_small: true,
            source: Vec::new(),
            nonzero: Vec::new(),
            spare: Vec::new(),
            changed: Vec::new(),
            row_vars: self.row_vars.clone(),
            col_vars: self.col_vars.clone(),
            places: self.places.clone(),
        }
    }

    /// Goes on with the buffers of a tableau that is needed no more.
    pub(super) fn take_buffers(&mut self, other: Dense<S>) {
        self.source = other.source;
        self.nonzero = other.nonzero;
        self.spare = other.spare;
        self.changed = other.changed;
    }

    pub(super) fn n_rows(&self) -> usize {
        self.row_vars.len()
    }

    pub(super) fn n_cols(&self) -> usize {
        self.col_vars.len()
    }

    /// Row `i`: `[d | c | a_1 .. a_m]`.
    pub(super) fn row(&self, i: usize) -> &[S] {
        &self.data[i * self.stride..][..COLS + self.col_vars.len()]
    }

    /// The denominator of row `i`, positive.
    pub(super) fn den(&self, i: usize) -> &S {
        &self.data[i * self.stride + DEN]
    }

    /// The constant of row `i`.
    pub(super) fn constant(&self, i: usize) -> &S {
        &self.data[i * self.stride + CONST]
    }

    /// The entry of row `i` in column `j`.
    pub(super) fn entry(&self, i: usize, j: usize) -> &S {
        &self.data[i * self.stride + COLS + j]
    }

    /// Adds a new basic variable `c + a_1 x_1 + ..` for `row = [c, a_1..]` over the first variables, as the last row, and
    /// returns it. None of the variables with a non-zero coefficient may be gone.
    pub(super) fn add_row(&mut self, row: &[Int]) -> Result<usize, Overflow> {
        let terms = row[1..].iter().enumerate().filter(|(_, a)| !a.is_zero());
        self.add_form(&row[0], terms)
    }

    /// The same for `constant` and the sum of some `a x_v`, given as pairs `(v, a)` with `a` not zero.
    pub(super) fn add_form<'a>(
        &mut self,
        constant: &Int,
        terms: impl Iterator<Item = (usize, &'a Int)> + Clone,
    ) -> Result<usize, Overflow> {
        let start = self.data.len();
        self.data.resize(start + self.stride, S::ZERO);
        match self.express(constant, terms, start) {
            Ok(()) => {
                self.is_small &= is_small(&self.data[start..]);
                let variable = self.places.len();
                self.places.push(Place::Row(self.row_vars.len()));
                self.row_vars.push(variable);
                Ok(variable)
            }
            Err(Overflow) => {
                self.data.truncate(start);
                Err(Overflow)
            }
        }
    }

    fn express<'a>(
        &mut self,
        constant: &Int,
        terms: impl Iterator<Item = (usize, &'a Int)> + Clone,
        start: usize,
    ) -> Result<(), Overflow> {
        let width = COLS + self.col_vars.len();
        let (done, new) = self.data.split_at_mut(start);
        let new = &mut new[..width];
        let mut den = S::ONE;
        let mut n_terms = 0;
        for (variable, _) in terms.clone() {
            n_terms += 1;
            if let Place::Row(i) = self.places[variable] {
                let other = &done[i * self.stride + DEN];
                if !other.is_one() {
                    den = den.times(&other.div_exact(&den.gcd(other)))?;
                }
            }
        }
        new[CONST] = S::narrow(constant)?.times(&den)?;
        let mut fits = self.is_small && n_terms <= FEW_TERMS && new[CONST].magnitude() < HALF;
        for (variable, a) in terms {
            let a = S::narrow(a)?;
            match self.places[variable] {
                Place::Column(j) => {
                    new[COLS + j] = S::combine(&a, &den, &S::ONE, &new[COLS + j])?;
                    fits &= new[COLS + j].magnitude() < HALF;
                }
                Place::Row(i) => {
                    let source = &done[i * self.stride..][..width];
                    let factor = a.times(&den.div_exact(&source[DEN]))?;
                    if fits && factor.magnitude() < SMALL_FACTOR {
                        S::add_multiple(&mut new[CONST..], &factor, &source[CONST..]);
                        continue;
                    }
                    // The sum may be as large as any number now.
                    fits = false;
                    for (entry, b) in new[CONST..].iter_mut().zip(&source[CONST..]) {
                        if !b.is_zero() {
                            *entry = S::combine(&factor, b, &S::ONE, entry)?;
                        }
                    }
                }
                Place::Gone => unreachable!("an expression of a variable that is gone"),
            }
        }
        new[DEN] = den;
        reduce(new);
        Ok(())
    }

    /// Adds a new basic variable with the row `[d | c | a_1 .. a_m]`, as the last one.
    pub(super) fn add_entries(&mut self, entries: &[S]) {
        let start = self.data.len();
        debug_assert_eq!(entries.len(), COLS + self.col_vars.len());
        self.data.extend_from_slice(entries);
        self.data.resize(start + self.stride, S::ZERO);
        reduce(&mut self.data[start..start + entries.len()]);
        self.is_small &= is_small(&self.data[start..]);
        let variable = self.places.len();
        self.places.push(Place::Row(self.row_vars.len()));
        self.row_vars.push(variable);
    }

    /// Turns the variable of row `i` into its negation.
    pub(super) fn negate_row(&mut self, i: usize) {
        let (start, width) = (i * self.stride, COLS + self.col_vars.len());
        for x in &mut self.data[start + CONST..start + width] {
            *x = x.negated();
        }
    }

    /// Adds a new basic variable that is the negation of `variable`, as the last row, and returns it.
    pub(super) fn add_negation(&mut self, variable: usize) -> usize {
        let start = self.data.len();
        self.data.resize(start + self.stride, S::ZERO);
        match self.places[variable] {
            Place::Row(i) => {
                self.data[start] = self.den(i).clone();
                for k in CONST..COLS + self.col_vars.len() {
                    self.data[start + k] = self.data[i * self.stride + k].negated();
                }
            }
            Place::Column(j) => {
                self.data[start] = S::ONE;
                self.data[start + COLS + j] = S::ONE.negated();
            }
            Place::Gone => self.data[start] = S::ONE,
        }
        let negation = self.places.len();
        self.places.push(Place::Row(self.row_vars.len()));
        self.row_vars.push(negation);
        negation
    }

    /// Exchanges the variables of row `i` and column `j`, whose entry there must not be 0. Returns the work that this was:
    /// the number of rows that have changed, and more where numbers are large.
    pub(super) fn pivot(&mut self, i: usize, j: usize) -> Result<u64, Overflow> {
        let (stride, width, at) = (self.stride, COLS + self.col_vars.len(), COLS + j);
        // den * v = c + .. + p * y + ..  becomes  p * y = den * v - c - ..
        let source = &mut self.source;
        source.clear();
        source.extend_from_slice(&self.data[i * stride..][..width]);
        let minus_den = source[DEN].negated();
        let p = std::mem::replace(&mut source[at], minus_den);
        assert!(!p.is_zero(), "pivot on zero");
        source[DEN] = p.abs();
        if p.is_pos() {
            for x in &mut source[CONST..] {
                *x = x.negated();
            }
        }
        reduce(source);
        self.nonzero.clear();
        self.nonzero.extend((CONST..width).filter(|&c| !source[c].is_zero()));
        let work = match self.is_small {
            true => self.eliminate_small(i, at),
            false => self.eliminate(i, at)?,
        };
        self.data[i * stride..][..width].swap_with_slice(&mut self.source);
        let leaving = std::mem::replace(&mut self.row_vars[i], self.col_vars[j]);
        self.col_vars[j] = leaving;
        self.places[leaving] = Place::Column(j);
        self.places[self.row_vars[i]] = Place::Row(i);
        Ok(1 + work)
    }

    /// Replaces the variable of column `at` in all rows but `i` by what the new row `source` says. Numbers are small. Returns the
    /// work that it was.
    fn eliminate_small(&mut self, i: usize, at: usize) -> u64 {
        let (width, source) = (COLS + self.col_vars.len(), &self.source[..]);
        let columns = match self.nonzero.first() {
            Some(&CONST) => &self.nonzero[1..],
            _ => &self.nonzero[..],
        };
        let (mut changed, mut words) = (0, 0);
        let (mut largest, mut largest_constant) = (0, 0);
        for (k, row) in self.data.chunks_exact_mut(self.stride).enumerate() {
            if k == i || row[at].is_zero() {
                continue;
            }
            let row = &mut row[..width];
            let (own, other) = factors(source, std::mem::replace(&mut row[at], S::ZERO));
            if !own.is_one() {
                row.iter_mut().for_each(|x| x.scale(&own));
                largest = row[COLS..].iter().fold(largest, |all, x| all | x.magnitude());
                largest |= row[DEN].magnitude();
            }
            let few = FEW * columns.len() < width;
            if few || !(other.is_one() || other.negated().is_one()) {
                row[CONST].add_product(&other, &source[CONST]);
                for &c in columns {
                    row[c].add_product(&other, &source[c]);
                }
            } else {
                S::add_multiple(&mut row[CONST..], &other, &source[CONST..]);
            }
            reduce(row);
            largest = columns.iter().fold(largest, |all, &c| all | row[c].magnitude());
            largest_constant |= row[CONST].magnitude();
            words += row.iter().map(S::words_on_heap).sum::<u64>();
            changed += 1;
        }
        self.is_small = largest < SMALL && largest_constant < SMALL_CONSTANT;
        changed + words / WORDS_A_UNIT
    }

    /// The same for any numbers. Nothing has changed where there is an overflow.
    fn eliminate(&mut self, i: usize, at: usize) -> Result<u64, Overflow> {
        let (stride, width, source) = (self.stride, COLS + self.col_vars.len(), &self.source[..]);
        self.spare.clear();
        self.changed.clear();
        let mut words = 0;
        for k in (0..self.row_vars.len()).filter(|&k| k != i) {
            let row = &self.data[k * stride..][..width];
            if row[at].is_zero() {
                continue;
            }
            let start = self.spare.len();
            let (own, other) = factors(source, row[at].clone());
            self.spare.extend_from_slice(row);
            let new = &mut self.spare[start..];
            new[at] = S::ZERO;
            if !own.is_one() {
                for x in new.iter_mut().filter(|x| !x.is_zero()) {
                    *x = own.times(x)?;
                }
            }
            for &c in &self.nonzero {
                new[c] = S::combine(&S::ONE, &new[c], &other, &source[c])?;
            }
            reduce(new);
            words += new.iter().map(S::words_on_heap).sum::<u64>();
            self.changed.push(k);
        }
        // There is no overflow any more.
        for (new, &k) in self.spare.chunks_exact_mut(width).zip(&self.changed) {
            self.data[k * stride..][..width].swap_with_slice(new);
        }
        Ok(self.changed.len() as u64 + words / WORDS_A_UNIT)
    }

    /// Fixes the variable of column `j` to 0 and drops it.
    pub(super) fn drop_column(&mut self, j: usize) {
        let last = self.col_vars.len() - 1;
        self.places[self.col_vars[j]] = Place::Gone;
        self.col_vars.swap_remove(j);
        if let Some(&moved) = self.col_vars.get(j) {
            self.places[moved] = Place::Column(j);
        }
        for row in self.data.chunks_exact_mut(self.stride) {
            row.swap(COLS + j, COLS + last);
            reduce(&mut row[..COLS + last]);
        }
        if 2 * (COLS + last) <= self.stride {
            self.move_together(COLS + last);
        }
    }

    /// Makes `stride` the number of entries of a row, which are not more than before.
    fn move_together(&mut self, stride: usize) {
        for i in 1..self.row_vars.len() {
            for k in 0..stride {
                self.data.swap(i * stride + k, i * self.stride + k);
            }
        }
        self.data.truncate(self.row_vars.len() * stride);
        self.stride = stride;
    }

    /// Drops the basic variable of row `i`.
    pub(super) fn drop_row(&mut self, i: usize) {
        let last = self.row_vars.len() - 1;
        self.places[self.row_vars[i]] = Place::Gone;
        self.row_vars.swap_remove(i);
        if i < last {
            self.places[self.row_vars[i]] = Place::Row(i);
            for k in 0..self.stride {
                self.data.swap(i * self.stride + k, last * self.stride + k);
            }
        }
        self.data.truncate(last * self.stride);
    }

    /// Drops the last variable, which is the basic variable of the last row.
    pub(super) fn forget_last(&mut self) {
        debug_assert_eq!(self.row_vars.last(), Some(&(self.places.len() - 1)));
        self.row_vars.pop();
        self.places.pop();
        self.data.truncate(self.row_vars.len() * self.stride);
    }

    /// The value of a variable at the sample point, as numerator and positive denominator.
    pub(super) fn sample_value(&self, variable: usize) -> (Int, Int) {
        match self.places[variable] {
            Place::Row(i) => (self.constant(i).to_int(), self.den(i).to_int()),
            Place::Column(_) | Place::Gone => (Int::ZERO, Int::ONE),
        }
    }

    /// The values of the first `n` variables at the sample point: numerators and their common positive denominator.
    pub(super) fn sample(&self, n: usize) -> (Row, Int) {
        let mut den = Int::ONE;
        for place in &self.places[..n] {
            if let Place::Row(i) = *place
                && !self.den(i).is_one()
            {
                den = den.lcm(&self.sample_value(self.row_vars[i]).1);
            }
        }
        let value = |v: usize| {
            let (num, own) = self.sample_value(v);
            if den == own { num } else { num * den.div_exact(&own) }
        };
        ((0..n).map(value).collect(), den.clone())
    }
}

/// The factors of a row and of `source` in their sum that is without a column, in which the row has `entry`.
#[inline]
fn factors<S: Number>(source: &[S], entry: S) -> (S, S) {
    if source[DEN].is_one() {
        return (S::ONE, entry);
    }
    let gcd = entry.gcd(&source[DEN]);
    (source[DEN].div_exact(&gcd), entry.div_exact(&gcd))
}

/// Whether all numbers of a row are small.
fn is_small<S: Number>(row: &[S]) -> bool {
    row[CONST].magnitude() < SMALL_CONSTANT
        && row[DEN].magnitude() < SMALL
        && row[COLS..].iter().fold(0, |all, x| all | x.magnitude()) < SMALL
}

/// Divides out the common factor of a row.
fn reduce<S: Number>(row: &mut [S]) {
    let mut gcd = row[DEN].clone();
    if gcd.is_one() {
        return;
    }
    for x in row[CONST..].iter().filter(|x| !x.is_zero()) {
        // A division is faster than Euclid's algorithm.
        if x.remainder(&gcd).is_zero() {
            continue;
        }
        gcd = gcd.gcd(x);
        if gcd.is_one() {
            return;
        }
    }
    for x in row.iter_mut().filter(|x| !x.is_zero()) {
        *x = x.div_exact(&gcd);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers about the bounds of what is small, and small ones.
    fn number() -> impl Strategy<Value = i64> {
        let bounds = prop_oneof![Just(20), Just(24), Just(37), Just(61)];
        let near = (bounds, -1_i64..=1, any::<bool>()).prop_map(|(bits, off, negative)| {
            let x = (1_i64 << bits) + off;
            if negative { -x } else { x }
        });
        prop_oneof![6 => -3_i64..=3, 1 => near]
    }

    #[test]
    fn a_small_factor_behind_a_large_one_is_added_with_a_check() {
        let mut narrow = Dense::<i64>::new(1, 0);
        let row = |constant: i64| [Int::from(constant), Int::ZERO];
        let small = |row: Result<usize, Overflow>| row.unwrap_or_else(|_| panic!("small numbers"));
        let first = small(narrow.add_row(&row((1 << 13) - 1)));
        let second = small(narrow.add_row(&row(1 << 36)));
        // (2^13 - 1) 2^50 + 2^36 2^19 is more than 2^63.
        let factors = [Int::from(1_i64 << 50), Int::from(1_i64 << 19)];
        let terms = [(first, &factors[0]), (second, &factors[1])];
        assert!(narrow.add_form(&Int::ZERO, terms.into_iter()).is_err());
    }

    proptest! {
        /// Tableaus of narrow numbers, in place or not, are those of wide ones unless they say that there was an overflow.
        #[test]
        fn narrow_tableaus_agree_with_wide_ones(
            rows in proptest::collection::vec(proptest::collection::vec(number(), 5), 1..6),
            pivots in proptest::collection::vec((0_usize..6, 0_usize..4), 0..6),
        ) {
            let (mut narrow, mut wide) = (Dense::<i64>::new(4, 0), Dense::<Int>::new(4, 0));
            let mut pivots = pivots.into_iter();
            for row in rows {
                let row: Row = row.into_iter().map(Int::from).collect();
                if narrow.add_row(&row).is_err() {
                    return Ok(());
                }
                prop_assert!(wide.add_row(&row).is_ok());
                if let Some((i, j)) = pivots.next()
                    && i < wide.n_rows()
                    && !wide.entry(i, j).is_zero()
                {
                    let Ok(work) = narrow.pivot(i, j) else { return Ok(()) };
                    prop_assert_eq!(wide.pivot(i, j), Ok(work));
                }
                for i in 0..wide.n_rows() {
                    let narrow: Vec<Int> = narrow.row(i).iter().map(Number::to_int).collect();
                    prop_assert_eq!(&narrow[..], wide.row(i));
                }
            }
        }
    }
}
