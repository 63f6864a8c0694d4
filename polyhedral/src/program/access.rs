//! The accesses of statements to arrays.

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

/// An access of a statement to an array.
#[derive(Clone, Debug)]
pub struct Access {
    /// What is done.
    pub kind: AccessKind,
    /// From instances of the statement to elements of the array; the range's tuple names the array.
    pub relation: Map,
    /// Whether this is a part of a *reduction*: those of a statement's accesses to an array that are read an element, combine
    /// its value with another one by an operation that is associative and commutative, and write the result to the same
    /// element. As far as that goes, the statement's instances may come in any order.
    pub reduction: bool,
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
