//! `bench real`: real libraries, built for this machine without and with the plugin (`scripts/packages build`), under drivers over their
//! public interfaces (`test/real`).
//!
//! A driver is compiled once by clang alone, and linked with both builds of the library. The two programs run in turn, some rounds. Each
//! prints a line for a case: its name, the seconds of a call, and a hash of what was computed. The table has, for the cases of the same
//! first and last word, the geometric mean of the speed-ups, each the median of the ratios within a round, and the least of them.

use farkas_test::{geometric_mean, median, scratch, target_dir};
use indexmap::{IndexMap, IndexSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often each program runs, if nothing else is asked for.
const ROUNDS: usize = 3;

/// What a case that runs slower than this is counted as.
const SLOWER: f64 = 0.97;

/// The ways to build a library, as `scripts/packages build` names its folders.
const BUILDS: [&str; 2] = ["clang", "farkas"];

/// A driver of a library.
struct Driver {
    name: &'static str,
    package: &'static str,
    source: &'static str,
    defines: &'static [&'static str],
    /// Archives in the folder of the build.
    archives: &'static [&'static str],
    /// Libraries of the system.
    system: &'static [&'static str],
    arguments: &'static [&'static str],
}

const SINGLE: &[&str] = &["-DREAL=float", "-DROUTINE(name)=s##name##_", "-DLETTER=\"s\""];
const LEVEL2: &[&str] = &["2", "10", "50", "200", "1000"];
const LEVEL3: &[&str] = &["3", "10", "50", "200", "500"];

const DRIVERS: &[Driver] = &[
    blas("blas2", &[], LEVEL2),
    blas("blas2-float", SINGLE, LEVEL2),
    blas("blas3", &[], LEVEL3),
    blas("blas3-float", SINGLE, LEVEL3),
    Driver {
        archives: &[".libs/libgsl.a", "cblas/.libs/libgslcblas.a"],
        ..plain("gsl", "gsl", "gsl.c")
    },
    Driver {
        archives: &[".libs/libpng16.a"],
        system: &["-lz"],
        ..plain("png", "libpng", "png.c")
    },
    Driver {
        archives: &["libjpeg.a"],
        ..plain("jpeg", "libjpeg-turbo", "jpeg.c")
    },
    Driver {
        archives: &["libz.a"],
        ..plain("zlib", "zlib", "zlib.c")
    },
    Driver {
        archives: &["libx264.a"],
        system: &["-lpthread", "-ldl"],
        ..plain("x264", "x264", "x264.c")
    },
];

const fn plain(name: &'static str, package: &'static str, source: &'static str) -> Driver {
    Driver {
        name,
        package,
        source,
        defines: &[],
        archives: &[],
        system: &[],
        arguments: &[],
    }
}

const fn blas(name: &'static str, defines: &'static [&'static str], arguments: &'static [&'static str]) -> Driver {
    Driver {
        defines,
        archives: &["librefblas.a"],
        arguments,
        ..plain(name, "lapack", "blas.c")
    }
}

/// A case of a driver.
struct Case {
    name: String,
    /// The seconds of a call, for each build and round.
    seconds: [Vec<f64>; 2],
    /// What was computed.
    hashes: IndexSet<String>,
}

impl Case {
    fn new(name: &str) -> Case {
        Case {
            name: name.to_owned(),
            seconds: [const { Vec::new() }; 2],
            hashes: IndexSet::new(),
        }
    }

    /// Whether all programs computed the same.
    fn is_equal(&self) -> bool {
        self.hashes.len() == 1
    }

    fn speed_up(&self) -> f64 {
        let [clang, farkas] = &self.seconds;
        median(clang.iter().zip(farkas).map(|(other, own)| other / own).collect())
    }

    /// Its first and last word, and what is between them.
    fn group(&self) -> (String, &str) {
        let (first, rest) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        match rest.rsplit_once(' ') {
            Some((between, last)) => (format!("{first} {last}"), between),
            None => (self.name.clone(), ""),
        }
    }
}

/// The arguments of `bench real`: drivers, all where none is named, how many rounds, and whether each case is shown. Gives whether all
/// programs computed the same.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let (mut names, mut rounds, mut all) = (Vec::new(), ROUNDS, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match &**word {
            "--rounds" => {
                let number = words.next().and_then(|number| number.parse().ok());
                rounds = number.filter(|n| *n > 0).ok_or("--rounds needs a number")?;
            }
            "--all" => all = true,
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name if DRIVERS.iter().all(|driver| driver.name != name) => {
                let known: Vec<&str> = DRIVERS.iter().map(|driver| driver.name).collect();
                return Err(format!("there is no {name}, but {}", known.join(", ")));
            }
            name => names.push(name),
        }
    }
    let mut is_equal = true;
    println!("| driver | group | cases | speed-up | least | case | outputs |");
    println!("|---|---|--:|--:|--:|---|---|");
    for driver in DRIVERS {
        if names.is_empty() || names.contains(&driver.name) {
            let cases = measure(driver, rounds);
            print(driver, &cases, all);
            is_equal &= cases.iter().all(|case| case.is_equal());
        }
    }
    Ok(is_equal)
}

/// Compiles a driver, links it with a build of its library, and gives the program.
fn link(driver: &Driver, build: &str) -> PathBuf {
    let packages = target_dir().join("packages");
    let folder = packages.join("native").join(format!("{}.{build}", driver.package));
    let sources = packages.join("source").join(driver.package);
    let entries = std::fs::read_dir(&sources).unwrap_or_else(|error| panic!("{}: {error}", sources.display()));
    let headers = entries.map(|entry| entry.expect("an entry of the folder").path());
    let program = scratch().join(format!("real-{}.{build}", driver.name));
    let mut command = Command::new("clang-22");
    command.args(["-O2", "-w"]).args(driver.defines);
    for folder in [folder.clone()].into_iter().chain(headers.filter(|path| path.is_dir())) {
        command.arg("-I").arg(folder);
    }
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("real").join(driver.source))
        .args(driver.archives.iter().map(|archive| folder.join(archive)))
        .args(driver.system)
        .args(["-lm", "-o"])
        .arg(&program);
    let done = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        done.success(),
        "{command:?} failed: build it by `scripts/packages build {}`",
        driver.package
    );
    program
}

/// The cases of a driver, by so many rounds of both programs in turn.
fn measure(driver: &Driver, rounds: usize) -> Vec<Case> {
    let programs = BUILDS.map(|build| link(driver, build));
    let mut cases: IndexMap<String, Case> = IndexMap::new();
    for _ in 0..rounds {
        for (build, program) in programs.iter().enumerate() {
            let done = Command::new(program).args(driver.arguments).output();
            let done = done.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
            assert!(
                done.status.success(),
                "{} ended with {}",
                program.display(),
                done.status
            );
            for line in String::from_utf8_lossy(&done.stdout).lines() {
                let fields: Vec<&str> = line.split('\t').collect();
                let [name, seconds, hash] = fields[..] else {
                    panic!("{}: {line}", program.display());
                };
                let case = cases.entry(name.to_owned()).or_insert_with(|| Case::new(name));
                case.seconds[build].push(seconds.parse().expect("seconds"));
                case.hashes.insert(hash.to_owned());
            }
        }
    }
    cases.into_values().collect()
}

/// Prints a row for each group of cases, and, if asked for, a line for each case.
fn print(driver: &Driver, cases: &[Case], all: bool) {
    let mut groups: IndexMap<String, Vec<&Case>> = IndexMap::new();
    for case in cases {
        groups.entry(case.group().0).or_default().push(case);
    }
    for (group, own) in groups {
        row(driver.name, &group, &own);
        for case in own.iter().filter(|_| all) {
            let [clang, farkas] = case.seconds.clone().map(|seconds| 1e6 * median(seconds));
            println!(
                "    {}: {clang:.2} and {farkas:.2} microseconds, {:.2}",
                case.name,
                case.speed_up()
            );
        }
    }
    let together: Vec<&Case> = cases.iter().collect();
    row(driver.name, "all", &together);
    let slower = cases.iter().filter(|case| case.speed_up() < SLOWER).count();
    println!("    {}: {slower} of {} cases below {SLOWER}", driver.name, cases.len());
}

fn row(driver: &str, group: &str, cases: &[&Case]) {
    let speed_ups: Vec<f64> = cases.iter().map(|case| case.speed_up()).collect();
    let least = cases
        .iter()
        .min_by(|one, other| one.speed_up().total_cmp(&other.speed_up()));
    let least = least.expect("a group has a case");
    let outputs = match cases.iter().find(|case| !case.is_equal()) {
        Some(case) => format!("DIFFER ({})", case.name),
        None => "equal".to_owned(),
    };
    let case = if group == "all" { &*least.name } else { least.group().1 };
    println!(
        "| {driver} | {group} | {} | {:.2} | {:.2} | {case} | {outputs} |",
        cases.len(),
        geometric_mean(&speed_ups),
        least.speed_up(),
    );
}
