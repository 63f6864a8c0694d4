//! `farkas target`: presets, and files with targets.

use crate::terminal::read;
use farkas_plan::target::{Target, TargetError};
use std::path::Path;

/// The text of the preset of this name, or of the target in this file; without one, the names of the presets.
///
/// # Errors
/// Why the file is no target.
pub(crate) fn target(wanted: Option<&Path>) -> Result<String, String> {
    let Some(wanted) = wanted else {
        return Ok(Target::names().map(|name| format!("{name}\n")).collect());
    };
    Ok(find(wanted)?.to_string())
}

/// The preset of this name, or the target in this file.
///
/// # Errors
/// Why the file is no target.
pub(crate) fn find(wanted: &Path) -> Result<Target, String> {
    if let Some(preset) = wanted.to_str().and_then(Target::preset) {
        return Ok(preset);
    }
    let parsed = read(wanted)?.parse();
    parsed.map_err(|error| match error {
        TargetError::Syntax { line, col, message } => format!("{}:{line}:{col}: {message}", wanted.display()),
        other => format!("{}: {other}", wanted.display()),
    })
}
