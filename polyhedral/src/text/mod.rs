//! The text form of sets, relations and functions: isl's notation.
//!
//! ```text
//! [n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }                     a set
//! [n] -> { S[i, j] -> A[i + j, floor(j/32)] : j mod 2 = 0 }            a relation
//! { A[i] : exists (a, b : i = 2a + 3b and a >= 0); B[] }              a union of sets
//! [n] -> { : n > 0 }                                                  a set of parameter values
//! { S[i] -> [i + 1, 2*floor(i/2)] }                                   a tuple of expressions
//! { S[i] -> [(i)] : i >= 0; S[i] -> [(0)] : i < 0 }                   a piecewise expression
//! { S[i] -> A[((i) : i >= 0; (0) : i < 0), (i)] }                     a tuple of piecewise expressions
//! L[{ S[i] -> [(i)]; T[] -> [(0)] }, { S[i] -> [(1)]; T[] -> [(2)] }] one on tuples of several spaces
//! ```
//!
//! Conditions are built with `and`, `or`, `not`, `implies` (`=>`), `exists`, `true`, `false`, chains of comparisons of lists
//! of expressions, and the lexicographic comparisons `<<`, `<<=`, `>>`, `>>=`. Expressions have `+`, `-`, products with a
//! constant, quotients, `floor`, `ceil`, `floord`, `ceild`, `mod` (`%`), `[e/n]` for `floor(e/n)`, `min` and `max`, the
//! conditional `condition ? e : e`, and pieces, `(e : condition; e : condition)`, which have no value, and satisfy no
//! comparison, where none of the conditions holds. In a tuple, a new name is a dimension, anything else an expression that
//! the dimension is equal to, and `name = expression` is both; `low:high` in the place of an expression says what it is
//! between. Parameters may be restricted in the same way, `[n, m = 0:9] ->`.
//!
//! `infinity` (`infty`) and `NaN` (`nan`) are numbers in conditions: `i < infinity` holds for all integers, no comparison
//! holds for `NaN`. They are not values of functions. Pieces of a function that overlap have to agree. A function without
//! arguments, `[n] -> { [(n)] }`, is one of the tuple `[]`.
//!
//! What is printed parses to an equal value, but for identifiers: a text says nothing of their user data ([`crate::sets::Name`]).

pub(crate) mod entries;
mod function;
mod function_printer;
mod lexer;
mod lower;
mod parser;
mod printer;
mod quasi_polynomial;
mod syntax;
mod value;
pub(crate) mod yaml;

pub(crate) use function_printer::parameter_expression;

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
