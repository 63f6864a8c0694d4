//! Schedule trees: text, structure, what reaches a node, and rewriting.
#![forbid(unsafe_code)]

mod text;
