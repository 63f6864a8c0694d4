//! Kills: where values cease to be of interest.

use crate::sets::{Map, MultiAff};

/// A place across which some elements carry no value, as the end of the scope of a variable.
#[derive(Clone, Debug)]
pub struct Kill {
    /// From what is like the instances of a statement, with a tuple that no statement has, to the elements.
    pub relation: Map,
    /// When it is reached, as [`Statement::schedule`](super::Statement::schedule).
    pub schedule: MultiAff,
}
