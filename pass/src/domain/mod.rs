//! Instance sets: for which counter values the blocks of a region are executed.

pub(crate) mod assumed_conditions;
pub(crate) mod conditions;
pub(crate) mod domains;
pub(crate) mod known_context;
