//! Farkas's mathematics: integer sets and relations, dependence analysis, scheduling and AST generation.
//!
//! The library knows nothing of LLVM and does no I/O.
#![forbid(unsafe_code)]

pub mod budget;
pub mod int;
pub mod linalg;
pub mod sets;
pub mod solver;
pub mod text;
