//! Compiles kernels with stock compilers, with and without the plugin, and runs what comes of them.
//!
//! What it finds in the environment: `FARKAS_PLUGIN`, the plugin to load (default: that of the release build of this
//! workspace), and `FARKAS_CLANG`, the compiler (default: `clang-22`).
#![forbid(unsafe_code)]

pub mod detect;
pub mod differential;
pub mod instrumented;
pub mod lanes;
pub mod language;
pub mod limited;
pub mod limits;
pub mod plans;
pub mod random;
pub mod simulation;

use language::Language;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;

/// Whether a program is compiled with the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// By the compiler alone.
    Clang,
    /// By the compiler with the plugin loaded.
    Farkas,
}

/// Has the plugin verify the result of each stage.
pub const VERIFY: [&str; 2] = ["-mllvm", "-farkas-verify"];

/// The folder of the kernels.
pub fn kernel_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels")
}

/// The names of all kernels in C, sorted.
pub fn kernels() -> Vec<String> {
    let sources = kernels_in(&kernel_dir());
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_string());
    sources.into_iter().filter_map(stem).collect()
}

/// The files of all kernels in C whose sizes are known at run time only, sorted.
pub fn further_kernels() -> Vec<PathBuf> {
    kernels_in(&kernel_dir().join("further"))
}

/// The files of all kernels in other languages, sorted.
pub fn foreign_kernels() -> Vec<PathBuf> {
    let folders = ["cpp", "fortran", "rust"].map(|folder| kernels_in(&kernel_dir().join(folder)));
    folders.concat()
}

fn kernels_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of kernels");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    // What they share is in files of its own.
    let is_kernel = |path: &PathBuf| Language::of(path).is_some() && path.file_stem().is_some_and(|s| s != "kernel");
    let mut sources: Vec<PathBuf> = paths.filter(is_kernel).collect();
    sources.sort();
    sources
}

/// The folder of what cargo builds, and of what scripts fetch.
pub fn target_dir() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"))
}

/// The plugin.
pub fn plugin() -> PathBuf {
    let default = || target_dir().join("release/libfarkas.so");
    let plugin = env::var_os("FARKAS_PLUGIN").map_or_else(default, PathBuf::from);
    assert!(
        plugin.exists(),
        "{} is not there: run `cargo build --release` first",
        plugin.display()
    );
    plugin
}

/// What `check` finds wrong in all of the work, two pieces at a time.
pub fn wrong_in<T: Send>(work: Vec<T>, check: impl Fn(T) -> Vec<String> + Sync) -> Vec<String> {
    let (work, wrong) = (Mutex::new(work.into_iter()), Mutex::new(Vec::new()));
    let next = || work.lock().expect("no thread panics while it takes work").next();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(piece) = next() {
                    let mut found = check(piece);
                    wrong
                        .lock()
                        .expect("no thread panics while it reports")
                        .append(&mut found);
                }
            });
        }
    });
    wrong.into_inner().expect("no thread panicked")
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

/// Compiles a file into an executable called `name`, at its language's `-O3`, with further flags.
///
/// # Panics
///
/// If the compiler fails.
pub fn compile(source: &Path, name: &str, with: With, flags: &[&str]) -> Program {
    match with {
        With::Farkas => {
            let verify = Language::of(source).expect("a file in one of the languages").verify();
            compile_with(
                source,
                &format!("{name}.farkas"),
                Some(&plugin()),
                &[flags, verify].concat(),
            )
        }
        With::Clang => compile_with(source, &format!("{name}.clang"), None, flags),
    }
}

/// As [`compile`], with this plugin, which verifies nothing.
///
/// # Panics
///
/// If the compiler fails.
pub fn compile_with(source: &Path, name: &str, plugin: Option<&Path>, flags: &[&str]) -> Program {
    let language = Language::of(source).expect("a file in one of the languages");
    let path = scratch().join(name);
    let mut command = language.compiler();
    // Flang writes its modules to where it is.
    command
        .current_dir(scratch())
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&path);
    if let Some(plugin) = plugin {
        language.load(&mut command, plugin);
    }
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!diagnostics.contains("internal error"), "{command:?}:\n{diagnostics}");
    assert!(output.status.success(), "{command:?} failed:\n{diagnostics}");
    Program { path, diagnostics }
}

impl Program {
    /// Whether the plugin transformed something.
    pub fn transformed(&self) -> bool {
        self.diagnostics.contains("loop nest transformed")
    }

    /// Runs the program; gives its standard output.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = Command::new(&self.path)
            .args(arguments)
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

/// NVIDIA's assembler, where `FARKAS_PTXAS` names it, `scripts/setup --ptxas` has fetched it, or it is installed.
pub fn ptxas() -> Option<PathBuf> {
    let named = env::var_os("FARKAS_PTXAS").map(PathBuf::from);
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/ptxas/nvidia/cu13/bin/ptxas");
    let installed = || {
        let folders = env::var_os("PATH")?;
        let mut files = env::split_paths(&folders).map(|folder| folder.join("ptxas"));
        files.find(|file| file.exists())
    };
    named.or_else(|| fetched.exists().then_some(fetched)).or_else(installed)
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

/// The geometric mean of positive values, of which there are some.
pub fn geometric_mean(values: &[f64]) -> f64 {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (logarithms / values.len() as f64).exp()
}
