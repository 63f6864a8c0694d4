//! From a program to a plan for a target, without LLVM: dependences, constraints, schedule, transformation, check, AST.
//!
//! [`plan`] strings the stages together. Everything is decided here, on the model; `farkas-emit` carries the result out
//! and decides nothing.
#![forbid(unsafe_code)]

mod bound;
mod cost;
mod dependences;
mod innermost;
mod linear;
pub mod optimize;
mod pipeline;
pub mod target;
mod tile;

pub use pipeline::{Kept, Planned, Stage, plan};
