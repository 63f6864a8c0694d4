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

use farkas_llvm::inkwell::builder::Builder;
use farkas_llvm::inkwell::types::VectorType;
use farkas_llvm::inkwell::values::VectorValue;

use crate::arith::BUILDS;

/// The width that instructions shuffle without crossing.
const UNIT_BITS: usize = 128;

/// The columns of a matrix in rows of as many elements of `bits` bits as there are to be columns.
pub(super) fn columns<'a>(builder: &Builder<'a>, rows: &[VectorValue<'a>], bits: u32) -> Vec<VectorValue<'a>> {
    let n = rows[0].get_type().get_size() as usize;
    let mut joined = rows.to_vec();
    while joined.len() > n {
        let pair = |chunks: &[VectorValue<'a>]| -> Vec<VectorValue<'a>> {
            let width = chunks[0].get_type().get_size() as usize;
            (0..n)
                .map(|r| shuffle(builder, chunks[r], chunks[r + n], 0..2 * width))
                .collect()
        };
        joined = joined.chunks(2 * n).flat_map(pair).collect();
    }
    squares(builder, joined, bits)
}

/// The rows of a matrix in columns of elements of `bits` bits: one for each lane.
pub(super) fn rows<'a>(builder: &Builder<'a>, columns: &[VectorValue<'a>], bits: u32) -> Vec<VectorValue<'a>> {
    let (n, lanes) = (columns.len(), columns[0].get_type().get_size() as usize);
    let joined = squares(builder, columns.to_vec(), bits);
    let row = |lane: usize| {
        let (vector, first) = (joined[lane % n], lane / n * n);
        match lanes == n {
            true => vector,
            false => shuffle(builder, vector, vector, first..first + n),
        }
    };
    (0..lanes).map(row).collect()
}

/// Transposes each square chunk of the vectors, which are as many as a chunk has elements in a row.
fn squares<'a>(builder: &Builder<'a>, mut vectors: Vec<VectorValue<'a>>, bits: u32) -> Vec<VectorValue<'a>> {
    let (n, width) = (vectors.len(), vectors[0].get_type().get_size() as usize);
    let unit = (UNIT_BITS / bits as usize).clamp(1, n);
    let mut distance = n / 2;
    while distance >= unit {
        for first in (0..n).filter(|first| first & distance == 0) {
            let (one, other) = (vectors[first], vectors[first + distance]);
            let is_even = |e: usize| (e / distance).is_multiple_of(2);
            let low = (0..width).map(|e| if is_even(e) { e } else { width + e - distance });
            let high = (0..width).map(|e| if is_even(e) { e + distance } else { width + e });
            vectors[first] = shuffle(builder, one, other, low);
            vectors[first + distance] = shuffle(builder, one, other, high);
        }
        distance /= 2;
    }
    vectors.chunks(unit).flat_map(|group| units(builder, group)).collect()
}

/// Transposes each unit of so many elements as there are vectors.
fn units<'a>(builder: &Builder<'a>, vectors: &[VectorValue<'a>]) -> Vec<VectorValue<'a>> {
    let (n, width) = (vectors.len(), vectors[0].get_type().get_size() as usize);
    // For each group of rows, the vectors of its groups of columns. A vector has, of each column, as many elements as
    // there are rows in a group.
    let mut groups: Vec<Vec<VectorValue<'a>>> = vectors.iter().map(|vector| vec![*vector]).collect();
    let mut rows = 1;
    while rows < n {
        // The element of the two vectors, one after the other, that comes to position `e`.
        let source = |e: usize, half: usize| {
            let (piece, offset) = (e % n / rows, e % rows);
            let start = e / n * n + half * (n / 2) + piece / 2 * rows + offset;
            start + piece % 2 * width
        };
        let pairs = groups.chunks(2).map(|pair| {
            let interleaved = |one: VectorValue<'a>, other: VectorValue<'a>| {
                [0, 1].map(|half| shuffle(builder, one, other, (0..width).map(|e| source(e, half))))
            };
            let vectors = pair[0].iter().zip(&pair[1]);
            vectors.flat_map(|(one, other)| interleaved(*one, *other)).collect()
        });
        groups = pairs.collect();
        rows *= 2;
    }
    groups.pop().expect("one group of all rows")
}

fn shuffle<'a>(
    builder: &Builder<'a>,
    one: VectorValue<'a>,
    other: VectorValue<'a>,
    elements: impl IntoIterator<Item = usize>,
) -> VectorValue<'a> {
    let i32 = one.get_type().get_context().i32_type();
    let mask: Vec<_> = elements.into_iter().map(|e| i32.const_int(e as u64, false)).collect();
    let shuffled = builder.build_shuffle_vector(one, other, VectorType::const_vector(&mask), "");
    shuffled.expect(BUILDS)
}
