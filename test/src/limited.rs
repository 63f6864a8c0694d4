//! Commands that may hang.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A command that ended by itself.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
    /// How long it took.
    pub time: Duration,
}

/// Runs a command for at most `limit`; `None` if it had to be stopped.
///
/// # Errors
///
/// If it cannot be started.
pub fn run_for(command: &mut Command, limit: Duration) -> io::Result<Option<Finished>> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let stdout = reader(child.stdout.take().expect("a pipe"));
    let stderr = reader(child.stderr.take().expect("a pipe"));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let time = start.elapsed();
    let text = |reader: thread::JoinHandle<Vec<u8>>| {
        String::from_utf8_lossy(&reader.join().expect("a thread that only reads")).into_owned()
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    Ok(status.map(|status| Finished {
        status,
        stdout,
        stderr,
        time,
    }))
}

fn reader(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut all = Vec::new();
        // What was read before an error is all there is.
        let _ = pipe.read_to_end(&mut all);
        all
    })
}
