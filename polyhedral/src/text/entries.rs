//! The flat files of isl's tools: one entry a line, `key: value`, as in
//!
//! ```text
//! # a comment
//! domain: [n] -> { S[i] : 0 <= i < n;
//!                  T[i] : 0 <= i < n }
//! validity: "[n] -> { S[i] -> T[i] }"
//! ```
//!
//! This looks like YAML, but values may be sets without quotation marks, which YAML would take for mappings of its own.
//! An entry starts at the beginning of a line, and goes on to where the next one starts. A value in quotation marks is a
//! YAML string, anything else is taken as it stands.

use super::{ParseError, yaml};
use serde_yaml_ng::Value;

/// An entry of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What is before the colon.
    pub(crate) key: String,
    /// What comes after it.
    pub(crate) value: String,
    /// The line on which it starts, from 1.
    pub(crate) line: usize,
    /// The column in characters in which the value starts, from 1.
    pub(crate) col: usize,
    form: Form,
}

/// How a value stands in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    /// As it is.
    Plain,
    /// In quotation marks, as this text, in which line ends are folded.
    Quoted(String),
    /// Somewhere in a mapping in braces, whose reader does not say where.
    InBraces,
}

impl Entry {
    /// An error in the value, at its place in the whole text.
    pub(crate) fn in_text(&self, error: ParseError) -> ParseError {
        let (line, col) = match &self.form {
            Form::Plain => (error.line, error.col),
            Form::Quoted(quoted) => place_in_quotes(quoted, (error.line, error.col)),
            Form::InBraces => (1, 1),
        };
        ParseError {
            line: self.line + line - 1,
            col: match line {
                1 => self.col + col - 1,
                _ => col,
            },
            message: format!("in `{}`: {}", self.key, error.message),
        }
    }

    /// An error about the entry as a whole.
    pub(crate) fn error(&self, message: String) -> ParseError {
        ParseError {
            line: self.line,
            col: 1,
            message,
        }
    }
}

/// The place in `quoted`, a YAML string in quotation marks, of what is at `place` in its value. Both are lines and columns from 1.
///
/// The value has a space for a line end with the blanks around it, and one line end less than there are for several.
fn place_in_quotes(quoted: &str, place: (usize, usize)) -> (usize, usize) {
    let after = |(line, col), c| match c {
        '\n' => (line + 1, 1),
        _ => (line, col + 1),
    };
    let is_double = quoted.starts_with('"');
    let mut rest = quoted.get(1..).unwrap_or_default();
    let (mut here, mut in_value) = ((1, 2), (1, 1));
    while in_value < place && !rest.is_empty() {
        let blanks = rest.len() - rest.trim_start().len();
        let line_ends = rest[..blanks].matches('\n').count();
        let escaped = rest
            .strip_prefix('\\')
            .filter(|_| is_double)
            .and_then(|rest| rest.chars().next());
        let len = match escaped {
            // What follows in digits is a character by its number.
            Some('x') => 4,
            Some('u') => 6,
            Some('U') => 10,
            Some(c) => 1 + c.len_utf8(),
            None if line_ends > 0 => blanks,
            None if !is_double && rest.starts_with("''") => 2,
            None => rest.chars().next().map_or(0, char::len_utf8),
        };
        in_value = match escaped {
            Some('n') => after(in_value, '\n'),
            Some('\n') => in_value,
            None if line_ends > 1 => (in_value.0 + line_ends - 1, 1),
            _ => after(in_value, ' '),
        };
        let (unit, behind) = rest.split_at_checked(len).unwrap_or((rest, ""));
        here = unit.chars().fold(here, after);
        rest = behind;
    }
    here
}

/// The error that a text has no entry with a key.
pub(crate) fn missing(key: &str) -> ParseError {
    ParseError {
        line: 1,
        col: 1,
        message: format!("the key `{key}` is missing"),
    }
}

/// The entries of a text, in order.
pub(crate) fn entries(text: &str) -> Result<Vec<Entry>, ParseError> {
    if text.trim_start().starts_with('{') {
        return flow_mapping(text);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.starts_with('#') || line.trim().is_empty() || line.trim() == "---" {
            // Lines of a value are counted.
            if let Some(entry) = entries.last_mut() {
                entry.value.push('\n');
            }
            continue;
        }
        if line.starts_with(char::is_whitespace) {
            let Some(entry) = entries.last_mut() else {
                return Err(ParseError {
                    line: number,
                    col: 1,
                    message: "expected `key:` at the start of the line".to_string(),
                });
            };
            entry.value.push('\n');
            entry.value.push_str(line);
            continue;
        }
        // In a set that goes on here there may be a colon, too: `0:9` is a range.
        let is_key = |key: &str| {
            key.starts_with(|c: char| c.is_ascii_alphabetic())
                && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
        };
        match line.split_once(':').filter(|(key, _)| is_key(key)) {
            Some((key, value)) => entries.push(Entry {
                key: key.to_string(),
                value: value.to_string(),
                line: number,
                col: key.chars().count() + 2,
                form: Form::Plain,
            }),
            // The rest of a set that is not indented.
            None => match entries.last_mut() {
                Some(entry) => {
                    entry.value.push('\n');
                    entry.value.push_str(line);
                }
                None => {
                    return Err(ParseError {
                        line: number,
                        col: 1,
                        message: format!("expected `key:`, found `{}`", line.trim()),
                    });
                }
            },
        }
    }
    entries.into_iter().map(unquoted).collect()
}

/// The entry with its value out of quotation marks, if it is in any.
fn unquoted(mut entry: Entry) -> Result<Entry, ParseError> {
    let trimmed = entry.value.trim();
    // The value starts behind blanks, perhaps on a later line.
    for c in entry.value.chars().take_while(|c| c.is_whitespace()) {
        (entry.line, entry.col) = match c {
            '\n' => (entry.line + 1, 1),
            _ => (entry.line, entry.col + 1),
        };
    }
    if trimmed.starts_with(['"', '\'']) {
        let value = yaml::parse(trimmed).map_err(|error| entry.in_text(error))?;
        let form = Form::Quoted(trimmed.to_string());
        return Ok(Entry { value, form, ..entry });
    }
    let value = trimmed.to_string();
    Ok(Entry { value, ..entry })
}

/// The entries of a mapping in braces, in which all values are in quotation marks.
fn flow_mapping(text: &str) -> Result<Vec<Entry>, ParseError> {
    let mapping: serde_yaml_ng::Mapping = yaml::parse(text)?;
    let entry = |(key, value): (Value, Value)| match (key.as_str(), value.as_str()) {
        (Some(key), Some(value)) => Ok(Entry {
            key: key.to_string(),
            value: value.to_string(),
            line: 1,
            col: 1,
            form: Form::InBraces,
        }),
        _ => Err(ParseError {
            line: 1,
            col: 1,
            message: format!("expected a string for the key {key:?}"),
        }),
    };
    mapping.into_iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, usize)]) {
        let found = entries(text).unwrap();
        let found: Vec<(&str, &str, usize)> = found
            .iter()
            .map(|e| (e.key.as_str(), e.value.as_str(), e.line))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn values_may_be_sets_or_strings() {
        check(
            "# OPTIONS: --x\ndomain: { A[i] : i = 0;\n\tB[] }\n\nvalidity: \"{ A[i] ->\n  B[] }\"\n",
            &[
                ("domain", "{ A[i] : i = 0;\n\tB[] }", 2),
                ("validity", "{ A[i] -> B[] }", 5),
            ],
        );
        // As isl's test `niewang` has it.
        check(
            "domain: { A[0:3,\n0:9] }\nvalidity: { }\n",
            &[("domain", "{ A[0:3,\n0:9] }", 1), ("validity", "{ }", 3)],
        );
        check(
            "{ domain: \"{ A[] }\", validity: \"{ }\" }",
            &[("domain", "{ A[] }", 1), ("validity", "{ }", 1)],
        );
    }

    /// The place of an error at the last `!` of the value.
    fn place_of_mark(text: &str) -> String {
        let entries = entries(text).unwrap();
        let before = entries[0].value.split('!').next().unwrap();
        let error = ParseError {
            line: 1 + before.matches('\n').count(),
            col: 1 + before.rsplit('\n').next().unwrap().chars().count(),
            message: "here".to_string(),
        };
        entries[0].in_text(error).to_string()
    }

    #[test]
    fn places_in_quotes() {
        assert_eq!(place_of_mark("domain: a!"), "1:10: in `domain`: here");
        assert_eq!(place_of_mark("domain: a\n  b!"), "2:4: in `domain`: here");
        assert_eq!(place_of_mark("domain:\n\n a\n# c\n b!"), "5:3: in `domain`: here");
        assert_eq!(place_of_mark("domain: \"a!\""), "1:11: in `domain`: here");
        assert_eq!(place_of_mark("domain: \"a  \n   b!\""), "2:5: in `domain`: here");
        assert_eq!(place_of_mark("domain: 'a\n\n\n b ''!'"), "4:6: in `domain`: here");
        assert_eq!(
            place_of_mark("domain:\n  \"a\\n\\\"\\x41!\""),
            "2:13: in `domain`: here"
        );
        assert_eq!(place_of_mark("{ domain: \"{ a! }\" }"), "1:1: in `domain`: here");
    }

    #[test]
    fn text_that_is_no_entry() {
        let error = |text| entries(text).unwrap_err().to_string();
        assert_eq!(error("  domain: { }"), "1:1: expected `key:` at the start of the line");
        assert_eq!(error("# c\nwhat is this"), "2:1: expected `key:`, found `what is this`");
    }
}
