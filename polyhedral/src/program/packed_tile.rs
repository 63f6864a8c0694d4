//! Packed tiles: buffers that stand for tiles of an array.

use super::Statement;
use crate::int::Int;
use crate::sets::{Aff, MultiAff, Name, Params, SetSpace, Tuple};
use indexmap::IndexMap;

/// A buffer that holds a tile of an array in the subtree below a `pack` mark, where it is read in place of the array.
///
/// An instance `x` of a statement reads the element `e` of the array with `e[d.of_array] = x[k] + d.offset` for each dimension `d` of the
/// buffer, where `k` is the dimension that the statement goes [`along`](PackedTile::along). It is at `x[k]` modulo `d.size` in the buffer.
/// In one iteration of the loops around the mark, all elements are of one tile: `x[k]` over `d.size`, rounded down, has one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedTile {
    /// The array, as accesses name it.
    pub array: Tuple,
    /// The name of the buffer.
    pub buffer: Name,
    /// The statement that copies an element in. Its last dimensions are the subscripts.
    pub copy_in: Tuple,
    /// The dimensions of the buffer, that of neighbouring elements last. Each dimension of the array is one of them.
    pub dims: Vec<PackedDim>,
    /// For each statement that reads the array, its dimension along each dimension of the buffer.
    pub along: IndexMap<Tuple, Vec<usize>>,
}

/// A dimension of a packed tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedDim {
    /// The dimension of the array.
    pub of_array: usize,
    /// The distance from the statements' dimension to the subscript.
    pub offset: i64,
    /// The number of elements, at least 1.
    pub size: u32,
}

impl PackedTile {
    /// So many elements are between the rows of a buffer that the threads of a device's block share: those of four neighbouring columns and
    /// rows are in different banks then. Each row begins where a thread may access 16 bytes at once, if elements have 4 bytes or more.
    pub const SHARED_PADDING: u64 = 4;

    /// The number of elements of the buffer.
    pub fn elements(&self) -> u64 {
        self.dims.iter().map(|dim| u64::from(dim.size)).product()
    }

    /// The element that an instance of a statement reads; `None` if the statement reads none, or has no such dimensions.
    pub fn element_of(&self, statement: &Statement) -> Option<MultiAff> {
        let along = self.along.get(statement.tuple())?;
        let space = statement.domain.space().clone();
        let subscript = |position: usize| {
            let (dim, along) = self.dims.iter().zip(along).find(|(dim, _)| dim.of_array == position)?;
            let constant = Aff::constant(space.clone(), dim.offset.into());
            (*along < space.tuple.n()).then(|| Aff::var(space.clone(), *along).add(&constant))
        };
        let subscripts: Option<Vec<Aff>> = (0..self.array.n()).map(subscript).collect();
        Some(MultiAff::new(space.clone(), self.array.clone(), subscripts?))
    }

    /// From elements of the array to their places in the buffer.
    pub fn places(&self, params: &Params) -> MultiAff {
        self.of_dims(params, |aff, size| aff.modulo(&size))
    }

    /// From elements of the array to tiles: those of one tile have places of their own.
    pub fn tiles(&self, params: &Params) -> MultiAff {
        self.of_dims(params, |aff, size| aff.floor_div(&size))
    }

    fn of_dims(&self, params: &Params, function: impl Fn(&Aff, Int) -> Aff) -> MultiAff {
        let space = SetSpace::new(params.clone(), self.array.clone());
        let aff = |dim: &PackedDim| {
            let offset = Aff::constant(space.clone(), (-dim.offset).into());
            function(&Aff::var(space.clone(), dim.of_array).add(&offset), Int::from(dim.size))
        };
        let affs = self.dims.iter().map(aff).collect();
        MultiAff::new(space.clone(), Tuple::anonymous(self.dims.len()), affs)
    }
}
