//! The model of a region: a static control part.

use crate::memory::indirect_accesses::IndirectAccesses;
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_polyhedral::program::{Access, Inspection, Program};
use farkas_polyhedral::sets::{Aff, Set};

/// The model of a loop nest, with the instructions behind it.
#[derive(Clone, Debug)]
pub(crate) struct Scop<'a> {
    /// The instructions. Statements have the same names and order as in the program, parameters as in its context.
    pub(crate) ir: ScopIr<'a>,
    /// The instances, their order, what they access and compute. What it assumes has to be checked when the region is entered.
    pub(crate) program: Program,
    /// The conditions on data that are assumed, in the same order.
    pub(crate) conditions: Vec<InspectedCondition>,
    /// The shapes of the region's arrays, in the same order.
    pub(crate) shapes: Vec<Shape>,
    /// Pairs of arrays that have to be checked not to overlap.
    pub(crate) alias_checks: Vec<(ArrayId, ArrayId)>,
    /// Accesses without affine subscripts, which these checks have to know of.
    pub(crate) indirect: IndirectAccesses<'a>,
    /// For each of the region's hoisted loads, the parameter values for which it may be executed; `None` for all.
    pub(crate) load_conditions: Vec<Option<Set>>,
}

impl Scop<'_> {
    /// The arrays that a pass in front of the region looks at.
    pub(crate) fn inspected_arrays(&self) -> Vec<(ArrayId, Inspection)> {
        let mut inspected = self.indirect.inspected_arrays();
        for (id, array) in self.ir.arrays.iter().enumerate() {
            let mut loads = self.ir.conditions.iter().flat_map(|own| &own.statement.instructions);
            if loads.any(|load| array.accesses.contains(load)) {
                inspected.push((ArrayId(id), Inspection::Values));
            }
        }
        inspected
    }
}

/// A condition on data that is assumed to hold, and looked at in front of the region.
#[derive(Clone, Debug)]
pub(crate) struct InspectedCondition {
    /// The instances in which it is assumed to hold: values of the counters that it depends on.
    pub(crate) domain: Set,
    /// What it reads in each.
    pub(crate) accesses: Vec<Access>,
}

/// The shape of an array.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// The sizes of all dimensions but the outermost, expressions over the parameters. An index of the outermost
    /// dimension stands for their product times the element size in bytes.
    pub(crate) sizes: Vec<Aff>,
    /// Whether inner subscripts count strides, and not elements: only the bytes of whole rows are known then.
    pub(crate) strided: bool,
    /// What is known of rows that a table points to. Then an index of the outermost dimension stands for an address, and the size of a row
    /// is that of what is accessed of rows.
    pub(crate) rows: Option<RowShape>,
    /// A superset of the values that the outermost subscript takes in affine accesses.
    pub(crate) outermost_extent: Set,
    /// What is known of inner subscripts that may be beyond their sizes; `None` if they are within.
    pub(crate) overlap: Option<RowOverlap>,
}

/// What is known of an array whose rows may overlap, as nothing writes it. Several subscripts may stand for one element.
#[derive(Clone, Debug)]
pub(crate) struct RowOverlap {
    /// The parameters for which inner subscripts are within their sizes.
    pub(crate) apart: Set,
    /// Supersets of the values that inner subscripts take in affine accesses.
    pub(crate) inner_extents: Vec<Set>,
}

impl Shape {
    /// The number of subscripts that select a row.
    pub(crate) fn table_dims(&self) -> usize {
        self.rows.as_ref().map_or(0, |rows| rows.table_dims)
    }
}

/// The shape of rows that a table points to.
#[derive(Clone, Debug)]
pub(crate) struct RowShape {
    /// The number of subscripts that select a row.
    pub(crate) table_dims: usize,
    /// A superset of the values that the first subscript in rows takes.
    pub(crate) extent: Set,
    /// The distance between these values.
    pub(crate) step: u64,
}
