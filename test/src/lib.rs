//! Compiles C files with stock clang, with and without the plugin, and runs what comes of them.
//!
//! What it finds in the environment: `FARKAS_PLUGIN`, the plugin to load (default: that of the release build of this
//! workspace), and `FARKAS_CLANG`, the compiler (default: `clang-22`).
#![forbid(unsafe_code)]

pub mod detect;
pub mod differential;
pub mod limited;
pub mod limits;
pub mod random;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Whether a program is compiled with the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// By clang alone.
    Clang,
    /// By clang with the plugin loaded.
    Farkas,
}

/// The folder of the kernels.
pub fn kernel_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// The names of all kernels, sorted.
pub fn kernels() -> Vec<String> {
    let entries = std::fs::read_dir(kernel_dir()).expect("the folder of the kernels");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let sources = paths.filter(|path| path.extension().is_some_and(|e| e == "c"));
    let mut names: Vec<String> = sources
        .filter_map(|p| Some(p.file_stem()?.to_str()?.to_string()))
        .collect();
    names.sort();
    names
}

/// The plugin.
pub fn plugin() -> PathBuf {
    let default = || {
        let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"));
        target.join("release/libfarkas.so")
    };
    let plugin = env::var_os("FARKAS_PLUGIN").map_or_else(default, PathBuf::from);
    assert!(
        plugin.exists(),
        "{} is not there: run `cargo build --release` first",
        plugin.display()
    );
    plugin
}

/// A folder for what a test makes.
pub fn scratch() -> PathBuf {
    let dir = env::temp_dir().join(format!("farkas-test-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a temporary folder");
    dir
}

/// A compiled program.
#[derive(Debug)]
pub struct Program {
    /// The executable.
    pub path: PathBuf,
    /// What the compiler printed.
    pub diagnostics: String,
    /// How long the compiler took.
    pub compile_time: Duration,
}

/// The number that an environment variable has, if it is set.
///
/// # Panics
///
/// If it is set to something else.
pub fn number(variable: &str, default: u64) -> u64 {
    let value = env::var(variable).ok();
    value.map_or(default, |value| {
        value
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is no number: {value}"))
    })
}

/// Compiles a C file into an executable called `name`, with the given flags after `-O3`.
///
/// # Panics
///
/// If the compiler fails.
pub fn compile(source: &Path, name: &str, with: With, flags: &[&str]) -> Program {
    let suffix = if with == With::Farkas { "farkas" } else { "clang" };
    let path = scratch().join(format!("{name}.{suffix}"));
    let mut command = Command::new(env::var_os("FARKAS_CLANG").unwrap_or_else(|| OsString::from("clang-22")));
    command
        .arg("-O3")
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&path)
        .arg("-lm");
    if with == With::Farkas {
        let mut load = OsString::from("-fpass-plugin=");
        load.push(plugin());
        command.arg(load).args(["-Rpass=farkas", "-Rpass-missed=farkas"]);
    }
    let start = Instant::now();
    let output = command.output().expect("clang-22 can be run");
    let compile_time = start.elapsed();
    let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!diagnostics.contains("internal error"), "{command:?}:\n{diagnostics}");
    assert!(output.status.success(), "{command:?} failed:\n{diagnostics}");
    Program {
        path,
        diagnostics,
        compile_time,
    }
}

impl Program {
    /// Whether the plugin transformed something.
    pub fn transformed(&self) -> bool {
        self.diagnostics.contains("[-Rpass=farkas]")
    }

    /// Runs the program with one argument; gives its standard output.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub fn run(&self, argument: &str) -> String {
        let output = Command::new(&self.path)
            .arg(argument)
            .output()
            .expect("the program can be run");
        text_of(&self.path, output)
    }
}

fn text_of(path: &Path, output: Output) -> String {
    assert!(
        output.status.success(),
        "{} ended with {}",
        path.display(),
        output.status
    );
    String::from_utf8(output.stdout).expect("text")
}

/// The middle of the values.
///
/// # Panics
///
/// If there are none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
