//! The run-time checks of a region, as data: what the plan assumed. `guard` emits them.

use crate::accessed_elements::PassedElements;
use crate::inspector::IndirectChecks;
use crate::pointer_checks::PointerChecks;
use farkas_llvm::scop_ir::ArrayId;
use farkas_polyhedral::ast::{Ast, Condition, Expr, Quasi};
use indexmap::IndexSet;

/// What has to hold at run time for the new code to be right.
#[derive(Clone, Debug)]
pub struct Guards {
    /// For which parameters the new code pays. Where it does not, nothing else is checked.
    pub sizes: Condition,
    /// What has to hold for the parameters.
    pub assumptions: Condition,
    /// Arrays that must not overlap, all of whose accesses are affine, and buffers.
    pub pointer_checks: PointerChecks,
    /// For each condition on data that is assumed, the instances in which it has to hold, in this order: evaluated behind these.
    pub conditions: Vec<Ast>,
    /// Arrays that must not overlap, where accesses are indirect: checked behind these.
    pub indirect: IndirectChecks,
    /// The same where one array is rows that a table points to: checked behind these.
    pub rows: RowChecks,
    /// For each array that has to be checked, which part of it affine accesses touch.
    pub array_ranges: Vec<ArrayRange>,
    /// For each of the region's hoisted loads, the condition under which it is executed; `None` if always.
    pub loads: Vec<Option<LoadCondition>>,
}

/// A condition on a hoisted load of a region.
#[derive(Clone, Debug)]
pub struct LoadCondition {
    /// What has to hold for the parameters.
    pub condition: Condition,
    /// The parameters that occur in it, by number: none of them depends on this load or on later ones.
    pub params: Vec<usize>,
}

/// A superset of the part of an array that a region accesses, where it accesses any: rows of the outermost dimension, and what
/// is accessed in them. Of an array in rows, it is what is accessed of each from its address on.
#[derive(Clone, Debug)]
pub struct ArrayRange {
    /// The array.
    pub array: ArrayId,
    /// The first row, over the parameters.
    pub first: Expr,
    /// The last row.
    pub last: Expr,
    /// The sizes of all dimensions but the outermost: a row has as many elements as their product.
    pub sizes: Vec<Quasi>,
    /// The part of each row.
    pub inner: InnerRange,
    /// Whether the guard checks that the bytes of a row are a signed 64-bit number. It has to where sizes alone do not say so
    /// (`rows_fit`): arrays that exist are smaller. It does so in any case where rows may overlap.
    pub checked: bool,
}

/// The inner subscripts of a range of rows.
#[derive(Clone, Debug)]
pub enum InnerRange {
    /// Those of whole rows.
    Whole,
    /// Those of the last element in the last row, each below its size. Rows before are whole.
    UpTo(Vec<Quasi>),
    /// Subscripts between these, both included, that may be beyond the sizes: rows overlap, or sizes are negative.
    Between(Vec<(Expr, Expr)>),
}

/// The rows that a region accesses of an array with a table.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The elements of the table.
    pub elements: PassedElements,
    /// What is accessed of a row, from its address on. It has the array, and the sizes inside of rows.
    pub range: ArrayRange,
    /// The distance of accessed elements in the first dimension inside of rows. At least 1.
    pub step: u64,
}

/// The checks of arrays with tables.
#[derive(Clone, Debug, Default)]
pub struct RowChecks {
    /// The arrays with tables.
    pub rows: Vec<Rows>,
    /// The number of loops around the innermost statement.
    pub depth: usize,
    /// The arrays that must not overlap, where one has a table. A pair of one array says that its rows must not.
    pub pairs: Vec<(ArrayId, ArrayId)>,
}

impl RowChecks {
    /// The arrays that are checked, in the order in which they come.
    pub fn arrays(&self) -> IndexSet<ArrayId> {
        self.pairs.iter().flat_map(|(one, other)| [*one, *other]).collect()
    }

    /// The number of comparisons of addresses for each row.
    pub fn comparisons(&self) -> usize {
        2 * self.pairs.len()
    }
}
