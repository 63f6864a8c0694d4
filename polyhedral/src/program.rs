//! The polyhedral model of a piece of a program: what is executed, in which order, and what it accesses.

use crate::sets::{Map, MultiAff, Name, Set, Tuple};

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
}

/// A statement: a piece of straight-line code that is executed once for each instance. An instance reads all that it
/// reads before it writes.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The instances. The tuple names the statement; no two statements have the same.
    pub domain: Set,
    /// The accesses, each within the domain.
    pub accesses: Vec<Access>,
    /// The original order: an instance is executed before another if its value is lexicographically smaller. The range
    /// is the same anonymous tuple for all statements, and no two instances have the same value.
    pub schedule: MultiAff,
}

impl Statement {
    /// The tuple of the domain.
    pub fn tuple(&self) -> &Tuple {
        self.domain.tuple()
    }

    /// The name of the statement.
    pub fn name(&self) -> &Name {
        self.tuple().name().expect("a statement has a name")
    }
}

/// The polyhedral model of a piece of a program.
#[derive(Clone, Debug)]
pub struct Program {
    /// What is known of the parameters.
    pub context: Set,
    /// The statements, in textual order.
    pub statements: Vec<Statement>,
    /// Where values cease to be of interest.
    pub kills: Vec<Kill>,
}

/// A place across which some elements carry no value, as the end of the scope of a variable.
#[derive(Clone, Debug)]
pub struct Kill {
    /// From what is like the instances of a statement, with a tuple that no statement has, to the elements.
    pub relation: Map,
    /// When it is reached, as [`Statement::schedule`].
    pub schedule: MultiAff,
}

impl Program {
    /// The name of the reference (`flow::derive`) that is the access `access` of the statement `statement`, both counted from 0.
    ///
    /// # Panics
    ///
    /// If there is no such access.
    pub fn reference(&self, statement: usize, access: usize) -> Name {
        let statement = &self.statements[statement];
        assert!(
            access < statement.accesses.len(),
            "access {access} of {}",
            statement.name()
        );
        format!("{}_{access}", statement.name()).into()
    }
}
