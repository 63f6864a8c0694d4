//! Farkas's integer sets beside isl's: the benchmark `sets`, and the oracle of the differential tests. And its scheduler
//! beside isl's, in [`schedule`].
//!
//! isl is a peer in tests, never part of the product. It is loaded at run time, from a shared library that `isl_*`
//! symbols are found in; without one, what needs it says so and is skipped. This is why there is `unsafe` here, in
//! [`isl`] only.

pub mod ast;
pub mod cases;
pub mod corpus;
pub mod differential;
pub mod isl;
pub mod ops;
pub mod points;
pub mod random;
pub mod schedule;
pub mod summary;
pub mod worker;

use std::path::PathBuf;

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}
