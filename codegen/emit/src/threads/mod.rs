//! Loops that run on threads.
//!
//! A loop under a `parallel` mark is emitted in place, as any other loop, between two markers. A marker is an inline assembly
//! statement without text, which LLVM has to take for code that may do anything with memory. The first one hands out the
//! iterations of the loop that are to be executed, by number; as it stands these are all:
//!
//! ```text
//!   { first, last } = asm "" (0, count - 1)    farkas-threads: static
//!   for (i = lower + first; i <= lower + last; i++)
//!     body
//!   asm "" (first)                                   farkas-threads: end
//! ```
//!
//! The loop goes through all passes on functions in that form: it is a loop of its function, where LLVM knows what it knows of
//! arguments and of the code around. Behind these passes [`fork_loops`] cuts what is between the markers out, into a function
//! of its own, the *chunk*, with the two numbers as arguments. OpenMP's runtime executes chunks on its threads. Tapir (Schardl,
//! Moses and Leiserson, PPoPP 2017) represents fork and join in the same way, for the same reason.
//!
//! # Why passes in between are safe
//!
//! - A marker without the second step is still right: the function then executes all iterations by itself. So does it where a
//!   loop cannot be cut out.
//! - Passes may change the loop in any way that is right for whatever numbers the marker may give. Then it is right for a chunk.
//! - LLVM may let a loop store a value that was there, in iterations that store nothing, if no other thread can see the variable.
//!   All arrays are handed to a marker in front, behind which any thread may know of them.
//! - What chunks do one after the other, in the order of their iterations, is between markers of a turn ([`turn`]): they combine what each
//!   has accumulated of a reduction. So the result depends on the number of threads, and on nothing else.
//! - What each iteration needs a copy of is in variables of this loop alone, with the metadata `farkas.private`. Those that
//!   are still in memory are cut out with the loop.

mod decision;
mod function;
mod lower;
mod markers;
mod microtask;
mod pipeline;
mod progress;
mod runtime;
mod wait;

pub use lower::fork_loops;
pub(crate) use markers::{
    Begin, PRIVATE, Parts, Progress, Schedule, Threads, Turn, begin, end, has_team, progress, share, turn,
};
