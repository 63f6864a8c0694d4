//! Compilations of a package, as its build made them.

use super::remarks::{self, Remark};
use super::{LIMIT, Outcome};
use crate::limited::run_for;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One compilation of a source file.
#[derive(Clone, Debug)]
pub struct Compilation {
    dir: PathBuf,
    /// The file, as the command names it.
    pub source: PathBuf,
    flags: Vec<String>,
}

impl Compilation {
    /// A compilation of a file without flags.
    pub fn of_file(source: &Path, flags: &[&str]) -> Self {
        Compilation {
            dir: PathBuf::from("."),
            source: source.to_owned(),
            flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        }
    }

    /// Reads what the noting compiler wrote: on each line the folder and the arguments, apart by the control character 31.
    /// Files that are no longer there, as those of `configure`, are left out, and so are repetitions.
    pub fn read_all(file: &Path) -> Vec<Compilation> {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut all: Vec<Compilation> = Vec::new();
        for compilation in text.lines().filter_map(Compilation::parse) {
            let place = compilation.dir.join(&compilation.source);
            let is_new = all.iter().all(|other| other.dir.join(&other.source) != place);
            if is_new && compilation.dir.exists() && place.exists() {
                all.push(compilation);
            }
        }
        all
    }

    fn parse(line: &str) -> Option<Compilation> {
        let mut words = line.split('\u{1f}');
        let dir = PathBuf::from(words.next()?);
        let (mut source, mut flags) = (None, Vec::new());
        while let Some(word) = words.next() {
            match word {
                "-o" | "-MF" | "-MT" | "-MQ" => {
                    words.next();
                }
                "-I" | "-include" | "-isystem" | "-D" | "-U" => {
                    flags.push(word.to_owned());
                    flags.push(words.next()?.to_owned());
                }
                "-c" | "-MD" | "-MP" | "-MMD" | "-Wall" | "-Werror" => {}
                _ if word.starts_with("-O") || word == "-g" => {}
                _ if word.starts_with('-') => flags.push(word.to_owned()),
                _ => source = Some(PathBuf::from(word)),
            }
        }
        Some(Compilation {
            dir,
            source: source.filter(|s| !s.starts_with("CMakeFiles"))?,
            flags,
        })
    }

    /// The command for the compiler, without what to do.
    pub fn command(&self) -> Command {
        let is_fortran = self
            .source
            .extension()
            .is_some_and(|e| e == "f" || e == "f90" || e == "F90" || e == "F");
        let mut command = Command::new(if is_fortran { "flang-22" } else { "clang-22" });
        command.current_dir(&self.dir).args(&self.flags).arg("-O3");
        // Flang knows `-g1` under this name only.
        command.arg("-gline-tables-only");
        if !is_fortran {
            command.arg("-w");
        }
        command.arg(&self.source);
        command
    }

    /// Compiles; gives the remarks of the named pass, and what was printed.
    pub fn compile(&self, scratch: &Path, flags: &[&str], pass: &str) -> (Outcome, Vec<Remark>, String) {
        let (object, record) = (scratch.join("object.o"), scratch.join("remarks.yaml"));
        let mut command = self.command();
        command.args(flags).arg("-c").arg("-o").arg(&object);
        if !pass.is_empty() {
            command
                .arg("-fsave-optimization-record")
                .arg(format!("-foptimization-record-file={}", record.display()))
                .arg(format!("-foptimization-record-passes={pass}"));
        }
        for old in [&object, &record] {
            // There may be none.
            let _ = fs::remove_file(old);
        }
        let before = processor_time();
        let finished = run_for(&mut command, LIMIT).expect("a compiler that can be started");
        let seconds = processor_time() - before;
        let failure = match &finished {
            None => Some(format!("more than {LIMIT:?}")),
            Some(finished) if !finished.status.success() => Some(finished.stderr.clone()),
            Some(finished) if finished.stderr.contains("internal error") => Some(finished.stderr.clone()),
            Some(_) => None,
        };
        let said = fs::read_to_string(&record).map_or_else(|_| Vec::new(), |text| remarks::parse(&text));
        let outcome = Outcome {
            seconds,
            text: text_size(&object),
            object: fs::read(&object).unwrap_or_default(),
            failure,
        };
        let printed = finished.map_or_else(String::new, |finished| finished.stdout + &finished.stderr);
        (outcome, said, printed)
    }
}

/// The processor time of all children so far, in seconds.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The second field is the program's name in parentheses; user and system time of children are fields 16 and 17.
    let fields = stat.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: f64 = fields.skip(13).take(2).filter_map(|t| t.parse::<f64>().ok()).sum();
    ticks / 100.0
}

/// The size of the sections of code of an object file, in bytes.
fn text_size(object: &Path) -> u64 {
    let Ok(output) = Command::new("llvm-size-22").arg("-A").arg(object).output() else {
        return 0;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let sections = text.lines().filter(|line| line.starts_with(".text"));
    sections
        .filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
        .sum()
}
