//! Register tiles of several rows and vectors, and the cache tiles around them.
//!
//! Where lanes are along a loop in which each array is consecutive or stays, another loop is jammed, whose iterations share vectors, and what
//! is written stays along the innermost loop, as many rows and vectors are accumulated as there are registers for:
//!
//! ```text
//! [i/768, j/256, k/128]       B[k, j] of a tile stays in L2
//!   [i/6, j/8, k]             6 x 2 vectors of C stay in registers, 6 rows of A in L1
//!     [i, j] unrolled           C[i][j .. j + 3] += A[i][k] * B[k][j .. j + 3]
//! ```
//!
//! Each element of a row that is loaded is used for all vectors, and each vector for all rows. What is computed of an element of a row alone, as
//! `alpha * A[i][k]`, is in a [buffer](super::packing) that has the rows of a register tile. (K. Goto, R. van de Geijn, Anatomy of
//! high-performance matrix multiplication, ACM TOMS 34(3), 2008.)

use super::lanes::{Strip, along, has_so_many};
use super::tile_sizes::{OUTER, TileSizes};
use crate::analysis::linear::{LinearAccess, Stride};
use crate::cost::Model;
use crate::transform::interchange::Outer;
use farkas_polyhedral::tree::Band;

/// The vectors of a row.
pub(super) const VECTORS: u32 = 2;
/// The most rows: with more, what is left over at ends counts for more.
const MOST_ROWS: i64 = 8;
/// The iterations of the innermost loop in a tile: accumulators are loaded and stored once for these, and the rows fit a quarter of L1. Fewer
/// where each iteration reads elements of the rows in other lines, as of a transposed matrix: the model chooses.
pub(super) const INNERMOST: [i64; 2] = [128, 32];
/// The rows in a tile, for which what is in L2 is loaded once: whole register tiles, also in parts that threads may have. (Measured on Sapphire
/// Rapids, products of 1000 and 2000 rows of `double`: 1.15 times the speed of 192 rows.)
const ROWS: i64 = 768;
/// The same where loops over columns are around those over rows: all rows of a tile are read again for each strip of columns. (Measured as above, a
/// symmetric product of 900 and 1300 rows: 1.06 to 1.15 times the speed of 768 rows in four runs.)
const ROWS_INSIDE: i64 = 192;
/// A tile of what the lanes are along takes at most one in so many parts of L2.
const PARTS_OF_L2: i64 = 2;
/// The least bits of a vector. Narrower machines take a shuffle for each element of a row that is loaded for all lanes. (Measured on Zen 3 with
/// 128 bits, products of matrices of 8 to 1104 rows: 0.5 to 0.8 of the speed of jammed rows with SSE2, 0.5 to 1.2 with SSE4.2. On Sapphire Rapids
/// with 512 bits: 1.2 to 1.5 times the speed of jammed rows with 256 from 100 rows on.)
const BITS: u32 = 256;
/// The least and the most iterations along the lanes in a tile.
const COLUMNS: (i64, i64) = (64, 512);

/// The loops of a product of matrices. Those of contractions with more are short, so that what is kept is loaded and stored often.
const LOOPS_OF_PRODUCT: usize = 3;

/// Whether the elements of lanes that stay along the innermost loop may be apart in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// They are next to each other.
    Consecutive,
    /// They are loaded and stored lane by lane.
    Apart,
}

/// What may be kept in register tiles of a band: elements that are apart only in a product of matrices of which no register tile has
/// neighbours, where the innermost loop is long. In `C[i][j] += A[k][i] * B[j][k]`, the lanes go along `i`. (Measured on Ice Lake, products of
/// two transposed matrices of 500 and 1003 rows in both types: 1.1 to 1.5 times the speed of one vector and 8 rows, with 256 bits 1.1 to 1.4; 0.8
/// to 1.3 of 50 and 100 rows. Symmetric products of 300 rows, which have a register tile of neighbours, 0.9 to 1.0, contractions in five loops of
/// 24 iterations 0.8 to 1.2.)
pub(super) fn kept(model: &Model<'_>, (band, outer): (&Band, &Outer), members: &[usize]) -> Kept {
    let mut pairs = members
        .iter()
        .flat_map(|member| members.iter().map(move |other| (*member, *other)));
    let mut has_plain = || {
        pairs.any(|(member, other)| {
            member != other && are_possible(model, (band, outer), (member, other), Kept::Consecutive)
        })
    };
    let is_long = || has_so_many(model, (band, outer), band.n() - 1, INNERMOST[0] as f64);
    match band.n() == LOOPS_OF_PRODUCT && is_long() && !has_plain() {
        true => Kept::Apart,
        false => Kept::Consecutive,
    }
}

/// Whether lanes along a member of a band, in several vectors, make a register tile with another member jammed.
pub(super) fn are_possible(
    model: &Model<'_>,
    (band, outer): (&Band, &Outer),
    (member, jammed): (usize, usize),
    kept: Kept,
) -> bool {
    let last = band.n() - 1;
    if member == last || jammed == last || model.target.vector.bits_of_lanes() < BITS {
        return false;
    }
    band.statements().all(|tuple| {
        let statement = &model.statements[tuple];
        let moves = |member| along(band, outer, tuple, member, statement.depth);
        let (Some(lanes), Some(rows), Some(inner)) = (moves(member), moves(jammed), moves(last)) else {
            return false;
        };
        let is_shared = |access: &LinearAccess| {
            let stride = |direction| access.stride_of_lanes(direction);
            stride(&lanes) == Stride::Unit && stride(&rows) == Stride::Zero && stride(&inner) != Stride::Zero
        };
        let is_in_registers = |access: &LinearAccess| {
            let is_consecutive = access.stride_of_lanes(&lanes) != Stride::Other;
            match access.stride_of_lanes(&inner) {
                Stride::Zero => is_consecutive || kept == Kept::Apart,
                Stride::Unit | Stride::Other => is_consecutive && !access.writes,
            }
        };
        statement.accesses.iter().any(is_shared) && statement.accesses.iter().all(is_in_registers)
    })
}

/// The rows of a register tile.
pub(super) fn rows(model: &Model<'_>) -> i64 {
    // A vector of each column and an element of a row are in registers, too.
    let vectors = i64::from(VECTORS);
    let registers = i64::from(model.target.vector.registers);
    ((registers - vectors - 1) / vectors / 2 * 2).clamp(2, MOST_ROWS)
}

/// The cache tiles around a register tile, with so many iterations of the innermost loop.
pub(super) fn cache_tiles(model: &Model<'_>, band: &Band, strip: &Strip, innermost: i64) -> TileSizes {
    let last = band.n() - 1;
    let element = band.statements().flat_map(|tuple| &model.statements[tuple].accesses);
    let element = element
        .map(|access| model.program.arrays[&access.array].element_size)
        .max();
    let element = element.and_then(|size| i64::try_from(size).ok()).unwrap_or(1).max(1);
    let l2 = model.target.caches.get(1).or(model.target.caches.last());
    let l2 = l2.and_then(|cache| i64::try_from(cache.bytes).ok()).unwrap_or(0);
    let columns = (l2 / PARTS_OF_L2 / INNERMOST[0] / element).clamp(COLUMNS.0, COLUMNS.1);
    let columns = 1 << columns.ilog2();
    let size = |member: usize| match member {
        member if member == last => innermost,
        member if member == strip.lanes.member => columns,
        member if strip.jam.contains(&member) && member < strip.lanes.member => ROWS,
        member if strip.jam.contains(&member) => ROWS_INSIDE,
        _ => OUTER,
    };
    (0..=last).map(|member| Some(size(member))).collect()
}
