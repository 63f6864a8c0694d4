//! YAML, with errors that have a place.

use super::ParseError;
use serde::de::DeserializeOwned;

/// How deep brackets may nest. The reader of YAML takes quadratic time in it, and recurses only 128 levels itself.
const MAX_NESTING: usize = 256;

/// The value of a YAML text.
///
/// # Errors
///
/// If it is not YAML, or not what `T` is read from.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, ParseError> {
    check_nesting(text)?;
    serde_yaml_ng::from_str(text).map_err(|error| {
        let (line, col) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
        let message = error.to_string().replace(&format!(" at line {line} column {col}"), "");
        // The reader of YAML thinks of a line end behind the last line.
        let n_lines = 1 + text.matches('\n').count();
        let (line, col) = match line > n_lines {
            true => (
                n_lines,
                1 + text.rsplit('\n').next().unwrap_or_default().chars().count(),
            ),
            false => (line, col),
        };
        ParseError { line, col, message }
    })
}

/// That brackets do not nest too deeply. Those in quotation marks count as well: sets close what they open.
fn check_nesting(text: &str) -> Result<(), ParseError> {
    let (mut line, mut col, mut depth) = (1, 1, 0_usize);
    for c in text.chars() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_NESTING {
            let message = "nested too deeply".to_string();
            return Err(ParseError { line, col, message });
        }
        (line, col) = if c == '\n' { (line + 1, 1) } else { (line, col + 1) };
    }
    Ok(())
}
