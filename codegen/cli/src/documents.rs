//! `farkas completions` and `farkas man`: documents that are made of the same definitions as `--help`.

use std::path::Path;

use clap::Command;
use clap_complete::Shell;

/// The script for a shell's completion.
pub(crate) fn completions(mut command: Command, shell: Shell) -> String {
    let (name, mut script) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes a manual page for the command and for each of its commands.
///
/// # Errors
///
/// If a file cannot be written.
pub(crate) fn write_manual(command: Command, folder: &Path) -> Result<(), String> {
    let written = clap_mangen::generate_to(command.disable_help_subcommand(true), folder);
    written.map_err(|error| format!("{}: {error}", folder.display()))
}
