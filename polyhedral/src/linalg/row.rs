//! Rows: vectors of exact integers.

use crate::int::{Int, gcd_u64};
use smallvec::SmallVec;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// So many entries of a row are kept inline: most have no more.
const INLINE: usize = 12;

/// A vector of integers: the coefficients of a linear form, or a point.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Row(SmallVec<[Int; INLINE]>);

impl Row {
    /// The row without entries.
    pub fn new() -> Row {
        Row(SmallVec::new())
    }

    /// The row without entries that has room for `n`.
    pub fn with_capacity(n: usize) -> Row {
        Row(SmallVec::with_capacity(n))
    }

    /// The row of `n` entries that begins with `entries`, all others being zero. There are at most `n` entries.
    pub fn padded(entries: &[Int], n: usize) -> Row {
        debug_assert!(entries.len() <= n);
        if n > INLINE {
            let mut row = Vec::with_capacity(n);
            row.extend_from_slice(entries);
            row.resize(n, Int::ZERO);
            return Row(SmallVec::from_vec(row));
        }
        // A loop of constant length is unrolled.
        let entry = |k| entries.get(k).map_or(Int::ZERO, Int::clone);
        Row(SmallVec::from_buf_and_len(std::array::from_fn(entry), n))
    }

    /// Keeps the entries at these positions, which ascend.
    pub fn select(&mut self, positions: &[usize]) {
        let entries: &mut [Int] = self;
        for (to, &from) in positions.iter().enumerate() {
            entries.swap(to, from);
        }
        self.truncate(positions.len());
    }
}

impl Deref for Row {
    type Target = SmallVec<[Int; INLINE]>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Row {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Clone for Row {
    fn clone(&self) -> Row {
        Row::padded(self, self.len())
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl From<&[Int]> for Row {
    fn from(entries: &[Int]) -> Row {
        Row::padded(entries, entries.len())
    }
}

impl From<Vec<Int>> for Row {
    fn from(entries: Vec<Int>) -> Row {
        Row(SmallVec::from(entries))
    }
}

impl FromIterator<Int> for Row {
    fn from_iter<I: IntoIterator<Item = Int>>(entries: I) -> Row {
        Row(entries.into_iter().collect())
    }
}

impl IntoIterator for Row {
    type Item = Int;
    type IntoIter = smallvec::IntoIter<[Int; INLINE]>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Row {
    type Item = &'a Int;
    type IntoIter = std::slice::Iter<'a, Int>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Row {
    type Item = &'a mut Int;
    type IntoIter = std::slice::IterMut<'a, Int>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

/// The row of `n` zeros.
pub fn zeros(n: usize) -> Row {
    Row::padded(&[], n)
}

/// The row with the given small entries.
pub fn row_from(entries: &[i64]) -> Row {
    entries.iter().map(|&v| Int::from(v)).collect()
}

/// The row of `n` entries that is 1 at `position` and 0 elsewhere.
pub fn unit(n: usize, position: usize) -> Row {
    let mut row = zeros(n);
    row[position] = Int::ONE;
    row
}

/// The scalar product of two rows of the same length.
pub fn dot(a: &[Int], b: &[Int]) -> Int {
    debug_assert_eq!(a.len(), b.len());
    let mut sum = Int::ZERO;
    for (x, y) in a.iter().zip(b) {
        if !x.is_zero() && !y.is_zero() {
            sum.add_mul(x, y);
        }
    }
    sum
}

/// `f * a + g * b`, for two rows of the same length.
pub fn combine(f: &Int, a: &[Int], g: &Int, b: &[Int]) -> Row {
    debug_assert_eq!(a.len(), b.len());
    let entry = |(x, y): (&Int, &Int)| {
        let mut sum = if x.is_zero() { Int::ZERO } else { f * x };
        if !y.is_zero() {
            sum.add_mul(g, y);
        }
        sum
    };
    a.iter().zip(b).map(entry).collect()
}

/// Turns `row` into `-row`.
pub fn negate(row: &mut [Int]) {
    for entry in row {
        *entry = -&*entry;
    }
}

/// The greatest common divisor of the entries: 0 for a zero row.
pub fn content(row: &[Int]) -> Int {
    let mut gcd = 0;
    for entry in row {
        match entry.to_i64() {
            Some(0) => {}
            Some(1 | -1) => return Int::ONE,
            Some(value) => gcd = gcd_u64(gcd, value.unsigned_abs()),
            None => return row.iter().fold(Int::ZERO, |gcd, entry| gcd.gcd(entry)),
        }
    }
    Int::from(gcd)
}

/// Divides the entries by their greatest common divisor.
pub fn normalize_by_gcd(row: &mut [Int]) {
    let gcd = content(row);
    if !gcd.is_zero() && !gcd.is_one() {
        for entry in row {
            *entry = entry.div_exact(&gcd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_operations() {
        let (a, b) = (row_from(&[1, -2, 3]), row_from(&[4, 5, 6]));
        assert_eq!(dot(&a, &b), 12);
        assert_eq!(combine(&Int::from(2), &a, &Int::from(-1), &b), row_from(&[-2, -9, 0]));
        let mut c = row_from(&[6, -9, 0, 12]);
        normalize_by_gcd(&mut c);
        assert_eq!(c, row_from(&[2, -3, 0, 4]));
        negate(&mut c);
        assert_eq!(c, row_from(&[-2, 3, 0, -4]));
        assert_eq!(content(&row_from(&[0, 0])), 0);
        assert_eq!(unit(3, 1), row_from(&[0, 1, 0]));
    }

    #[test]
    fn rows_of_any_length_are_copied_and_widened() {
        let large: Int = "100000000000000000000".parse().expect("a number");
        for n in [0, 1, INLINE - 1, INLINE, INLINE + 1, 3 * INLINE] {
            let row: Row = (0..n).map(|k| &large * &Int::from(k)).collect();
            assert_eq!(row.clone(), row);
            let wide = Row::padded(&row, n + 2);
            assert_eq!((&wide[..n], &wide[n..]), (&row[..], &[Int::ZERO, Int::ZERO][..]));
        }
    }

    #[test]
    fn selected_entries_stay_in_order() {
        let mut row = row_from(&[1, 2, 3, 4, 5]);
        row.select(&[0, 2, 4]);
        assert_eq!(row, row_from(&[1, 3, 5]));
    }
}
