//! `farkas flow`: dependence analysis of a file of accesses.

use std::path::Path;

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::AccessInfo;

/// The dependences of the accesses in `text`, as a `.flow` file.
pub(crate) fn flow(file: &Path, text: &str, budget: &Budget) -> Result<String, String> {
    let located = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let info = AccessInfo::parse(text, budget).map_err(|error| format!("{}:{error}", file.display()))?;
    Ok(info.flow(budget).map_err(|error| located(&error))?.to_string())
}
