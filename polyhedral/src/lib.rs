//! Farkas's mathematics: integer sets and relations, dependence analysis, scheduling and AST generation.
//!
//! The library knows nothing of LLVM and does no I/O.
#![forbid(unsafe_code)]

pub mod ast;
pub mod budget;
pub mod check;
pub mod flow;
pub mod int;
pub mod linalg;
pub mod program;
pub mod schedule;
pub mod sets;
pub mod solver;
pub mod text;
pub mod tree;
