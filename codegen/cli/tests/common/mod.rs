//! Runs the command on a text.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the command with a text on its standard input.
pub(crate) fn run(arguments: &[&str], input: &str, output: Stdio) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_farkas"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(input.as_bytes()).expect("the command reads");
    drop(pipe);
    child.wait_with_output().expect("the command ends")
}

/// What the command prints for a text on its standard input, then its errors, then its exit status unless that is 0.
pub(crate) fn printed(arguments: &[&str], input: &str) -> String {
    let done = run(arguments, input, Stdio::piped());
    let mut out = String::from_utf8(done.stdout).expect("text");
    let errors = String::from_utf8(done.stderr).expect("text");
    if !errors.is_empty() {
        out.push_str(&format!("--- errors\n{errors}"));
    }
    if done.status.code() != Some(0) {
        out.push_str(&format!("--- status {:?}\n", done.status.code()));
    }
    out
}
