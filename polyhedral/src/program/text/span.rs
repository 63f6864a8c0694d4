//! Pieces of a line that know where they are.

use crate::text::ParseError;
use std::str::FromStr;

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span<'t> {
    /// The line, from 1.
    pub(super) line: usize,
    /// All of the line, in which it begins at this byte.
    whole: &'t str,
    start: usize,
    /// What it says.
    pub(super) text: &'t str,
}

impl<'t> Span<'t> {
    /// All of a line, from 1, without white space around it.
    pub(super) fn of_line(line: usize, whole: &'t str) -> Span<'t> {
        let all = Span {
            line,
            whole,
            start: 0,
            text: whole,
        };
        all.piece(0, whole.len())
    }

    /// The column of its first character, from 1. It is counted where it is asked for: a line may have any number of pieces.
    pub(super) fn col(self) -> usize {
        1 + self.whole[..self.start].chars().count()
    }

    /// The error that this is not what was expected.
    pub(super) fn error(self, message: impl Into<String>) -> ParseError {
        ParseError {
            line: self.line,
            col: self.col(),
            message: message.into(),
        }
    }

    /// The piece from the byte `start` to the byte `end` of this one, without white space around it.
    pub(super) fn piece(self, start: usize, end: usize) -> Span<'t> {
        let text = &self.text[start..end];
        let start = start + (text.len() - text.trim_start().len());
        Span {
            start: self.start + start,
            text: text.trim(),
            ..self
        }
    }

    /// What is before the first `mark` and what is after it.
    pub(super) fn split_once(self, mark: &str) -> Option<(Span<'t>, Span<'t>)> {
        let at = self.text.find(mark)?;
        Some((self.piece(0, at), self.piece(at + mark.len(), self.text.len())))
    }

    /// What comes after the word at the start, if this starts with it.
    pub(super) fn after(self, word: &str) -> Option<Span<'t>> {
        self.text
            .strip_prefix(word)
            .filter(|rest| rest.is_empty() || rest.starts_with(' '))
            .map(|_| self.piece(word.len(), self.text.len()))
    }

    /// The pieces between commas.
    pub(super) fn list(self) -> Vec<Span<'t>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for (at, comma) in self.text.match_indices(',') {
            pieces.push(self.piece(start, at));
            start = at + comma.len();
        }
        pieces.push(self.piece(start, self.text.len()));
        pieces
    }

    /// The number that this is.
    pub(super) fn number<T: FromStr>(self, what: &str) -> Result<T, ParseError> {
        let digits = !self.text.is_empty() && self.text.bytes().all(|byte| byte.is_ascii_digit());
        let number = self.text.parse().ok().filter(|_| digits);
        number.ok_or_else(|| self.error(format!("expected {what}, found `{}`", self.text)))
    }

    /// The value in isl's notation that this is.
    pub(super) fn value<T: FromStr<Err = ParseError>>(self) -> Result<T, ParseError> {
        self.text.parse().map_err(|error| self.inside(error, 0))
    }

    /// An error in a text that begins with `extra` characters and goes on with this one.
    pub(super) fn inside(self, error: ParseError, extra: usize) -> ParseError {
        ParseError {
            line: self.line,
            col: self.col() + (error.col - 1).saturating_sub(extra),
            message: error.message,
        }
    }
}
