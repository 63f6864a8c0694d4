//! The log: lines on standard error, if the user asks for them.

use std::io::Write;
#[cfg(test)]
use std::sync::{Arc, Mutex};

/// Where lines go.
#[derive(Clone, Debug)]
pub(crate) enum Log {
    /// Nowhere.
    Off,
    /// To standard error.
    Stderr,
    /// To a list: for tests.
    #[cfg(test)]
    Lines(Arc<Mutex<Vec<String>>>),
}

impl Log {
    /// The log that the user asked for.
    pub(crate) fn new(is_on: bool) -> Log {
        match is_on {
            true => Log::Stderr,
            false => Log::Off,
        }
    }

    /// Writes a line. That it cannot be written is no failure: standard error may be closed.
    pub(crate) fn line(&self, line: &str) {
        match self {
            Log::Off => {}
            Log::Stderr => {
                let _ = writeln!(std::io::stderr(), "farkas: {line}");
            }
            #[cfg(test)]
            Log::Lines(lines) => lines.lock().expect("no test panics with it").push(line.to_owned()),
        }
    }
}
