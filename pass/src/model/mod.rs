//! The model of a loop nest: a static control part, as sets and relations.
//!
//! | step | from -> to |
//! |---|---|
//! | [`sections`] | function -> pieces that might have a model |
//! | [`nest`] | parts of a function -> control structure and textual order |
//! | [`domains`] | bounds and conditions -> instances of each block |
//! | [`scalars`], [`split`] | instructions -> statements, and cells that carry values between them |
//! | [`arrays`], [`strides`] | addresses -> arrays and subscripts |
//! | [`counts`] | numbers of iterations -> parameters that are assumed not to be negative |
//! | [`products`] | checks of indices that are computed by hand -> what has to be assumed for them to hold |
//! | [`scop`] | all of it -> [`scop::Scop`] |
//! | [`forward`], [`webs`], [`places`] | a model -> cells that it does without, that are one, and that are elements of arrays |
//!
//! [`convert`] turns LLVM's scalar evolution into quasi-affine expressions for all of them. Each step ends with a result
//! or with [`declined::Declined`]: a reason, and the instruction that is the cause.

pub(crate) mod advice;
mod answers;
pub(crate) mod arrays;
mod before;
pub(crate) mod convert;
mod counts;
pub(crate) mod declined;
pub(crate) mod domains;
pub(crate) mod errors;
mod factor;
mod forward;
mod instants;
pub(crate) mod invariants;
mod lifetimes;
mod names;
pub(crate) mod nest;
pub(crate) mod order;
mod params;
pub(crate) mod pieces;
mod places;
mod products;
pub(crate) mod reductions;
mod scalars;
pub(crate) mod scop;
pub(crate) mod sections;
mod split;
mod strides;
pub(crate) mod subregion;
mod webs;
