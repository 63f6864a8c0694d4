//! Schedule trees: text, structure, what reaches a node, and rewriting.
#![forbid(unsafe_code)]

mod check;
mod execute;
mod flat_schedule;
mod live;
mod random;
mod reach;
mod rewrite;
mod rewrite_order;
mod text;
