//! The text form of sets, relations and expressions: isl's notation.
//!
//! ```text
//! [n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }                     a set
//! [n] -> { S[i, j] -> A[i + j, floor(j/32)] : j mod 2 = 0 }            a relation
//! { A[i] : exists (a, b : i = 2a + 3b and a >= 0); B[] }              a union of sets
//! [n] -> { : n > 0 }                                                  a set of parameter values
//! { S[i] -> [i + 1, 2*floor(i/2)] }                                   a tuple of expressions
//! ```
//!
//! Conditions are built with `and`, `or`, `not`, `=>`, `exists`, `true`, `false`, chains of comparisons of lists of
//! expressions, and the lexicographic comparisons `<<`, `<<=`, `>>`, `>>=`. Expressions have `+`, `-`, products with a
//! constant, `floor`, `ceil`, `floord`, `ceild`, `mod` (`%`), and `[e/n]` for `floor(e/n)`. In a tuple, a new name is
//! a dimension, anything else an expression that the dimension is equal to, and `name = expression` is both.
//!
//! What is printed parses to an equal value.

mod function;
mod function_printer;
mod lexer;
mod lower;
mod parser;
mod printer;
mod syntax;
mod value;

pub use function::parse_band;

/// Why and where a text is not in the notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{col}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub col: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}
