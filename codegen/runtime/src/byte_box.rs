//! A box of an array: the bytes that kernels write, where the program knows them.
//!
//! A box has rows of contiguous bytes, at regular distances in any number of dimensions. The program gives its offset in the array and, for
//! each dimension, how often and at which distance in bytes it repeats what is inside. The innermost dimension is the row itself: its
//! bytes, at distance 1. For the 3 x 4 upper left corner of a matrix of 8-byte numbers with 10 columns, that is `0, [[3, 80], [32, 1]]`.
//!
//! Rows that follow each other without a gap are one: all rows of such a matrix, `[[n, 80], [80, 1]]`, are one row of `80 * n` bytes.

use std::ops::Range;

use crate::failure::Failure;

/// So many dimensions are allowed. Loops are never as deep; a number that is not initialized is likely to be larger.
const MOST_DIMENSIONS: u64 = 32;

/// A box as a program gives it, of which nothing is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoxShape<'a> {
    /// The distance of its first byte from that of the array.
    pub(crate) offset: u64,
    /// Number and distance in bytes in each dimension, outermost first.
    pub(crate) sizes: &'a [[u64; 2]],
}

impl<'a> BoxShape<'a> {
    /// The box in a list of numbers: the offset, the number of dimensions, and two numbers for each.
    ///
    /// # Safety
    ///
    /// There are as many numbers, which stay.
    pub(crate) unsafe fn read(list: *const u64) -> Result<BoxShape<'a>, Failure> {
        // SAFETY: by the contract there are at least two numbers.
        let (offset, dimensions) = unsafe { (list.read(), list.add(1).read()) };
        if dimensions > MOST_DIMENSIONS {
            return Err(Failure::Box);
        }
        // SAFETY: by the contract there are two numbers for each dimension.
        let sizes = unsafe { std::slice::from_raw_parts(list.add(2).cast(), dimensions as usize) };
        Ok(BoxShape { offset, sizes })
    }
}

/// How often rows are repeated, and at which distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Dimension {
    count: usize,
    stride: usize,
}

/// A box that is within its array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ByteBox {
    /// The bytes from its first to its last one, in the array.
    span: Range<usize>,
    /// The bytes of a row.
    row_bytes: usize,
    /// The dimensions around a row, outermost first.
    around: Vec<Dimension>,
}

impl ByteBox {
    /// The box of this shape in an array of so many bytes.
    pub(crate) fn new(shape: BoxShape<'_>, bytes: usize) -> Result<ByteBox, Failure> {
        let Some(([row_bytes, 1], around)) = shape.sizes.split_last() else {
            return Err(Failure::Box);
        };
        if shape.sizes.iter().any(|[count, _]| *count == 0) {
            return Ok(ByteBox {
                span: 0..0,
                row_bytes: 0,
                around: Vec::new(),
            });
        }
        let end = shape.sizes.iter().try_fold(shape.offset, |end, [count, stride]| {
            end.checked_add((count - 1).checked_mul(*stride)?)
        });
        let end = end.and_then(|last| last.checked_add(1)).ok_or(Failure::Box)?;
        let own_bytes = shape
            .sizes
            .iter()
            .try_fold(1_u64, |product, [count, _]| product.checked_mul(*count));
        // Rows that lie on each other would be no box, and might be more than anybody can copy.
        if own_bytes.is_none_or(|own| own > end - shape.offset) {
            return Err(Failure::Box);
        }
        let fits = |n: u64| usize::try_from(n).ok().filter(|n| *n <= bytes).ok_or(Failure::Box);
        let mut written = ByteBox {
            span: fits(shape.offset)?..fits(end)?,
            row_bytes: fits(*row_bytes)?,
            around: Vec::new(),
        };
        for [count, stride] in around.iter().rev().filter(|[count, _]| *count > 1) {
            let (count, stride) = (fits(*count)?, fits(*stride)?);
            match written.around.is_empty() && stride == written.row_bytes {
                // The product fits: the box has as many bytes at least.
                true => written.row_bytes *= count,
                false => written.around.push(Dimension { count, stride }),
            }
        }
        written.around.reverse();
        Ok(written)
    }

    /// The bytes from the first to the last one, in the array.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The bytes of a row.
    pub(crate) fn row_bytes(&self) -> usize {
        self.row_bytes
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        match self.row_bytes {
            0 => 0,
            _ => self.around.iter().map(|dimension| dimension.count).product(),
        }
    }

    /// Gives the distance of each of these rows from the first byte of the box.
    pub(crate) fn for_each_row(&self, rows: Range<usize>, mut action: impl FnMut(usize)) {
        let once = Dimension { count: 1, stride: 0 };
        let (inner, outer) = match self.around.split_last() {
            Some((inner, outer)) => (*inner, outer),
            None => (once, &[][..]),
        };
        let mut row = rows.start;
        while row < rows.end {
            // Only the innermost dimension has a loop of its own: divisions take longer than the copy of a short row.
            let (mut position, first) = (row / inner.count, row % inner.count);
            let mut start = 0;
            for dimension in outer.iter().rev() {
                start += position % dimension.count * dimension.stride;
                position /= dimension.count;
            }
            let end = inner.count.min(first + (rows.end - row));
            (first..end).for_each(|number| action(start + number * inner.stride));
            row += end - first;
        }
    }
}
