//! `bench kernels`: run times and compile times of whole programs, by clang alone, with the plugin, and with an earlier
//! build of the plugin (`--before PLUGIN`).
//!
//! The programs of a kernel run in turn, some rounds; the table gives medians, and as a speed-up the median of the ratios
//! within a round, so that a machine whose speed drifts does not distort it. A ratio above 1 is a speed-up. Compile times
//! are of the processor, user and system, of the compiler driver with all it starts, linker included: the least of some
//! compilations, which are done in turn too. A ratio of compile times above 1 is a slow-down.

use farkas_test::language::Language;
use farkas_test::{
    Program, compile_with, foreign_kernels, further_kernels, geometric_mean, kernel_dir, kernels, median, plugin,
};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::path::{Path, PathBuf};

/// How often each program runs.
const ROUNDS: usize = 5;

/// How often each program is compiled.
const COMPILATIONS: usize = 3;

/// Which kernel, of which data type, at which size; the kernel's own where none is given.
struct Case {
    kernel: String,
    data: String,
    size: Option<String>,
}

impl Case {
    fn parse(text: &str) -> Case {
        let mut parts = text.split(':');
        Case {
            kernel: parts.next().unwrap_or_default().to_string(),
            data: parts.next().unwrap_or("double").to_string(),
            size: parts.next().map(str::to_string),
        }
    }

    /// The source, and its language: that of a kernel without an extension is C.
    fn source(&self) -> (PathBuf, Language) {
        let named = kernel_dir().join(&self.kernel);
        match Language::of(&named) {
            Some(language) => (named, language),
            None => (named.with_extension("c"), Language::C),
        }
    }

    fn compile(&self, version: &Version) -> Program {
        let (source, language) = self.source();
        let mut flags = vec![language.for_this_machine().to_string()];
        if language == Language::C {
            flags.push(format!("-DDATA={}", self.data));
            flags.extend(self.size.iter().map(|size| format!("-DN={size}")));
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let kernel = self.kernel.replace('/', "-");
        let name = format!("bench-{kernel}-{}.{}", self.data, version.name);
        compile_with(&source, &name, version.plugin.as_deref(), &flags)
    }

    /// Runs the program to print this; those in other languages than C are given the size.
    fn run(&self, program: &Program, what: &str) -> String {
        let arguments: Vec<&str> = [what].into_iter().chain(self.size.as_deref()).collect();
        program.run(&arguments)
    }
}

/// A way to compile.
struct Version {
    name: &'static str,
    plugin: Option<PathBuf>,
}

/// What was measured of one version of a kernel.
struct Measured {
    /// Seconds that the program takes, for each round.
    run: Vec<f64>,
    /// Seconds that the compiler takes.
    compile: f64,
    /// What the program prints.
    checksum: String,
}

/// What was measured of a kernel.
struct Row {
    title: String,
    /// Clang, Farkas before if there is one, and Farkas.
    versions: Vec<Measured>,
    transformed: bool,
}

impl Row {
    /// The median of the ratios of run times: how much faster the last version is than this one.
    fn speed_up(&self, over: usize) -> f64 {
        let last = &self.versions[self.versions.len() - 1].run;
        let ratios = self.versions[over].run.iter().zip(last);
        median(ratios.map(|(other, own)| other / own).collect())
    }

    /// How many times as long it takes to compile the last version as this one.
    fn compile_ratio(&self, over: usize) -> f64 {
        self.versions[self.versions.len() - 1].compile / self.versions[over].compile
    }

    /// The row of the table. What it is compared with is all versions but the last.
    fn print(&self) {
        let others = 0..self.versions.len() - 1;
        let mut cells = vec![self.title.clone()];
        cells.extend(self.versions.iter().map(|v| format!("{:.4}", median(v.run.clone()))));
        cells.extend(others.clone().map(|over| format!("{:.2}", self.speed_up(over))));
        cells.push(if self.transformed { "transformed" } else { "left alone" }.to_string());
        cells.extend(self.versions.iter().map(|v| format!("{:.3}", v.compile)));
        cells.extend(others.map(|over| format!("{:.2}", self.compile_ratio(over))));
        let first = &self.versions[0].checksum;
        let equal = self.versions.iter().all(|v| v.checksum == *first);
        cells.push(if equal { "equal" } else { "DIFFER" }.to_string());
        println!("| {} |", cells.join(" | "));
    }
}

/// The arguments of `bench kernels`: names of kernels, and an earlier plugin.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (mut names, mut before) = (Vec::new(), None);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match &**word {
            "--before" => {
                let path = Path::new(words.next().ok_or("--before needs a plugin")?);
                // The compiler runs in another folder.
                let path = path
                    .canonicalize()
                    .map_err(|error| format!("{}: {error}", path.display()))?;
                before = Some(path);
            }
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => names.push(name),
        }
    }
    let version = |name, plugin| Version { name, plugin };
    let mut versions = vec![version("clang", None)];
    versions.extend(before.map(|path| version("before", Some(path))));
    versions.push(version("farkas", Some(plugin())));
    header(&versions);
    let rows: Vec<Row> = cases(&names).iter().map(|case| measure(case, &versions)).collect();
    summary(&rows, &versions);
    Ok(())
}

/// The cases of these names, or all kernels.
fn cases(names: &[&str]) -> Vec<Case> {
    if !names.is_empty() {
        return names.iter().map(|name| Case::parse(name)).collect();
    }
    let others = further_kernels().into_iter().chain(foreign_kernels());
    let named = |path: PathBuf| Some(path.strip_prefix(kernel_dir()).ok()?.to_str()?.to_owned());
    let all = kernels().into_iter().chain(others.filter_map(named));
    let floats = ["gemm:float", "gemm_ikj:float"].map(str::to_owned);
    all.chain(floats).map(|name| Case::parse(&name)).collect()
}

fn header(versions: &[Version]) {
    let others = &versions[..versions.len() - 1];
    let mut cells = vec!["kernel".to_string()];
    cells.extend(versions.iter().map(|v| format!("{} s", v.name)));
    cells.extend(others.iter().map(|v| format!("speed-up over {}", v.name)));
    cells.push("outcome".to_string());
    cells.extend(versions.iter().map(|v| format!("compile: {} s", v.name)));
    cells.extend(others.iter().map(|v| format!("over {}", v.name)));
    cells.push("outputs".to_string());
    println!("| {} |", cells.join(" | "));
    let line = cells.iter().map(|cell| match &**cell {
        "kernel" | "outcome" | "outputs" => "---|",
        _ => "--:|",
    });
    println!("|{}", line.collect::<String>());
}

/// Compiles and runs all versions in turn, and prints the row.
fn measure(case: &Case, versions: &[Version]) -> Row {
    let mut compile = vec![f64::INFINITY; versions.len()];
    let mut programs = Vec::new();
    for _ in 0..COMPILATIONS {
        programs.clear();
        for (least, version) in compile.iter_mut().zip(versions) {
            let (program, time) = processor_time(|| case.compile(version));
            *least = least.min(time);
            programs.push(program);
        }
    }
    let mut run = vec![Vec::new(); versions.len()];
    for _ in 0..ROUNDS {
        for (times, program) in run.iter_mut().zip(&programs) {
            let time = case.run(program, "time");
            times.push(time.trim().parse::<f64>().expect("seconds"));
        }
    }
    let measured = programs.iter().zip(run.into_iter().zip(compile));
    let row = Row {
        title: format!("{} {}", case.kernel, case.data),
        versions: measured
            .map(|(program, (run, compile))| Measured {
                run,
                compile,
                checksum: case.run(program, "checksum"),
            })
            .collect(),
        transformed: programs.last().is_some_and(Program::transformed),
    };
    row.print();
    row
}

/// Does something; gives the seconds of a processor that processes took which it started and waited for, and what they
/// started in turn.
fn processor_time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let used = || {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system counts");
        let time = usage.user_time() + usage.system_time();
        time.num_microseconds() as f64 * 1e-6
    };
    let before = used();
    let result = work();
    (result, used() - before)
}

/// What all rows come to.
fn summary(rows: &[Row], versions: &[Version]) {
    let count = rows.len() as f64;
    let transformed = rows.iter().filter(|row| row.transformed).count();
    println!("\n{transformed} of {} transformed", rows.len());
    for (over, version) in versions[..versions.len() - 1].iter().enumerate() {
        let speed_ups = || rows.iter().map(|row| (row.speed_up(over), &row.title));
        let Some((least, worst)) = speed_ups().min_by(|one, other| one.0.total_cmp(&other.0)) else {
            return;
        };
        let own: Vec<f64> = speed_ups().map(|(speed_up, _)| speed_up).collect();
        let compile: f64 = rows.iter().map(|row| row.compile_ratio(over)).sum();
        println!(
            "over {}: speed-up {:.2} in the geometric mean, least {least:.2} ({worst}); compile time {:.2} times in the mean",
            version.name,
            geometric_mean(&own),
            compile / count,
        );
    }
}
