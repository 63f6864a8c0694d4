//! `farkas remarks`: what the plugin said of loop nests, from the files that `-fsave-optimization-record` writes.

mod record;
mod sarif;

use std::path::PathBuf;

use clap::Args;
use record::{Remark, read_remarks};

use crate::terminal::{one_line, read};

/// The options of `farkas remarks`.
#[derive(Args)]
pub(crate) struct RemarksArguments {
    /// Files with remarks, as `-fsave-optimization-record` writes them, or `-` for standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print a log in SARIF 2.1.0, which editors and code review read.
    #[arg(long)]
    sarif: bool,
}

/// The remarks of this plugin in all files, one on a line, or as a SARIF log.
///
/// # Errors
///
/// What is wrong with a file.
pub(crate) fn remarks(arguments: &RemarksArguments) -> Result<String, String> {
    let mut all = Vec::new();
    for file in &arguments.files {
        let remarks = read_remarks(&read(file)?).map_err(|error| format!("{}:{error}", file.display()))?;
        all.extend(remarks.into_iter().filter(|remark| remark.pass == "farkas"));
    }
    Ok(match arguments.sarif {
        true => sarif::log(&all),
        false => all.iter().map(line).collect(),
    })
}

/// A remark as compilers print it.
fn line(remark: &Remark) -> String {
    let place = remark.place.as_ref().map_or(String::new(), |place| {
        format!("{}:{}:{}: ", place.file, place.line, place.column)
    });
    one_line(&format!("{place}{}: {}", remark.function, remark.message)) + "\n"
}
