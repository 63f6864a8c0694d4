//! `read` and `write`: values in files.

use super::value::{Computed, Value, misuse};
use crate::terminal;
use farkas_polyhedral::tree::Tree;
use std::path::Path;

/// The value that is the text of a file: a set or relation in isl's notation, or a schedule tree in YAML.
pub(super) fn read(file: &str) -> Computed {
    let text = match terminal::read(Path::new(file)) {
        Ok(text) => text,
        Err(message) => return misuse(message),
    };
    if let Ok(set) = text.parse() {
        return Ok(Value::Set(set));
    }
    let starts_as_tree = text.lines().any(|line| line.starts_with("domain"));
    let error = match (text.parse(), text.parse::<Tree>()) {
        (Ok(map), _) => return Ok(Value::Map(map)),
        (_, Ok(tree)) => return Ok(Value::Schedule(tree.into())),
        (_, Err(error)) if starts_as_tree => error,
        (Err(error), _) => error,
    };
    misuse(format!("{file}:{error}"))
}

/// Writes a line, or several, to a file.
///
/// # Errors
///
/// The file, and what the system says.
pub(super) fn write(file: &str, text: &str) -> Result<(), String> {
    std::fs::write(file, format!("{}\n", text.trim_end())).map_err(|error| format!("{file}: {error}"))
}
