//! What a user chose, as far as it concerns planning.

mod chosen_tiles;

use farkas_polyhedral::sets::Name;

pub use chosen_tiles::{ChosenTiles, NoTileSizes};

/// Which loops become vector lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Vectorize {
    /// Those for which the cost model expects a gain.
    #[default]
    Auto,
    /// The outermost one of each innermost band that may.
    Force,
    /// None.
    Never,
}

/// Which tiles of arrays are packed into buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pack {
    /// Those for which the cost model expects a gain.
    #[default]
    Auto,
    /// One of each innermost band that may be.
    Force,
    /// None.
    Never,
}

/// Which loops run on threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parallel {
    /// None.
    #[default]
    Never,
    /// Those for which the cost model expects a gain.
    Auto,
    /// The outermost ones that may, for all sizes.
    Force,
}

/// What a user chose, and what the place of the program asks for. The default leaves everything to the cost model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// The sizes of tiles, in place of the cost model's choice.
    pub tile_sizes: Option<ChosenTiles>,
    /// Whether to transform what is expected to gain nothing, too.
    pub unprofitable: bool,
    /// Which candidate to take in place of the best one: the position of a variant in each band's list. The last variant
    /// stands in for positions beyond the list.
    pub candidate: Option<usize>,
    /// Which loops become vector lanes.
    pub vectorize: Vectorize,
    /// Which tiles of arrays are packed.
    pub pack: Pack,
    /// Which loops run on threads.
    pub parallel: Parallel,
    /// Whether the program may come to be inside of other loops, as its function may be inlined. Loops that are not nested stay on one thread
    /// then: with threads in it, the nest would have no model.
    pub may_be_inlined: bool,
    /// The arrays that can have no copies, which take memory from the program's allocator.
    pub without_copies: Vec<Name>,
}
