//! Sets of integer points and relations between them, exact over the integers, and what a loop optimizer does with them.
//!
//! The sets are those of Presburger arithmetic: finite unions of conjunctions of affine equalities and inequalities over
//! integer variables, with *parameters*, integers that a set depends on, and integer divisions `floor(e / d)`. On them stand
//! the stages of polyhedral compilation: dependence analysis, scheduling, legality, and generation of loops.
//!
//! # An example
//!
//! Sets, relations and functions are written and printed in isl's notation ([`text`]).
//!
//! ```
//! use farkas_polyhedral::budget::Budget;
//! use farkas_polyhedral::sets::{Map, Set};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let b = Budget::new(1_000_000);
//! let triangle: Set = "[n] -> { S[i, j] : 0 <= j <= i < n }".parse()?;
//! let even: Set = "{ S[i, j] : (i + j) mod 2 = 0 }".parse()?;
//!
//! // Set operations align parameters by name. Operations that are more than bookkeeping take a budget.
//! let both = triangle.intersect(&even);
//! assert!(both.is_subset(&triangle, &b)?);
//!
//! // { [i] : exists j: S[i, j] in both }. Every row has a point: j = i, or j = i - 1.
//! let rows = both.project_out(1, 1, &b)?;
//! assert!(rows.is_equal(&"[n] -> { [i] : 0 <= i < n }".parse()?, &b)?);
//!
//! // The largest j up to half of i, as a function of n and i.
//! let last: Map = "[n] -> { R[i] -> [j] : 0 <= j <= i < n and 2j <= i }".parse()?;
//! let halves: Map = "[n] -> { R[i] -> [floor(i/2)] : 0 <= i < n }".parse()?;
//! assert!(last.lexmax(&b)?.is_equal(&halves, &b)?);
//!
//! // Lexicographic minima are parametric: there is one where n is positive.
//! let first = triangle.lexmin(&b)?;
//! assert_eq!(first.to_string(), "[n] -> { S[i = 0, j = 0] : n > 0 }");
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | what is in it |
//! |---|---|
//! | [`sets`] | sets, relations, piecewise quasi-affine functions, and their unions |
//! | [`text`] | the notation: every value of [`sets`] parses and prints |
//! | [`solver`] | linear, integer and parametric integer programming on rows of numbers |
//! | [`linalg`] | Hermite normal forms, kernels and lattices over the integers |
//! | [`int`] | integers of any size, small ones inline |
//! | [`budget`] | the count of work |
//! | [`program`], [`flow`] | statement instances with their accesses, and the dependences between them |
//! | [`schedule`] | from dependences to a schedule |
//! | [`tree`] | schedule trees, and their text form |
//! | [`check`] | whether a schedule respects dependences |
//! | [`ast`] | from a schedule tree to loops |
//!
//! # Budgets
//!
//! Presburger arithmetic is hard: texts of a few lines can ask for more work than there will ever be time for. Every
//! operation that may take more than a little work spends from a [`budget::Budget`] in proportion to what it does, and ends
//! in [`budget::OutOfBudget`] when that is gone. A budget counts work and not seconds, so that the same input gives the same
//! result on every machine. One budget may pay for many operations. What takes none is bookkeeping on each conjunction, or
//! on each pair of them as in [`sets::Set::intersect`]: a result of `m` and `n` conjunctions has at most `m n`, at a cost of
//! polynomial size for each. A chain of such operations may still ask for any number of conjunctions;
//! [`sets::Set::coalesce`] brings them down.
//!
//! # What is exact
//!
//! There is no rounding and no overflow, and every operation gives what its documentation says for all integers. Where
//! that is an approximation, the name or the documentation says so:
//!
//! - the *hulls*, as [`sets::Set::simple_hull`], are supersets by definition;
//! - closures ([`sets::Map::transitive_closure`]) are supersets that come with whether they are known to be exact;
//! - tests called `plain` are cheap and may miss what they look for, but what they find is true.
//!
//! Which conjunctions a result consists of, and so what it looks like when printed, is not part of its value: sets are
//! compared by [`sets::Set::is_equal`].
//!
//! The library knows nothing of any compiler and does no I/O.
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

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
