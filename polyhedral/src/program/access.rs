//! The accesses of statements to arrays.

use super::ElementType;
use crate::sets::{Map, Tuple};

/// Index into [`Statement::accesses`](super::Statement::accesses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccessId(pub usize);

/// How an access touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Reads the elements.
    Read,
    /// Writes some of the elements, or none.
    MayWrite,
    /// Writes all of the elements.
    MustWrite,
}

/// An operation that is associative and commutative. On floating-point numbers, it counts as such where the program's flags allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReductionOperation {
    /// A sum, with differences from it.
    Sum,
    /// A product.
    Product,
    /// Bitwise "and".
    And,
    /// Bitwise "or".
    Or,
    /// Bitwise "exclusive or".
    Xor,
    /// The least of signed integers, or of floating-point numbers.
    Minimum,
    /// The greatest of these.
    Maximum,
    /// The least of unsigned integers.
    UnsignedMinimum,
    /// The greatest of these.
    UnsignedMaximum,
}

/// What a reduction combines values by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The operation.
    pub operation: ReductionOperation,
    /// The type of the values.
    pub ty: ElementType,
}

/// An access of a statement to an array.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// From instances of the statement to elements of the array; the range's tuple names the array.
    pub relation: Map,
    /// The *reduction* that this is a part of: those of a statement's accesses to an array that are read an element, combine its value with
    /// another one, and write the result to the same element. As far as that goes, the instances of all statements that combine
    /// values of the element by the same operation may come in any order.
    pub reduction: Option<Reduction>,
}

impl Access {
    /// The accessed array.
    pub fn array(&self) -> &Tuple {
        self.relation.range_tuple()
    }

    /// Whether both access the same elements, as far as their relations are written alike.
    pub fn has_elements_of(&self, other: &Access) -> bool {
        let (one, other) = (&self.relation, &other.relation);
        one.space() == other.space() && one.pieces() == other.pieces()
    }
}
