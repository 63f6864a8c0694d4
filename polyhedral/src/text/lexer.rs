//! Text to tokens.

use super::ParseError;
use crate::int::Int;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or keyword: a letter, `_`, `$` or `#`, then letters, digits, `_`, `$`, `.` and `'`.
    Word(String),
    /// A number.
    Number(Int),
    /// One of the signs in [`SIGNS`].
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// The token as an error message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{word}`"),
            Token::Number(number) => format!("`{number}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the text".into(),
        }
    }
}

/// Where a token starts, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pos {
    pub(super) line: usize,
    pub(super) col: usize,
}

impl Pos {
    /// An error here.
    pub(super) fn error<T>(self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError {
            line: self.line,
            col: self.col,
            message: message.into(),
        })
    }
}

/// The signs, with those that begin as another one does before it.
const SIGNS: [&str; 36] = [
    "<<=", ">>=", "->", "<=", ">=", "<<", ">>", "!=", "==", "=>", "&&", "||", "<", ">", "=", "+", "-", "*", "/", "%",
    "(", ")", "[", "]", "{", "}", ",", ";", ":", "!", "∧", "∨", "¬", "≤", "≥", "?",
];

/// Upper limit on the digits of a number: reading and printing them takes quadratic time.
const MAX_DIGITS: usize = 10_000;

/// The tokens of `text`, with an [`Token::End`] at the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Pos)>, ParseError> {
    let mut out = Vec::new();
    let mut pos = Pos { line: 1, col: 1 };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("\\\n") {
            // The line goes on.
            2
        } else if first.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            if len > MAX_DIGITS {
                return pos.error(format!("a number of more than {MAX_DIGITS} digits"));
            }
            let number = rest[..len].parse().or_else(|_| pos.error("not a number"))?;
            out.push((Token::Number(number), pos));
            len
        } else if first.is_alphabetic() || matches!(first, '_' | '$' | '#') {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '\'');
            let len = rest[first.len_utf8()..]
                .find(|c| !part(c))
                .map_or(rest.len(), |n| n + first.len_utf8());
            out.push((Token::Word(rest[..len].into()), pos));
            len
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            out.push((Token::Sign(sign), pos));
            sign.len()
        } else {
            return pos.error(format!("unexpected character `{first}`"));
        };
        for c in rest[..len].chars() {
            if c == '\n' {
                pos = Pos {
                    line: pos.line + 1,
                    col: 1,
                };
            } else {
                pos.col += 1;
            }
        }
        rest = &rest[len..];
    }
    out.push((Token::End, pos));
    Ok(out)
}
