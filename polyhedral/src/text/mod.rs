//! The text form of sets, relations and expressions: isl's notation.

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
