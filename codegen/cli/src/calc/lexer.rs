//! Text to statements and tokens.

/// Where something starts, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pos {
    pub(super) line: usize,
    pub(super) col: usize,
}

impl Pos {
    pub(super) const START: Pos = Pos { line: 1, col: 1 };

    /// The place behind `text`, which starts here.
    pub(super) fn after(self, text: &str) -> Pos {
        text.chars().fold(self, |pos, c| match c {
            '\n' => Pos {
                line: pos.line + 1,
                col: 1,
            },
            _ => Pos {
                col: pos.col + 1,
                ..pos
            },
        })
    }

    /// An error here.
    pub(super) fn error<T>(self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error {
            pos: self,
            message: message.into(),
        })
    }
}

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    pub(super) pos: Pos,
    pub(super) message: String,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    /// Digits.
    Number(String),
    /// What is between quotes.
    Text(String),
    /// A set or relation in isl's notation.
    Literal(String),
    Sign(&'static str),
    End,
}

impl Token {
    /// The token as an error message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            Token::Word(word) | Token::Number(word) => format!("`{word}`"),
            Token::Text(_) => "a string".into(),
            Token::Literal(_) => "a set or relation".into(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the statement".into(),
        }
    }
}

/// The signs, with those that begin as another one does before it.
const SIGNS: [&str; 23] = [
    "->*", "<<=", ">>=", "->", ":=", "<<", ">>", "<=", ">=", "!=", "=", "<", ">", "+", "-", "*", "%", ".", "^", "(",
    ")", ",", "?",
];

/// The length of a comment, a string, or a set or relation in braces at the start of `text`: what a `;` in it does not end.
/// None if the text ends before it does; 0 if there is none of them.
fn span(text: &str) -> Option<usize> {
    match text.chars().next() {
        Some('#') => text.find('\n').or(Some(text.len())),
        Some('"') => text[1..].find('"').map(|n| n + 2),
        Some('{') => {
            let mut depth = 0;
            for (i, c) in text.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    return Some(i + 1);
                }
            }
            None
        }
        _ => Some(0),
    }
}

/// The length of the parameters, `[n, m] ->`, in front of a set or relation at the start of `text`; 0 if there are none.
fn params_len(text: &str) -> usize {
    if !text.starts_with('[') {
        return 0;
    }
    let behind = |text: &str, sign: char| text.find(sign).map(|n| n + 1);
    let Some(names) = behind(text, ']') else { return 0 };
    let arrow = text[names..].trim_start();
    let Some(rest) = arrow.strip_prefix("->") else { return 0 };
    let rest = rest.trim_start();
    if rest.starts_with('{') {
        text.len() - rest.len()
    } else {
        0
    }
}

/// The tokens of one statement, which starts at `pos`, with an end behind them.
pub(super) fn tokens(text: &str, pos: Pos) -> Result<Vec<(Token, Pos)>, Error> {
    let mut out = Vec::new();
    let end = each_token(text, pos, |token, pos| out.push((token, pos)))?;
    out.push((Token::End, end));
    Ok(out)
}

/// The number of tokens in a text that starts at `pos`: those of millions of words are not kept.
pub(super) fn count_tokens(text: &str, pos: Pos) -> Result<usize, Error> {
    let mut count = 0;
    each_token(text, pos, |_, _| count += 1)?;
    Ok(count)
}

/// Calls `found` with each token, and returns where the text ends.
fn each_token(text: &str, mut pos: Pos, mut found: impl FnMut(Token, Pos)) -> Result<Pos, Error> {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (token, len) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if matches!(first, '#' | '"' | '{' | '[') {
            let params = params_len(rest);
            if first == '[' && params == 0 {
                return pos.error("expected parameters in front of a set or relation, `[n] -> { .. }`");
            }
            let Some(len) = span(&rest[params..]).map(|n| n + params) else {
                return pos.error(format!("`{first}` is not closed"));
            };
            let part = rest[..len].to_string();
            (
                match first {
                    '#' => None,
                    '"' => Some(Token::Text(part[1..len - 1].into())),
                    _ => Some(Token::Literal(part)),
                },
                len,
            )
        } else if first.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (Some(Token::Number(rest[..len].into())), len)
        } else if first.is_alphabetic() || first == '_' {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
            let len = rest.find(|c| !part(c)).unwrap_or(rest.len());
            (Some(Token::Word(rest[..len].into())), len)
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Some(Token::Sign(sign)), sign.len())
        } else {
            return pos.error(format!("unexpected character `{first}`"));
        };
        if let Some(token) = token {
            found(token, pos);
        }
        pos = pos.after(&rest[..len]);
        rest = &rest[len..];
    }
    Ok(pos)
}
