//! `farkas target`: presets, and files with targets.

use crate::read;
use farkas_plan::target::Target;
use std::path::Path;

/// The text of the preset of this name, or of the target in this file; without one, the names of the presets.
///
/// # Errors
/// Why the file is no target.
pub(crate) fn target(wanted: Option<&Path>) -> Result<String, String> {
    let Some(wanted) = wanted else {
        return Ok(Target::names().map(|name| format!("{name}\n")).collect());
    };
    if let Some(preset) = wanted.to_str().and_then(Target::preset) {
        return Ok(preset.to_string());
    }
    let target: Target = read(wanted)?
        .parse()
        .map_err(|error| format!("{}: {error}", wanted.display()))?;
    Ok(target.to_string())
}
