//! Transpositions in registers.
//!
//! A block of `b` iterations and `l` lanes is a matrix. In memory, each lane has a *row* of `b` elements; in registers,
//! each iteration has a *column* of `l` lanes. From rows to columns:
//!
//! 1. Rows `r`, `r + b`, `r + 2b`, .. are joined to a vector of `l` elements: `b` vectors of square chunks.
//! 2. The chunks are transposed in units of 128 bits: for `d = b / 2, b / 4, ..`, vectors that are `d` apart exchange
//!    units.
//! 3. Units of 128 bits are transposed by interleaving the halves of two vectors, which is an instruction on x86 and on
//!    AArch64.
//!
//! With 4 rows of 4 `float`s, only the last step is left:
//!
//! ```text
//! a0 a1 a2 a3        a0 b0 a1 b1        a0 b0 c0 d0
//! b0 b1 b2 b3   ->   a2 b2 a3 b3   ->   a1 b1 c1 d1
//! c0 c1 c2 c3        c0 d0 c1 d1        a2 b2 c2 d2
//! d0 d1 d2 d3        c2 d2 c3 d3        a3 b3 c3 d3
//! ```
//!
//! All numbers are powers of two, and `b` is at most `l`.

use super::shuffle::Shuffle;

/// The width that instructions shuffle without crossing.
const UNIT_BITS: usize = 128;

/// The columns of a matrix in rows of as many elements of `bits` bits as there are to be columns.
pub(super) fn columns<S: Shuffle>(on: &S, rows: &[S::Vector], bits: u32) -> Vec<S::Vector> {
    let n = on.width(&rows[0]);
    let mut joined = rows.to_vec();
    while joined.len() > n {
        let pair = |chunks: &[S::Vector]| -> Vec<S::Vector> {
            let width = on.width(&chunks[0]);
            (0..n)
                .map(|r| shuffled(on, &chunks[r], &chunks[r + n], 0..2 * width))
                .collect()
        };
        joined = joined.chunks(2 * n).flat_map(pair).collect();
    }
    squares(on, joined, bits)
}

/// The rows of a matrix in columns of elements of `bits` bits: one for each lane.
pub(super) fn rows<S: Shuffle>(on: &S, columns: &[S::Vector], bits: u32) -> Vec<S::Vector> {
    let (n, lanes) = (columns.len(), on.width(&columns[0]));
    let joined = squares(on, columns.to_vec(), bits);
    let row = |lane: usize| {
        let (vector, first) = (&joined[lane % n], lane / n * n);
        match lanes == n {
            true => vector.clone(),
            false => shuffled(on, vector, vector, first..first + n),
        }
    };
    (0..lanes).map(row).collect()
}

/// Transposes each square chunk of the vectors, which are as many as a chunk has elements in a row.
fn squares<S: Shuffle>(on: &S, mut vectors: Vec<S::Vector>, bits: u32) -> Vec<S::Vector> {
    let (n, width) = (vectors.len(), on.width(&vectors[0]));
    let unit = (UNIT_BITS / bits as usize).clamp(1, n);
    let mut distance = n / 2;
    while distance >= unit {
        for first in (0..n).filter(|first| first & distance == 0) {
            let (one, other) = (vectors[first].clone(), vectors[first + distance].clone());
            let is_even = |e: usize| (e / distance).is_multiple_of(2);
            let low = (0..width).map(|e| if is_even(e) { e } else { width + e - distance });
            let high = (0..width).map(|e| if is_even(e) { e + distance } else { width + e });
            vectors[first] = shuffled(on, &one, &other, low);
            vectors[first + distance] = shuffled(on, &one, &other, high);
        }
        distance /= 2;
    }
    vectors.chunks(unit).flat_map(|group| units(on, group)).collect()
}

/// Transposes each unit of so many elements as there are vectors.
fn units<S: Shuffle>(on: &S, vectors: &[S::Vector]) -> Vec<S::Vector> {
    let (n, width) = (vectors.len(), on.width(&vectors[0]));
    // For each group of rows, the vectors of its groups of columns. A vector has, of each column, as many elements as
    // there are rows in a group.
    let mut groups: Vec<Vec<S::Vector>> = vectors.iter().map(|vector| vec![vector.clone()]).collect();
    let mut rows = 1;
    while rows < n {
        // The element of the two vectors, one after the other, that comes to position `e`.
        let source = |e: usize, half: usize| {
            let (piece, offset) = (e % n / rows, e % rows);
            let start = e / n * n + half * (n / 2) + piece / 2 * rows + offset;
            start + piece % 2 * width
        };
        let pairs = groups.chunks(2).map(|pair| {
            let interleaved = |one: &S::Vector, other: &S::Vector| {
                [0, 1].map(|half| shuffled(on, one, other, (0..width).map(|e| source(e, half))))
            };
            let vectors = pair[0].iter().zip(&pair[1]);
            vectors.flat_map(|(one, other)| interleaved(one, other)).collect()
        });
        groups = pairs.collect();
        rows *= 2;
    }
    groups.pop().expect("one group of all rows")
}

fn shuffled<S: Shuffle>(
    on: &S,
    one: &S::Vector,
    other: &S::Vector,
    elements: impl Iterator<Item = usize>,
) -> S::Vector {
    on.shuffle(one, other, &elements.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{columns, rows};
    use crate::vector::shuffle::numbers::Numbers;

    fn check(lanes: usize, n: usize, bits: u32) {
        let own: Vec<Vec<usize>> = (0..lanes).map(|r| (r * n..(r + 1) * n).collect()).collect();
        let expected: Vec<Vec<usize>> = (0..n).map(|e| (0..lanes).map(|r| r * n + e).collect()).collect();
        let transposed = columns(&Numbers, &own, bits);
        assert_eq!(transposed, expected, "columns of {lanes} x {n} elements of {bits} bits");
        assert_eq!(
            rows(&Numbers, &transposed, bits),
            own,
            "rows of {lanes} x {n} elements of {bits} bits"
        );
    }

    #[test]
    fn all_shapes() {
        for bits in [8, 16, 32, 64] {
            for lanes in [2, 4, 8, 16, 32, 64] {
                for n in [2, 4, 8, 16].into_iter().filter(|n| *n <= lanes) {
                    check(lanes, n, bits);
                }
            }
        }
    }
}
