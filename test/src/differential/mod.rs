//! Units of random functions, compiled with and without the plugin, run, and compared function by function.
//!
//! What a function computes without the plugin at `-O1` is what it has to compute with it at any level; where clang by itself does
//! not keep to that at another level, what it computes there. A function with a finding is named by its seed, from which it can
//! be made again alone.

pub mod shrink;
mod threads;

use crate::VERIFY;
use crate::limited::{Finished, run_for};
use crate::random::unit::{alone, runtime, unit};
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub use threads::Threads;
use threads::{INSTRUMENTED, TIMES_LONGER};

/// How many functions a unit has: seeds in a block of this size share their flags.
pub const BLOCK: u64 = 64;

/// How long the compilation of a single function may take.
const COMPILE_LIMIT: Duration = Duration::from_secs(20);
/// How long that of a whole unit may take before its functions are compiled one by one.
const UNIT_LIMIT: Duration = Duration::from_secs(180);
const RUN_LIMIT: Duration = Duration::from_secs(20);

/// The levels of optimization.
pub const LEVELS: [&str; 3] = ["-O1", "-O2", "-O3"];

/// What is wrong with a function.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The function's seed.
    pub seed: u64,
    /// The level of optimization.
    pub level: &'static str,
    /// What happened.
    pub what: String,
}

/// What came of functions.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Functions with a nest that is modelled.
    pub modelled: usize,
    /// Functions with a nest that is transformed.
    pub transformed: usize,
    /// All nests, by what became of them: `Transformed`, or the name of the reason.
    pub nests: BTreeMap<String, usize>,
    /// Functions and levels at which clang by itself computes something else than at `-O1`, and the same as with the plugin.
    pub by_clang: Vec<(u64, &'static str)>,
    /// Functions with which something is wrong.
    pub findings: Vec<Finding>,
}

impl Tally {
    /// Adds what came of others.
    pub fn add(&mut self, other: Tally) {
        self.modelled += other.modelled;
        self.transformed += other.transformed;
        for (outcome, count) in other.nests {
            *self.nests.entry(outcome).or_default() += count;
        }
        self.by_clang.extend(other.by_clang);
        self.findings.extend(other.findings);
    }
}

/// A place to work in, with what all units are linked with.
#[derive(Clone, Debug)]
pub struct Workshop {
    dir: PathBuf,
    plugin: PathBuf,
    /// Options of the plugin, beside those of each unit.
    options: Vec<String>,
    /// How programs run on threads, if they do.
    threads: Option<Threads>,
}

/// The level for a block of functions, where each is to be checked at one only: what the plugin does is the same at all.
pub fn level_of(block: u64) -> &'static str {
    LEVELS[(block % 3) as usize]
}

/// How each function ended: the lines of its calls.
type Results = BTreeMap<u64, String>;

/// What compiles a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Clang,
    /// Clang alone, which records remarks: its SLP vectorizer crashes on some programs only then (22.1.8).
    ClangWithRemarks,
    Plugin,
    PluginWithRemarks,
}

impl By {
    fn has_plugin(self) -> bool {
        matches!(self, By::Plugin | By::PluginWithRemarks)
    }
}

impl Workshop {
    /// A workshop in a folder of its own.
    ///
    /// # Panics
    ///
    /// If the folder cannot be made, or what is in it not be compiled.
    pub fn new(dir: PathBuf, plugin: PathBuf) -> Self {
        fs::create_dir_all(&dir).expect("a folder to work in");
        let workshop = Workshop {
            dir,
            plugin,
            options: Vec::new(),
            threads: None,
        };
        let source = workshop.dir.join("runtime.c");
        fs::write(&source, runtime()).expect("a file in the folder");
        let mut command = compiler();
        command
            .arg("-O2")
            .arg("-c")
            .arg(&source)
            .arg("-o")
            .arg(workshop.dir.join("runtime.o"));
        ended(&mut command, COMPILE_LIMIT).expect("what units share is compiled");
        workshop
    }

    /// The workshop with an option of the plugin for all functions, as `vectorize=force`.
    pub fn with_option(mut self, option: &str) -> Self {
        self.options.extend(["-mllvm".to_owned(), format!("-farkas-{option}")]);
        self
    }

    /// The workshop for programs that are linked with OpenMP's runtime.
    pub fn on_threads(self, threads: Threads) -> Self {
        Workshop {
            threads: Some(threads),
            ..self
        }
    }

    fn is_watched(&self) -> bool {
        self.threads.as_ref().is_some_and(|threads| threads.archer.is_some())
    }

    /// Checks the functions of a range of seeds, which lies in one block, at some levels.
    ///
    /// # Panics
    ///
    /// If the folder cannot be written to.
    pub fn check(&self, seeds: Range<u64>, levels: &[&'static str]) -> Tally {
        let name = format!("unit-{}", seeds.start);
        let mut tally = Tally::default();
        let expected = match self.build(&seeds, &name, "-O1", By::Clang) {
            Ok(program) => self.run(&program, &seeds),
            Err(what) => {
                let seed = seeds.start;
                tally.findings.push(Finding {
                    seed,
                    level: "-O1",
                    what: format!("by clang alone: {what}"),
                });
                return tally;
            }
        };
        for &level in levels {
            let program = match self.build(&seeds, &name, level, By::PluginWithRemarks) {
                Ok(program) => {
                    if level == levels[levels.len() - 1] {
                        self.count(&name, &mut tally);
                    }
                    program
                }
                Err(what) if seeds.end - seeds.start == 1 => {
                    // Where clang alone crashes as it records remarks, the plugin is tried without.
                    let is_clangs = self.build(&seeds, &name, level, By::ClangWithRemarks).is_err();
                    let built = match is_clangs {
                        true => self.build(&seeds, &name, level, By::Plugin),
                        false => Err(what),
                    };
                    if is_clangs {
                        tally.by_clang.push((seeds.start, level));
                    }
                    match built {
                        Ok(program) => program,
                        Err(what) => {
                            let seed = seeds.start;
                            tally.findings.push(Finding { seed, level, what });
                            continue;
                        }
                    }
                }
                Err(_) => {
                    // One by one: those that cannot be compiled are found, and the others run.
                    for seed in seeds.clone() {
                        let alone = self.check(seed..seed + 1, levels);
                        tally.findings.extend(alone.findings);
                        tally.by_clang.extend(alone.by_clang);
                    }
                    break;
                }
            };
            let found = self.run(&program, &seeds);
            for seed in seeds.clone() {
                if expected.get(&seed) == found.get(&seed) {
                    continue;
                }
                let alone = self.without_plugin(seed, level);
                if alone.is_some() && alone.as_ref() == found.get(&seed) {
                    tally.by_clang.push((seed, level));
                    continue;
                }
                let what = match (expected.get(&seed), found.get(&seed)) {
                    (Some(_), Some(text)) if text.contains("ends") => text.clone(),
                    _ => "other results".to_owned(),
                };
                tally.findings.push(Finding { seed, level, what });
            }
        }
        for ending in ["c", "clang", "farkas", "ll", "yaml"] {
            // Some may not be there.
            let _ = fs::remove_file(self.dir.join(format!("{name}.{ending}")));
        }
        tally
    }

    /// What clang by itself makes of a function at the level.
    fn without_plugin(&self, seed: u64, level: &str) -> Option<String> {
        let (seeds, name) = (seed..seed + 1, format!("alone-{seed}"));
        let program = self.build(&seeds, &name, level, By::Clang).ok()?;
        let found = self.run(&program, &seeds).remove(&seed);
        for ending in ["c", "clang"] {
            let _ = fs::remove_file(self.dir.join(format!("{name}.{ending}")));
        }
        found
    }

    fn build(&self, seeds: &Range<u64>, name: &str, level: &str, by: By) -> Result<PathBuf, String> {
        let unit = unit(seeds.clone());
        let source = self.dir.join(format!("{name}.c"));
        fs::write(&source, &unit.text).expect("a file in the folder");
        let program = self
            .dir
            .join(format!("{name}.{}", if by.has_plugin() { "farkas" } else { "clang" }));
        let mut command = compiler();
        command.args(["-w", level]).args(&unit.flags);
        if by.has_plugin() {
            command
                .arg(format!("-fpass-plugin={}", self.plugin.display()))
                .args(VERIFY)
                .args(&unit.plugin_flags)
                .args(&self.options);
        }
        if matches!(by, By::ClangWithRemarks | By::PluginWithRemarks) {
            command
                .arg("-fsave-optimization-record")
                .arg("-foptimization-record-passes=farkas");
            command.arg(format!(
                "-foptimization-record-file={}",
                self.dir.join(format!("{name}.yaml")).display()
            ));
        }
        let link = |command: &mut Command, text: &Path| {
            command
                .arg(text)
                .arg(self.dir.join("runtime.o"))
                .arg("-o")
                .arg(&program)
                .arg("-lm");
        };
        let ir = self.dir.join(format!("{name}.ll"));
        // Programs without the plugin are watched, too: what is wrong with a program itself is no finding.
        let is_watched = self.is_watched();
        if self.threads.is_some() {
            command.arg("-fopenmp");
        }
        match is_watched {
            true => {
                command.args(["-S", "-emit-llvm"]).arg(&source).arg("-o").arg(&ir);
            }
            false => link(&mut command, &source),
        }
        let limit = if seeds.end - seeds.start == 1 {
            COMPILE_LIMIT
        } else {
            UNIT_LIMIT
        };
        let finished = ended(&mut command, limit)?;
        if finished.stderr.contains("internal error") {
            return Err(finished.stderr);
        }
        if is_watched {
            let mut command = compiler();
            command.args(INSTRUMENTED).arg("-fopenmp");
            link(&mut command, &ir);
            ended(&mut command, UNIT_LIMIT)?;
        }
        Ok(program)
    }

    /// The results of all functions; after a crash, it goes on with the next one.
    fn run(&self, program: &Path, seeds: &Range<u64>) -> Results {
        let mut results = Results::new();
        let mut from = seeds.start;
        while from < seeds.end {
            let mut command = Command::new(program);
            command.args([from.to_string(), seeds.end.to_string()]);
            if let Some(threads) = &self.threads {
                threads.tell(&mut command);
            }
            let limit = RUN_LIMIT * if self.is_watched() { TIMES_LONGER } else { 1 };
            let finished = run_for(&mut command, limit).expect("a program that can be started");
            let (text, end) = match &finished {
                Some(finished) => (
                    finished.stdout.as_str(),
                    (!finished.status.success()).then(|| finished.status.to_string()),
                ),
                None => ("", Some(format!("more than {limit:?}"))),
            };
            let mut last = from;
            for line in text.lines() {
                if let Some(Ok(seed)) = line.split(' ').next().map(str::parse) {
                    last = seed;
                    let lines = results.entry(seed).or_default();
                    *lines = format!("{lines}{line}\n");
                }
            }
            let Some(end) = end else { break };
            if finished.is_none() && seeds.end - from > 1 {
                // What was printed is lost: one function at a time.
                for seed in from..seeds.end {
                    results.extend(self.run(program, &(seed..seed + 1)));
                }
                break;
            }
            // The crash is in the last function that printed, or in the next.
            let calls = results.get(&last).map_or(0, |lines| lines.lines().count());
            let culprit = if calls >= 6 { last + 1 } else { last };
            results.insert(culprit, format!("ends with {end}"));
            from = culprit + 1;
        }
        results.retain(|seed, _| seeds.contains(seed));
        results
    }

    /// Reads the remarks.
    fn count(&self, name: &str, tally: &mut Tally) {
        let text = fs::read_to_string(self.dir.join(format!("{name}.yaml"))).unwrap_or_default();
        let (mut modelled, mut transformed) = (BTreeSet::new(), BTreeSet::new());
        let mut outcome = "";
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("Name:") {
                outcome = rest.trim();
                if outcome == "Assumed" {
                    continue;
                }
                *tally.nests.entry(outcome.to_owned()).or_default() += 1;
            } else if let Some(function) = line.strip_prefix("Function:") {
                if !outcome.starts_with("Declined") {
                    modelled.insert(function);
                }
                if outcome == "Transformed" {
                    transformed.insert(function);
                }
            }
        }
        tally.modelled += modelled.len();
        tally.transformed += transformed.len();
    }
}

fn compiler() -> Command {
    Command::new(env::var_os("FARKAS_CLANG").unwrap_or_else(|| "clang-22".into()))
}

fn ended(command: &mut Command, limit: Duration) -> Result<Finished, String> {
    let finished = run_for(command, limit).map_err(|error| error.to_string())?;
    let finished = finished.ok_or_else(|| format!("it takes more than {limit:?}"))?;
    if finished.status.success() {
        Ok(finished)
    } else {
        Err(format!("it ends with {}:\n{}", finished.status, finished.stderr))
    }
}

/// The program of one function, with a line that says how it is compiled.
pub fn program_alone(seed: u64) -> String {
    // The flags are those of the whole block.
    let flags = unit(seed..seed + 1);
    let (plain, with) = (flags.flags.join(" "), flags.plugin_flags.join(" "));
    format!("// flags: {plain} {with}\n{}", alone(seed).text)
}
