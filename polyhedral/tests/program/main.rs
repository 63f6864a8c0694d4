//! Programs: the text form, and what the verifier finds.

mod operations;
#[path = "../random_program/mod.rs"]
mod random_program;
mod text;
mod verify;
