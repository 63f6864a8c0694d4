//! The arrays of a program: what statements access.

use crate::sets::{Aff, Tuple};

/// Index into [`Program::arrays`](super::Program::arrays).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub usize);

/// Where the elements of an array live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArrayKind {
    /// In memory that exists before and after the program.
    Memory,
    /// In a scalar slot: a value that one statement instance hands to another. It has no dimensions, and no address.
    ScalarSlot,
    /// In an array that stands for a scalar slot, one for each of several values, and as small as an order allows.
    ExpandedSlot,
    /// In memory whose lifetime begins and ends in the program. Nothing outside looks at it.
    Temporary,
}

/// What a pass over an array looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Inspection {
    /// The least and the greatest element: others are accessed by them.
    Values,
    /// Where rows are: the elements are their addresses.
    Rows,
}

/// An array, or a scalar, which is an array without dimensions.
#[derive(Clone, Debug)]
pub struct Array {
    /// The name and the number of subscripts.
    pub tuple: Tuple,
    /// Where its elements live.
    pub kind: ArrayKind,
    /// The distance between neighbouring elements, in bytes. At least 1.
    pub element_size: u64,
    /// The size of the outermost dimension, where it is known: that of variables on the stack is. At least 1.
    pub outermost_size: Option<u64>,
    /// The sizes of all dimensions but the outermost, expressions over the parameters. The last subscript is that of
    /// neighbouring elements. Accesses stay within these sizes.
    pub inner_sizes: Vec<Aff>,
    /// How many of the first subscripts select an element of a table of addresses, from where the others count on (an Iliffe vector); 0 for
    /// an array in one piece. Rows that different elements point to are apart where one of them is written, and do not follow each other in
    /// memory.
    pub table_dims: usize,
    /// What a pass over the elements that the program accesses looks for, in front of it. The program does not write them.
    pub inspection: Option<Inspection>,
}

impl Array {
    /// A scalar slot of so many bytes.
    pub fn scalar_slot(name: &str, element_size: u64) -> Array {
        Array {
            tuple: Tuple::new(name, 0),
            kind: ArrayKind::ScalarSlot,
            element_size,
            outermost_size: None,
            inner_sizes: Vec::new(),
            table_dims: 0,
            inspection: None,
        }
    }

    /// The number of elements, where all sizes are known numbers.
    pub fn n_elements(&self) -> Option<u64> {
        if self.inner_sizes.len() + 1 != self.n_dims() {
            return None;
        }
        let inner = self
            .inner_sizes
            .iter()
            .map(|size| u64::try_from(size.as_constant()?.to_i64()?).ok());
        let mut sizes = std::iter::once(self.outermost_size).chain(inner);
        sizes.try_fold(1, |all: u64, size| all.checked_mul(size?))
    }

    /// The number of subscripts.
    pub fn n_dims(&self) -> usize {
        self.tuple.n()
    }
}
