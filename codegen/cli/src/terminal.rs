//! What commands read and write: texts without a byte-order mark, results on standard output, and errors on standard error,
//! one on a line.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

/// So many characters of an error are shown: the start and the end of it. Sets in it may be of any size.
const MAX_ERROR: usize = 400;

/// So many bytes of a file, or of one statement, are read: devices may have no end.
pub(crate) const MAX_INPUT: u64 = 100_000_000;

/// The exit status of a command whose reader is gone: that of a process which SIGPIPE ends.
const READER_GONE: u8 = 128 + 13;

/// The text of a file, or of standard input for `-`.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8. Begins with the file's name, as all errors do.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    let bytes = if file == Path::new("-") {
        read_bytes(io::stdin())
    } else {
        File::open(file).and_then(read_bytes)
    };
    let bytes = bytes.map_err(|error| format!("{}: {error}", file.display()))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(format!("{}: more than {MAX_INPUT} bytes", file.display()));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let (line, col) = end_of(&String::from_utf8_lossy(valid));
        format!("{}:{line}:{col}: not UTF-8", file.display())
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_string(),
        None => text,
    })
}

/// At most one byte more than is allowed.
fn read_bytes(input: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(MAX_INPUT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The line and the column behind a text, from 1.
fn end_of(text: &str) -> (usize, usize) {
    let last = text.rsplit('\n').next().unwrap_or_default();
    (1 + text.matches('\n').count(), 1 + last.chars().count())
}

/// Prints a result. The status is `status` if that goes well.
pub(crate) fn print(text: &str, status: ExitCode) -> ExitCode {
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Ok(()) => status,
        Err(error) => lost_output(&error),
    }
}

/// The status of a command that cannot write its results. Whoever closed a pipe does not want to know.
pub(crate) fn lost_output(error: &io::Error) -> ExitCode {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return ExitCode::from(READER_GONE);
    }
    print_error(&format!("standard output: {error}"))
}

/// Prints an error, and is the status of a command that fails.
pub(crate) fn print_error(message: &str) -> ExitCode {
    // Where standard error is closed there is nobody to tell.
    let _ = writeln!(io::stderr(), "{}", one_line(message));
    ExitCode::FAILURE
}

/// The message without control characters, and without its middle if it is long.
pub(crate) fn one_line(message: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let length = message.chars().count();
    if length <= MAX_ERROR {
        return message.trim_end().chars().map(plain).collect();
    }
    let half = MAX_ERROR / 2;
    let start = message.chars().take(half);
    let end = message.chars().skip(length - half);
    start.chain(" .. ".chars()).chain(end).map(plain).collect()
}
