//! Programs that say which transformed regions they run.
//!
//! The plugin may say "transformed" of a loop nest whose run-time check never holds. An instrumented program shows it: the
//! new code of a region starts in a block called `farkas.start`, and each of these gets a call of `puts` with the number
//! of the region. The pass runs by itself in `opt`, after the clean-up that comes before it in the default pipelines.

use crate::language::Language;
use crate::{plugin, scratch};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An executable that says which regions it runs.
#[derive(Clone, Debug)]
pub struct Instrumented {
    path: PathBuf,
    /// How many regions were transformed. They are numbered from 0.
    pub regions: usize,
}

/// What a run of an instrumented program wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The regions whose new code ran.
    pub regions: BTreeSet<usize>,
    /// The rest of the standard output.
    pub output: String,
}

/// What a line says that the new code of a region writes.
const MESSAGE: &str = "new code of region ";

/// Compiles a source in C, C++ or Fortran with further flags; `name` is that of its files in the scratch folder.
///
/// # Panics
///
/// If a tool fails.
pub fn instrument(source: &Path, name: &str, flags: &[&str]) -> Instrumented {
    instrument_with(source, name, flags, "")
}

/// The same with parameters of the pass, as `unprofitable;tile=16`.
///
/// # Panics
///
/// If a tool fails.
pub fn instrument_with(source: &Path, name: &str, flags: &[&str], parameters: &str) -> Instrumented {
    let file = |ending: &str| scratch().join(format!("{name}.{ending}"));
    let (front, new, path) = (file("front.ll"), file("new.ll"), file("instrumented"));
    let language = Language::of(source).expect("a file in one of the languages");
    let (compiler, passes) = match language {
        Language::C => (
            "clang-22",
            "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,farkas)",
        ),
        Language::Cpp => (
            "clang++-22",
            "cgscc(inline,function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,farkas))",
        ),
        Language::Fortran => (
            "flang-22",
            "function(sroa,early-cse,simplifycfg,instcombine<no-verify-fixpoint>,farkas)",
        ),
        Language::Rust => panic!("rustc does not leave its passes to others"),
    };
    let without_passes: &[&str] = match language {
        Language::Fortran => &["-fno-version-loops-for-stride", "-mllvm", "-opt-bisect-limit=0"],
        _ => &["-Xclang", "-disable-llvm-passes"],
    };
    let optimized = ["-O1", "-S", "-emit-llvm"];
    run(Command::new(compiler)
        .current_dir(scratch())
        .args(optimized)
        .args(without_passes)
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(&front));
    let load = format!("-load-pass-plugin={}", plugin().display());
    let passes = passes.replace("farkas", &format!("farkas<verify;{parameters}>"));
    let ir = run(Command::new("opt-22")
        .args([&load, &format!("-passes={passes}"), "-S"])
        .arg(&front));
    let (ir, regions) = with_messages(&ir);
    std::fs::write(&new, ir).expect("a file in the scratch folder");
    run(Command::new(compiler)
        .args(["-O1", "-lm"])
        .arg(&new)
        .arg("-o")
        .arg(&path));
    Instrumented { path, regions }
}

impl Instrumented {
    /// Runs the program.
    ///
    /// # Panics
    ///
    /// If it fails.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let all = run(Command::new(&self.path).args(arguments));
        let (said, output): (Vec<&str>, Vec<&str>) = all.lines().partition(|line| line.starts_with(MESSAGE));
        Ran {
            regions: said.into_iter().map(region_of).collect(),
            output: output.into_iter().map(|line| format!("{line}\n")).collect(),
        }
    }
}

/// The region that a line of output is of.
fn region_of(line: &str) -> usize {
    line[MESSAGE.len()..].parse().expect("the number of a region")
}

/// The module with a message at the start of the new code of each region, and how many there are.
fn with_messages(ir: &str) -> (String, usize) {
    let mut result = String::new();
    let mut count = 0;
    for line in ir.lines() {
        result.push_str(line);
        result.push('\n');
        if line.starts_with("farkas.start") {
            result.push_str(&format!(
                "  %farkas.said.{count} = call i32 @puts(ptr @farkas.message.{count})\n"
            ));
            count += 1;
        }
    }
    for region in 0..count {
        let text = format!("{MESSAGE}{region}");
        let length = text.len() + 1;
        result.push_str(&format!(
            "@farkas.message.{region} = private constant [{length} x i8] c\"{text}\\00\"\n"
        ));
    }
    if !ir.contains("@puts(") {
        result.push_str("declare i32 @puts(ptr)\n");
    }
    (result, count)
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed:\n{errors}");
    String::from_utf8(output.stdout).expect("text")
}
