//! Arrays of which the threads of a block share tiles, in memory on the chip (P0 section 5.3).
//!
//! In a register tile, all threads along one member read the same element. What a block reads in a strip of its sequential loop is loaded
//! from memory once, by all of its threads together, and read from shared memory as often as there are threads:
//!
//! ```text
//! blocks(2)   [i/64, j/64]
//!               [k/16]
//!                 pack(A, A.S)       threads copy A[64 i' .. + 63][16 k' .. + 15]
//!                   pack(B, B.S)     threads copy B[16 k' .. + 15][64 j' .. + 63]
//!                     [k]
//!                       [i/16, j/16]   unrolled
//! threads(16 16)          [i, j]
//! ```
//!
//! Threads wait for each other around the copies. Where a device has asynchronous copies (`cp.async`), tiles of the next strips are copied
//! while the points of one are computed: the loop over strips is below a `stages` mark, and each buffer has a slot for each stage. A strip is
//! shorter then, as more stages hide more of what a copy takes than longer strips do.

use farkas_polyhedral::program::{AccessId, AccessKind, ArrayKind, PackedTile, Program};
use farkas_polyhedral::sets::{Name, Tuple};

use crate::analysis::linear::affine_subscripts;

/// The iterations of the last sequential loop whose operands are in shared memory at the same time.
const STRIP: u32 = 16;

/// The same where the next strips are copied ahead.
const STRIP_AHEAD: u32 = 8;

/// The most strips in shared memory at the same time. On an H200, products of matrices in `float` by hand had 0.79 of cuBLAS's speed with 3
/// strips of 16, and 0.85 with 4 strips of 8.
const MOST_STAGES: u64 = 4;

/// The bytes of shared memory that a block has without asking for more. A multiprocessor has several times as many.
const SHARED_BYTES: u64 = 48 << 10;

/// The bytes of elements that are copied asynchronously.
const ASYNCHRONOUS: [u64; 2] = [4, 8];

/// What kernels of a program may have in shared memory.
#[derive(Clone, Copy)]
pub(super) struct Shared<'p> {
    pub(super) program: &'p Program,
    /// Whether they have anything there.
    pub(super) is_used: bool,
    /// Whether copies may be asynchronous.
    pub(super) is_asynchronous: bool,
}

/// How the last sequential loop is cut in strips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strips {
    /// The iterations of each.
    pub(super) iterations: u32,
    /// How many are in shared memory at the same time.
    pub(super) stages: u32,
}

impl Shared<'_> {
    /// The arrays of a statement that are in shared memory.
    pub(super) fn arrays(&self, tuple: &Tuple) -> Vec<Name> {
        match self.is_used {
            true => arrays(self.program, tuple),
            false => Vec::new(),
        }
    }

    /// The strips of a statement with some of these arrays in shared memory: as many stages as there is room for. A tile has so many values
    /// of a dimension of the statement, if strips have so many iterations.
    pub(super) fn strips(&self, tuple: &Tuple, arrays: &[Name], size_along: &dyn Fn(usize, u32) -> u32) -> Strips {
        let bytes = |name: &Name| self.bytes_of_tile(tuple, name, &|dim| size_along(dim, STRIP_AHEAD).into());
        let all: Option<Vec<u64>> = arrays.iter().map(bytes).collect();
        let stages = match all {
            Some(bytes) if self.is_asynchronous => SHARED_BYTES / bytes.iter().sum::<u64>().max(1),
            _ => 1,
        };
        match stages.min(MOST_STAGES) {
            0 | 1 => Strips {
                iterations: STRIP,
                stages: 1,
            },
            stages => Strips {
                iterations: STRIP_AHEAD,
                stages: u32::try_from(stages).expect("a few stages"),
            },
        }
    }

    /// The bytes of a tile of an array; `None` where its elements are not copied asynchronously.
    fn bytes_of_tile(&self, tuple: &Tuple, name: &Name, size_along: &dyn Fn(usize) -> u64) -> Option<u64> {
        let statement = self.program.statement(self.program.find_statement(tuple)?);
        let mut accesses = statement.accesses.iter();
        let access = accesses.find(|access| access.array().name() == Some(name))?;
        let element = self.program.arrays.get(access.array())?.element_size;
        let size = |(linear, _): &(farkas_polyhedral::linalg::Row, _)| {
            let dim = linear.iter().position(|factor| !factor.is_zero());
            dim.map_or(1, size_along)
        };
        let subscripts = affine_subscripts(&access.relation)?;
        let (last, outer) = subscripts.split_last()?;
        let row = size(last)
            .saturating_add(PackedTile::SHARED_PADDING)
            .saturating_mul(element);
        let bytes = outer.iter().map(size).fold(row, u64::saturating_mul);
        ASYNCHRONOUS.contains(&element).then_some(bytes)
    }
}

/// The arrays that a statement loads one element of, and does not write, whose subscripts are dimensions of the statement up to a
/// distance. There are two or more, as threads have two dimensions. What it reads in place of a scalar is no load.
fn arrays(program: &Program, tuple: &Tuple) -> Vec<Name> {
    let Some(id) = program.find_statement(tuple) else {
        return Vec::new();
    };
    let statement = program.statement(id);
    let mut found = Vec::new();
    for (position, access) in statement.accesses.iter().enumerate() {
        let array = access.array();
        let mut own = statement.accesses.iter().filter(|other| other.array() == array);
        let is_alone = own.next().is_some() && own.next().is_none();
        let is_in_memory = program
            .arrays
            .get(array)
            .is_some_and(|array| array.kind == ArrayKind::Memory);
        let is_load = access.kind == AccessKind::Read && !statement.in_registers.contains(&AccessId(position));
        if is_alone && is_in_memory && is_load && array.n() >= 2 && has_dims_as_subscripts(&access.relation) {
            found.push(array.name().expect("an array has a name").clone());
        }
    }
    found
}

/// Whether each subscript is a dimension of its own, up to a constant.
fn has_dims_as_subscripts(relation: &farkas_polyhedral::sets::Map) -> bool {
    let Some(subscripts) = affine_subscripts(relation) else {
        return false;
    };
    let mut dims = Vec::new();
    subscripts.iter().all(|(linear, constant)| {
        let mut factors = linear.iter().enumerate().filter(|(_, factor)| !factor.is_zero());
        match (factors.next(), factors.next()) {
            (Some((dim, factor)), None) if factor.is_one() && constant.to_i64().is_some() && !dims.contains(&dim) => {
                dims.push(dim);
                true
            }
            _ => false,
        }
    })
}
