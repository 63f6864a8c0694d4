//! Runs of the command, within limits, and what has to hold of each.

use std::fmt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Seconds of CPU time that a run may take. The planner is compiled without optimisation for tests in debug mode.
const SECONDS: u32 = if cfg!(debug_assertions) { 20 } else { 2 };

/// Kilobytes of address space that a run may have.
const MEMORY: u32 = 1 << 20;

/// So many bytes of a command's output are looked at in messages.
const SHOWN: usize = 600;

/// A way to call the command on a file.
#[derive(Clone)]
pub(crate) struct Call {
    arguments: Vec<String>,
    /// Files beside the damaged one, with their names and texts, in front of it and behind it.
    before: Vec<(String, String)>,
    after: Vec<(String, String)>,
    /// The option that the damaged file is the value of.
    option: Option<&'static str>,
}

impl Call {
    pub(crate) fn of(arguments: &[&str]) -> Call {
        Call {
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            before: Vec::new(),
            after: Vec::new(),
            option: None,
        }
    }

    /// With a valid file behind the damaged one.
    pub(crate) fn with(mut self, name: &str, text: &str) -> Call {
        self.after.push((name.to_owned(), text.to_owned()));
        self
    }

    /// With a valid file in front of the damaged one.
    pub(crate) fn behind(mut self, name: &str, text: &str) -> Call {
        self.before.push((name.to_owned(), text.to_owned()));
        self
    }

    /// With the damaged file as the value of an option.
    pub(crate) fn behind_option(mut self, option: &'static str) -> Call {
        self.option = Some(option);
        self
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |files: &[(String, String)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        let option = self.option.map(str::to_owned);
        let words = [&self.arguments[..], &names(&self.before)].concat();
        let rest = [option.into_iter().collect(), vec![INPUT.to_owned()], names(&self.after)].concat();
        write!(f, "farkas {}", [words, rest].concat().join(" "))
    }
}

/// The name of the damaged file.
const INPUT: &str = "input";

/// A folder for the files of a test, and the runs there.
pub(crate) struct Runs {
    folder: PathBuf,
}

impl Runs {
    pub(crate) fn new(name: &str) -> Runs {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants").join(name);
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        Runs { folder }
    }

    /// Removes the folder, unless it has files of runs that failed.
    pub(crate) fn close(self, failures: &[String]) {
        if failures.is_empty() {
            std::fs::remove_dir_all(self.folder).expect("the folder of the test");
        }
    }

    /// What is wrong with the run of a command on a text, if anything is. `origin` says where the text comes from.
    pub(crate) fn check(&self, call: &Call, origin: &str, text: &[u8]) -> Option<String> {
        let write =
            |name: &str, text: &[u8]| std::fs::write(self.folder.join(name), text).expect("a file for the test");
        write(INPUT, text);
        for (name, text) in call.before.iter().chain(&call.after) {
            write(name, text.as_bytes());
        }
        let limits = format!("ulimit -c 0 && ulimit -t {SECONDS} && ulimit -v {MEMORY} && exec \"$0\" \"$@\"");
        let done = Command::new("sh")
            .args(["-c", &limits, env!("CARGO_BIN_EXE_farkas")])
            .args(&call.arguments)
            .args(call.before.iter().map(|(name, _)| name))
            .args(call.option)
            .arg(INPUT)
            .args(call.after.iter().map(|(name, _)| name))
            .current_dir(&self.folder)
            .env_remove("RUST_LOG")
            .output()
            .expect("a shell");
        let wrong = defect(call, text, &done)?;
        let kept = (0..)
            .map(|k| self.folder.join(format!("failed-{k}")))
            .find(|file| !file.exists())?;
        std::fs::write(&kept, text).expect("a file for the test");
        let said = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).into_owned();
        let failure = format!(
            "{call} ({origin}, {}): {wrong}; {}\n{}{}",
            kept.display(),
            done.status,
            said(&done.stderr),
            said(&done.stdout)
        );
        println!("{failure}");
        Some(failure)
    }
}

/// What is wrong with a run.
fn defect(call: &Call, text: &[u8], done: &Output) -> Option<&'static str> {
    let (Ok(errors), Ok(_)) = (str::from_utf8(&done.stderr), str::from_utf8(&done.stdout)) else {
        return Some("it prints what is not UTF-8");
    };
    // A file of `calc` has several statements, whose results and errors are printed as they come. `check` prints a violation as its result.
    let has_statements = call.arguments[0] == "calc";
    let has_verdict = call.arguments[0] == "check";
    match done.status.code() {
        Some(0) if !errors.is_empty() => Some("it prints errors, and the status is 0"),
        Some(0) => None,
        Some(1) if has_verdict && errors.is_empty() => match done.stdout.is_empty() {
            true => Some("it says nothing"),
            false => None,
        },
        Some(1) if !done.stdout.is_empty() && !has_statements => Some("it fails with a result"),
        Some(1) if !errors.ends_with('\n') => Some("it says nothing"),
        Some(1) if errors.lines().count() > 1 && !has_statements => Some("an error has several lines"),
        Some(1) => errors.lines().find_map(|line| defect_of_line(call, text, line)),
        _ => Some("it fails in another way, or takes too long"),
    }
}

/// What is wrong with a line on an error: it begins with the name of a file, and its place is one of that file.
fn defect_of_line(call: &Call, text: &[u8], line: &str) -> Option<&'static str> {
    if line.chars().any(char::is_control) {
        return Some("an error has control characters");
    }
    if line.contains("panicked") {
        return Some("it panics");
    }
    let others = || call.before.iter().chain(&call.after);
    let Some(rest) = line.strip_prefix(INPUT).and_then(|rest| rest.strip_prefix(':')) else {
        return match others().any(|(name, _)| line.starts_with(&format!("{name}:"))) {
            true => None,
            false => Some("an error does not begin with the name of a file"),
        };
    };
    let mut parts = rest.splitn(3, ':');
    let mut number = || parts.next().and_then(|part| part.parse::<usize>().ok());
    let line = number()?;
    let Some(col) = number() else {
        return Some("an error has a line without a column");
    };
    // To YAML, a carriage return ends a line, too.
    if text.contains(&b'\r') {
        return None;
    }
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let length = |line: &[u8]| String::from_utf8_lossy(line).chars().count();
    match line.checked_sub(1).and_then(|line| lines.get(line)) {
        // The place behind the last character is where the rest is missing.
        Some(line) if (1..=length(line) + 1).contains(&col) => None,
        _ => Some("the place of an error is not in the file"),
    }
}

/// The original order of a program as a schedule tree.
pub(crate) fn original_order(program: &str) -> String {
    let runs = Runs::new("original");
    std::fs::write(runs.folder.join(INPUT), program).expect("a file for the test");
    let mut command = Command::new(env!("CARGO_BIN_EXE_farkas"));
    let done = command
        .args(["plan", "--original", INPUT])
        .current_dir(&runs.folder)
        .output();
    runs.close(&[]);
    String::from_utf8(done.expect("the command runs").stdout).expect("text")
}
