//! `farkas calc`: statements about sets and relations, computed one after the other, in the manner of iscc.

mod binary;
mod count;
mod enumerate;
mod files;
mod help;
mod lexer;
mod operations;
mod order;
mod power;
mod session;
mod statements;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

use crate::terminal;
use lexer::{Error, Pos};
use session::{Outcome, Session};
use statements::{Statements, Unread};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

/// How deep files may name files with `source`: one that names itself does not end.
const MAX_SOURCES: usize = 20;

/// Computes the statements in a file, or on standard input for `-`.
pub(crate) fn command(file: &Path, budget: u64) -> ExitCode {
    let (output, errors) = (io::stdout().lock(), io::stderr().lock());
    let name = file.display().to_string();
    let done = if name == "-" {
        run(&name, io::stdin().lock(), output, errors, budget)
    } else {
        match File::open(file) {
            Ok(opened) => run(&name, BufReader::new(opened), output, errors, budget),
            Err(error) => return terminal::print_error(&format!("{name}: {error}")),
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => terminal::lost_output(&error),
    }
}

/// Computes the statements in `input` as they come, and prints results and errors. Whether all statements had a value.
///
/// # Errors
///
/// If results cannot be written to `output`.
fn run(
    name: &str,
    mut input: impl BufRead,
    mut output: impl Write,
    mut errors: impl Write,
    budget: u64,
) -> io::Result<bool> {
    let mut console = Console {
        output: &mut output,
        errors: &mut errors,
        failed: false,
        depth: 0,
    };
    console.compute(name, &mut input, &mut Session::new(budget))?;
    Ok(!console.failed)
}

/// Where results and errors go.
struct Console<'a> {
    output: &'a mut dyn Write,
    errors: &'a mut dyn Write,
    failed: bool,
    /// The files that are being read.
    depth: usize,
}

/// Whether statements go on.
#[derive(PartialEq)]
enum End {
    OfText,
    OfSession,
}

impl Console<'_> {
    fn report(&mut self, file: &str, error: &Error) -> io::Result<()> {
        self.failed = true;
        self.output.flush()?;
        let message = format!("{file}:{}:{}: {}", error.pos.line, error.pos.col, error.message);
        // Where standard error is closed there is nobody to tell.
        let _ = writeln!(self.errors, "{}", terminal::one_line(&message));
        Ok(())
    }

    fn compute(&mut self, file: &str, input: &mut dyn BufRead, session: &mut Session) -> io::Result<End> {
        let mut statements = Statements::new(input);
        loop {
            let (text, pos) = match statements.next() {
                Ok(Some(statement)) => statement,
                Ok(None) => return Ok(End::OfText),
                Err(Unread::Wrong(error)) => {
                    self.report(file, &error)?;
                    return Ok(End::OfText);
                }
                Err(Unread::System(error)) => {
                    self.failed = true;
                    let _ = writeln!(self.errors, "{file}: {error}");
                    return Ok(End::OfText);
                }
            };
            match session.statement(&text, pos) {
                Ok(Outcome::Silent) => {}
                Ok(Outcome::Shown(text)) => writeln!(self.output, "{text}")?,
                Ok(Outcome::Quit) => return Ok(End::OfSession),
                Ok(Outcome::Source(other, pos)) => {
                    if self.source(file, &other, pos, session)? == End::OfSession {
                        return Ok(End::OfSession);
                    }
                }
                Err(error) => self.report(file, &error)?,
            }
            self.output.flush()?;
        }
    }

    /// Computes the statements of the file `other`, which `file` names at `pos`.
    fn source(&mut self, file: &str, other: &Path, pos: Pos, session: &mut Session) -> io::Result<End> {
        if self.depth == MAX_SOURCES {
            let message = "files name files too deeply".into();
            self.report(file, &Error { pos, message })?;
            return Ok(End::OfText);
        }
        let name = other.display().to_string();
        match File::open(other) {
            Ok(opened) => {
                self.depth += 1;
                let end = self.compute(&name, &mut BufReader::new(opened), session);
                self.depth -= 1;
                end
            }
            Err(error) => {
                let message = format!("{name}: {error}");
                self.report(file, &Error { pos, message })?;
                Ok(End::OfText)
            }
        }
    }
}
