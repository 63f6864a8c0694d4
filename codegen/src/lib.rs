//! From schedules to code: rewrites schedule trees for a target and emits LLVM IR for the AST that comes of them.
//!
//! [`optimize`] works on the model alone and decides everything; [`emit`] carries it out and decides nothing.
#![forbid(unsafe_code)]

pub mod emit;
pub mod optimize;
