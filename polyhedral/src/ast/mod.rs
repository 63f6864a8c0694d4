//! AST generation: from a schedule tree to loops that visit its instances in order (P1).
//!
//! # The way
//!
//! The generator walks the tree from the root. At each point it knows the **executed relation** (P1 section 5.1): for
//! each statement the instances that remain, over parameters and the values of the schedule dimensions so far. A band
//! member adds a dimension; the shadow of the executed relation on parameters and schedule dimensions says for which
//! values something is executed; it is cut into regions that lie one after the other (P1 sections 5.4 and 5.7), and
//! each region becomes a loop, an assignment or, unrolled, a sequence. At a leaf the instance is solved for, and the
//! conditions that no loop or guard has enforced become an `if`.
//!
//! Shadows are Fourier-Motzkin projections and may be too large; the leaf's conditions are exact (P1 section 5.2), so
//! what is executed is exactly what the tree says.

mod align;
mod build;
mod evaluate;
mod expr;
mod hooks;
mod interpret;
mod iterator_bounds;
mod node;
mod place;
mod printer;
mod quasi;
pub mod rows;
mod trip_counts;
mod write;

pub use build::{
    AstError, Options, bounds_of, generate, generate_relation, generate_with, membership, parameter_expression,
};
pub use evaluate::{BrokenPromise, Counts, Point};
pub use expr::{Condition, Expr};
pub use hooks::{CallSite, Hooks};
pub use interpret::{Execution, Instance, interpret};
pub use iterator_bounds::IteratorBounds;
pub use node::{Ast, Call, Coincidence, For, Logic, Node, Upper};
pub use place::{Forms, Place};
pub use quasi::{Atom, Division, IterId, ParamId, Quasi};
pub use trip_counts::{TripCount, trip_counts};
pub use write::Names;
