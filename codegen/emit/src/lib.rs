//! Emits an AST as LLVM IR beside the loop nest that it replaces.
//!
//! ```text
//!        entering
//!           |
//!         guard            parameters, assumptions and alias checks are computed here
//!         /   \
//!   original   new code    both leave to the same block, whose phis tell the values apart
//!         \   /
//!          exit
//! ```
//!
//! # Invariants
//!
//! - Nothing is decided here: [`arithmetic_fits`] is asked beforehand, and everything else was decided on the model. A
//!   loop that nothing ends does not fit.
//! - All arithmetic on loop iterators is in `i64` and does not overflow for the parameter values that the guard lets
//!   pass: it is marked `nsw`. The guard itself may overflow, for values that it then rejects; it is not marked.
//! - A hoisted load of the region is executed only where the original is known to be executed, or cannot go wrong.
//! - Statements are clones of the original instructions. A value that carries over between statements goes through a
//!   stack slot, which LLVM's SROA turns into registers again.

#![forbid(unsafe_code)]

mod arith;
mod guard;
mod pointer_checks;
mod ranges;
mod replace;
mod statement;

use farkas_llvm::Run;
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::scop_ir::{ArrayId, ScopIr};
use farkas_polyhedral::ast::{Ast, Condition, Expr, Quasi};

pub use pointer_checks::{PointerChecks, SortedGroup};
pub use ranges::{Interval, arithmetic_fits};

/// The run-time checks: the conditions under which the new code is right.
#[derive(Clone, Debug)]
pub struct Guards {
    /// What has to hold for the parameters.
    pub assumptions: Condition,
    /// The run-time pointer checks.
    pub pointer_checks: PointerChecks,
    /// The accessed range of each array that is checked.
    pub array_ranges: Vec<ArrayRange>,
    /// For each of the region's hoisted loads, the condition under which it is executed; `None` if always.
    pub loads: Vec<Option<LoadCondition>>,
}

/// A condition on a hoisted load of a region.
#[derive(Clone, Debug)]
pub struct LoadCondition {
    /// What has to hold for the parameters.
    pub condition: Condition,
    /// The parameters that occur in it, by number: none of them depends on this load or on later ones.
    pub params: Vec<usize>,
}

/// A superset of the range of an array that a region accesses, in whole indices of the outermost dimension.
#[derive(Clone, Debug)]
pub struct ArrayRange {
    /// The array.
    pub array: ArrayId,
    /// The first row, over the parameters.
    pub first: Expr,
    /// The last row.
    pub last: Expr,
    /// The sizes of all dimensions but the outermost: a row has as many elements as their product.
    pub sizes: Vec<Quasi>,
}

/// Replaces the region by the AST where the guards hold. Either all is done, or a panic leaves the function as it was.
/// The statements of the AST are those of the region, by name; `hoisted` are its hoisted loads.
pub fn emit<'a>(run: &'a Run<'_>, scop: &ScopIr<'a>, hoisted: &mut HoistedLoads<'a, '_>, ast: &Ast, guards: &Guards) {
    hoisted.withdraw();
    let done: Result<(), std::convert::Infallible> = run.atomically(|| {
        hoisted.keep();
        replace::replace(run, scop, ast, guards);
        hoisted.give_users_back();
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}
