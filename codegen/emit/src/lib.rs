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
//! - No order is decided here: loops and statements come as the AST has them. [`arithmetic_fits`] is asked beforehand, and a loop that
//!   nothing ends does not fit. What is left is the form of code within an iteration, or a vector: loads of arrays that the
//!   iteration does not write come first, lanes without a vector form run one by one; and what LLVM's passes are told.
//! - All arithmetic on loop iterators is in `i64` and does not overflow for the parameter values that the guard lets
//!   pass: it is marked `nsw`. The guard itself may overflow, for values that it then rejects; it is not marked.
//! - A hoisted load of the region is executed only where the original is known to be executed, or cannot go wrong.
//! - A loop under a `vector` mark that has as many iterations as lanes becomes vector code without a loop (`vector/`), if its
//!   statements have a vector form. All other loops under the mark stay loops. Lanes never change the order of the operations
//!   that one element takes part in.
//! - Subtrees under `kernel` marks become kernels of a GPU (`kernels/`), for new code that is said to run on one.
//! - Statements are clones of the original instructions. A value that carries over between statements goes through a
//!   stack slot, which LLVM's SROA turns into registers again.

#![forbid(unsafe_code)]

mod accessed_elements;
mod addresses;
mod alias_scopes;
mod arith;
mod array_copies;
mod branches;
mod checks;
mod errno;
mod finish;
mod guard;
mod inspector;
mod kernels;
mod masked_stores;
mod node_splitting;
mod pointer_checks;
mod ranges;
mod replace;
mod rotation;
mod rows;
mod slots;
mod statement;
mod subscripts;
mod threads;
mod value_numbering;
mod vector;

use farkas_llvm::Run;
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::scop_ir::ScopIr;
use farkas_polyhedral::program::Program;

pub use accessed_elements::{AccessedElements, PassedElements};
pub use array_copies::arrays_without_copies;
pub use checks::{ArrayRange, Guards, InnerRange, LoadCondition, RowChecks, Rows};
pub use finish::finish_loops;
pub use inspector::{Bounds, IndirectChecks, IndirectRange, Inspection};
pub use kernels::{Device, DeviceArray, Writes, obstacle};
pub use pointer_checks::{Buffer, PointerChecks, SortedGroup};
pub use ranges::{Interval, arithmetic_fits, rows_fit};
pub use replace::NewCode;
pub use threads::fork_loops;

/// Replaces the region by the AST where the guards hold. Either all is done, or a panic leaves the function as it was.
/// The statements of the AST are those of the region, by name; `program` is its model, and `hoisted` are its hoisted loads.
pub fn emit<'a>(
    run: &'a Run<'_>,
    (scop, program): (&ScopIr<'a>, &Program),
    hoisted: &mut HoistedLoads<'a, '_>,
    new: &NewCode<'_>,
) {
    hoisted.withdraw();
    let done: Result<(), std::convert::Infallible> = run.atomically(|| {
        hoisted.keep();
        replace::replace(run, (scop, program), new);
        hoisted.give_users_back();
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}
