//! What the cost model knows of a program in an order: sizes, loops, strides, footprints, recurrences.
//!
//! | module | what it answers |
//! |---|---|
//! | [`estimate`] | which values parameters are expected to have, and how long each dimension of a statement is |
//! | [`windows`] | which parameters are the lengths of windows, as in convolutions, and their offsets |
//! | [`border_tests`] | which parameters are in tests that a neighbour is inside of an image |
//! | [`increments`] | which arrays are vectors with an increment |
//! | [`count`] | how many instances there are, exactly |
//! | [`linear`] | how subscripts change when an instance moves along a direction |
//! | [`levels`] | which loops are around a statement in a schedule tree, or in the original order |
//! | [`lanes`] | how many lanes vectors of a statement have |
//! | [`divergence`] | how bounds of loops inside of lanes differ from lane to lane |
//! | [`nest`] | trip counts and directions of these loops |
//! | [`carried`] | which loops carry a dependence |
//! | [`footprint`] | how many cache lines a part of a loop nest touches |
//! | [`reuse`] | how many copies of an access share a load |
//! | [`shift`] | which values the lanes of a wavefront hand on |
//! | [`read_ahead`] | which statements may read what only later iterations overwrite |
//! | [`initialization`] | in which loops scalar slots are initialized |
//! | [`promotion`] | which temporary arrays LLVM keeps in registers |
//! | [`recurrence`] | how many cycles an iteration waits for the one before it |
//! | [`mutual_recurrence`] | the same where several statements wait for each other |
//!
//! Everything here is an estimate, in floating point: no decision on legality rests on it.

pub(crate) mod border_tests;
pub(crate) mod bounds;
pub(crate) mod carried;
pub(crate) mod count;
pub(crate) mod divergence;
pub(crate) mod estimate;
pub(crate) mod footprint;
mod increments;
pub(crate) mod initialization;
pub(crate) mod lanes;
pub(crate) mod levels;
pub(crate) mod linear;
pub(crate) mod mutual_recurrence;
pub(crate) mod nest;
pub(crate) mod promotion;
pub(crate) mod read_ahead;
pub(crate) mod recurrence;
pub(crate) mod reuse;
pub(crate) mod runtime_checks;
pub(crate) mod satisfaction;
pub(crate) mod shift;
mod windows;
