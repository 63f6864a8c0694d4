//! Control structure of a candidate region: its loops and blocks in textual order.

pub(crate) mod flags;
pub(crate) mod lifetimes;
pub(crate) mod nest;
pub(crate) mod rotations;
pub(crate) mod subregion;
