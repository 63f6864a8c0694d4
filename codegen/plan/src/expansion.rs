//! Scalar expansion: each value of a scalar slot gets an element of an array of its own.
//!
//! ```text
//! for (k)
//!   for (i > k) {
//!     f = a[i][k] / a[k][k];                      S
//!     for (j >= k) a[i][j] -= f * a[k][j];        T
//!   }
//! ```
//!
//! The slot `f` keeps the loops over `k` and `i` in order, with the one over `j` inside. In tiles of all three loops the next value of `f`
//! would come before the reads of the last one in later tiles along `j`. With `f[k][i]` in its place nothing of `f` is overwritten.
//!
//! *Contraction* makes the array small. In an order with tiles of `32 x 32 x 32` iterations, those along `j` are executed one after the
//! other, and `f[k mod 32][i mod 32]` is enough. The elements of a statement that reads are those of the instance that wrote the value.
//!
//! No function from instances of the writer to elements changes what the original order computes: there, no value is written between a
//! write and the reads of what it wrote. So it takes a check only of the new order, over the [program with the array](farkas_polyhedral::program::Program::with_expansions).

mod contraction;
mod slots;

pub(crate) use contraction::contracted;
pub(crate) use slots::{ExpandableSlot, expandable_slots, fully_expanded};
