//! `farkas program`: programs in text form.

use std::path::Path;

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::text;

/// Reads the programs in `text`, checks that they are well-formed, and prints them without comments.
pub(crate) fn program(file: &Path, text: &str, budget: &Budget) -> Result<String, String> {
    let programs = text::programs(text).map_err(|error| format!("{}:{error}", file.display()))?;
    let mut printed = String::new();
    for (index, program) in programs.iter().enumerate() {
        let located = |error| format!("{}: program {}: {error}", file.display(), index + 1);
        program.verify(budget).map_err(located)?;
        printed += &program.to_string();
    }
    Ok(printed)
}
