//! The text form of programs.
//!
//! ```text
//! # Lines that begin with `#` are comments.
//! program
//!   context: [n] -> { : n > 0 }
//!   assumptions: [n] -> { : n <= 1000 }
//!   array A: memory, 8 bytes, [][n]
//!   array s: scalar slot, 8 bytes
//!   statement S
//!     domain: [n] -> { S[i, j] : 0 <= i < n and 0 <= j < 100 }
//!     schedule: { S[i, j] -> [(i), (j)] }
//!     trip counts: ?, 100
//!     read: [n] -> { S[i, j] -> A[(i), (j)] : 0 <= i < n and 0 <= j <= 99 }
//!     read, reduction sum f64: [n] -> { S[i, j] -> s[] : 0 <= i < n and 0 <= j <= 99 }
//!     write, reduction sum f64: [n] -> { S[i, j] -> s[] : 0 <= i < n and 0 <= j <= 99 }
//!     operations: 1 load f64, 1 add f64
//!     chain: access 0 -> access 2: 1 add f64
//!     chain: access 1 -> access 2: 1 add f64
//!     multiply-add f64: (access 0) * () + access 1 -> access 2
//!   kill: [n] -> { K[] -> s[] }
//!     schedule: { K[] -> [(n), (0)] }
//! ```
//!
//! A file may have several programs, each of which begins with a line `program`. The entries of a program are indented by two
//! spaces, those of a statement or a kill by four. Sets, relations and schedules are in isl's notation ([`crate::text`]), each
//! on one line.
//!
//! - `context` comes first. Without `assumptions` there are none.
//! - `array NAME: KIND, N bytes, SIZES`: the kind is `memory`, `scalar slot`, `expanded slot` or `temporary`, and
//!   `inspected` before it where an inspector looks at the array first, or `inspected for rows` where it has their addresses. There is one pair of
//!   brackets for each dimension: the first has a number, if its size is known, the others have the size, an expression over the
//!   parameters, or `?` where it is not known. An array without dimensions has none. What is before a `*` selects an element of a table of
//!   addresses: `[]*[n]` are rows of `n` elements, each of which is somewhere else.
//! - `read`, `may write`, `write`: accesses. Chains count them from 0. Those of a reduction have `, reduction OPERATION TYPE` behind, with the
//!   operations `sum`, `product`, `and`, `or`, `xor`, `min`, `max`, `umin` and `umax`.
//! - `trip counts` has a number or `?` for each dimension. Without it none is known.
//! - `blocks` is the number of basic blocks. Without it there is one.
//! - `reloads` is the number of invariant loads that the original order repeats. Without it there is none.
//! - `in registers` lists accesses whose values are in registers in the original order. Without it there is none.
//! - `conditional in original` lists accesses that the original order makes under conditions on data, and new code in any case. Without it there is
//!   none.
//! - `moves of access N` has, for an access without affine subscripts, by how many elements it moves along each dimension, or `?`.
//! - `only in original` lists what the original order computes besides `operations`. Without it there is nothing.
//! - `operations` lists `COUNT CLASS TYPE`, with the classes `load`, `store`, `add`, `minimum`, `multiply`, `divide`,
//!   `square root`, `square root with errno`, `call`, `select` and `integer`, and types such as `f64` and `i32`. A chain without
//!   operations copies a value.
//! - `contracted` is the number of additions that may be rounded together with a product. Without it there is none.
//! - `multiply-add TYPE` has the reads of each factor, the read of the addend, and the write. A factor without reads is invariant. Without
//!   the entry, an instance does something else.
//!
//! Whoever reads a text gets all sets and relations over the parameters of the context, in its order. What is written reads as
//! an equal program. Reading does not [verify](Program::verify).

mod parser;
mod printer;
mod span;
mod words;

use super::Program;
use crate::text::ParseError;
use std::str::FromStr;

/// Reads all programs of a text.
///
/// # Errors
///
/// Where the text is not in the form, and what was expected there.
pub fn programs(text: &str) -> Result<Vec<Program>, ParseError> {
    parser::programs(text)
}

impl FromStr for Program {
    type Err = ParseError;

    /// Reads a text of exactly one program.
    fn from_str(text: &str) -> Result<Program, ParseError> {
        let mut programs = programs(text)?;
        match (programs.pop(), programs.is_empty()) {
            (Some(program), true) => Ok(program),
            _ => Err(ParseError {
                line: 1,
                col: 1,
                message: "expected exactly one program".into(),
            }),
        }
    }
}
