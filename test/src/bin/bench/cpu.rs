//! `bench cpu [--rounds N] [--no-polly] [KERNEL[:TYPE][:SIZE] | float | blas]...`: one core, at sizes that are no powers of two, strict floating
//! point.
//!
//! The first table has each kernel in C at a size of some tenths of a second where its loops are long enough, by clang alone, with
//! the plugin, and by the best of Polly's settings. Programs run in turn; what is compared is the median of the ratios within a
//! round, of time on the processor. `float` means all kernels with that type. The column "by hand" is what the same transformations by hand gain (Zen 4, its sizes differ), and
//! the one behind it how much of that Farkas gains.
//!
//! The second table (the only one with `blas`) has contractions beside a BLAS that is installed, one thread, both types. A BLAS may
//! add in any order, and contract products with sums: only Farkas's outputs are compared with clang's.

use crate::case::{Case, time};
use farkas_test::{Program, geometric_mean, kernels, median};
use std::process::Command;

/// How often each program runs.
const ROUNDS: usize = 5;

/// A kernel, its size here, and what it gains by hand.
const KERNELS: [(&str, u32, f64); 31] = [
    ("2mm", 900, 26.0),
    ("3mm", 750, 26.8),
    ("adi", 1100, 5.5),
    ("apsp", 1100, 17.0),
    ("atax", 5000, 2.9),
    ("bicg", 5000, 7.9),
    ("cholesky", 1300, 26.6),
    ("correlation", 900, 39.6),
    ("covariance", 900, 37.9),
    ("doitgen", 150, 22.0),
    ("durbin", 7000, 1.1),
    ("fdtd2d", 1100, 3.7),
    ("filter", 3600, 4.7),
    ("gemm", 900, 26.0),
    ("gemm_ikj", 1100, 2.6),
    ("gemver", 4600, 3.8),
    ("gesummv", 4600, 4.5),
    ("gramschmidt", 900, 25.9),
    ("heat3d", 130, 2.2),
    ("jacobi1d", 30000, 1.4),
    ("jacobi2d", 1300, 5.1),
    ("lu", 1100, 26.9),
    ("ludcmp", 1100, 24.4),
    ("mvt", 5000, 6.4),
    ("nussinov", 1100, 21.2),
    ("seidel2d", 1300, 17.7),
    ("symm", 900, 16.9),
    ("syr2k", 900, 20.0),
    ("syrk", 1100, 14.1),
    ("trisolv", 5000, 3.5),
    ("trmm", 1100, 27.1),
];

/// Polly's settings, of which the best one counts.
const POLLY: [&[&str]; 3] = [
    &["-polly"],
    &["-polly", "-polly-vectorizer=stripmine"],
    &["-polly", "-polly-tiling=false", "-polly-vectorizer=stripmine"],
];

/// Contractions that a BLAS has, their types with the prefixes of functions, and sizes.
const CONTRACTIONS: [&str; 3] = ["gemm", "syrk", "trsm"];
const TYPES: [(&str, &str); 2] = [("double", "cblas_d"), ("float", "cblas_s")];
const SIZES: [u32; 3] = [500, 1000, 2000];

/// What is to be done.
struct Task {
    rounds: usize,
    has_polly: bool,
    cases: Vec<Case>,
    is_blas: bool,
}

/// The arguments of `bench cpu`. Gives whether all outputs are equal.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let task = task(arguments)?;
    let mut are_equal = true;
    if !task.cases.is_empty() {
        are_equal &= beside_polly(&task);
    }
    if task.is_blas {
        are_equal &= beside_blas(task.rounds)?;
    }
    Ok(are_equal)
}

fn task(arguments: &[String]) -> Result<Task, String> {
    let mut task = Task {
        rounds: ROUNDS,
        has_polly: true,
        cases: Vec::new(),
        is_blas: false,
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--no-polly" => task.has_polly = false,
            "--rounds" => {
                let number = words.next().and_then(|number| number.parse().ok());
                task.rounds = number.filter(|number| *number > 0).ok_or("--rounds needs a number")?;
            }
            "blas" => task.is_blas = true,
            "float" => task.cases.extend(all(Some("float"))?),
            option if option.starts_with('-') => return Err(format!("unknown option {option}")),
            name => task.cases.push(case(name)?),
        }
    }
    if task.cases.is_empty() && !task.is_blas {
        task.cases = all(None)?;
        task.is_blas = true;
    }
    Ok(task)
}

/// All kernels, with this type of data.
fn all(data: Option<&str>) -> Result<Vec<Case>, String> {
    let named = kernels();
    let with_data = |name: &String| data.map_or(name.clone(), |data| format!("{name}:{data}"));
    named.iter().map(|name| case(&with_data(name))).collect()
}

/// Reads a kernel at a size; at that of the table where none is given.
fn case(text: &str) -> Result<Case, String> {
    let mut case = Case::parse(text)?;
    case.size = case.size.or(listed(&case).map(|(size, _)| size));
    Ok(case)
}

/// The size of a kernel, and what it gains by hand.
fn listed(case: &Case) -> Option<(u32, f64)> {
    let entry = KERNELS.iter().find(|(name, ..)| *name == case.kernel);
    entry.map(|(_, size, by_hand)| (*size, *by_hand))
}

/// The seconds of each program in each round, and whether their outputs are equal to those of the first one; which of them to
/// compare is said by `compared`.
fn in_turn(programs: &[&Program], rounds: usize, compared: usize) -> (Vec<Vec<f64>>, bool) {
    let mut seconds = vec![Vec::new(); programs.len()];
    let mut is_equal = true;
    let mut expected: Option<String> = None;
    for _ in 0..rounds {
        for (position, program) in programs.iter().enumerate() {
            let (time, checksum) = time(&mut on_one_thread(program));
            seconds[position].push(time);
            is_equal &= position >= compared || *expected.get_or_insert_with(|| checksum.clone()) == checksum;
        }
    }
    (seconds, is_equal)
}

fn on_one_thread(program: &Program) -> Command {
    let mut command = Command::new(&program.path);
    command.arg("time").env("OPENBLAS_NUM_THREADS", "1");
    // A processor that is newer than the BLAS is taken for an old one, without vectors of 512 bits.
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    if processor.contains("avx512vl") {
        command.env("OPENBLAS_CORETYPE", "SkylakeX");
    }
    command
}

/// How many times as fast the second one is as the first one.
fn ratio(one: &[f64], other: &[f64]) -> f64 {
    median(one.iter().zip(other).map(|(one, other)| one / other).collect())
}

fn outputs(is_equal: bool) -> &'static str {
    if is_equal { "equal" } else { "DIFFER" }
}

/// They are of no more use; if one is gone already, so be it.
fn remove(programs: &[&Program]) {
    for program in programs {
        let _ = std::fs::remove_file(&program.path);
    }
}

fn beside_polly(task: &Task) -> bool {
    println!("| kernel | clang s | farkas s | over clang | by hand | of that | Polly's best over clang | outputs |");
    println!("|---|--:|--:|--:|--:|--:|--:|---|");
    let (mut own, mut polly, mut are_equal) = (Vec::new(), Vec::new(), true);
    for case in &task.cases {
        let clang = case.compile("clang", false, &[]);
        let farkas = case.compile("farkas", true, &[]);
        let settings = POLLY.iter().filter(|_| task.has_polly).enumerate();
        let others: Vec<Program> = settings
            .map(|(position, options)| {
                let flags: Vec<&str> = options.iter().flat_map(|option| ["-mllvm", option]).collect();
                case.compile(&format!("polly{position}"), false, &flags)
            })
            .collect();
        let programs: Vec<&Program> = [&clang, &farkas].into_iter().chain(&others).collect();
        let (seconds, is_equal) = in_turn(&programs, task.rounds, 2);
        let over_clang = ratio(&seconds[0], &seconds[1]);
        let best = seconds[2..]
            .iter()
            .map(|times| ratio(&seconds[0], times))
            .reduce(f64::max);
        let hand = listed(case).map(|(_, by_hand)| by_hand);
        let optional = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        println!(
            "| {} | {:.4} | {:.4} | {over_clang:.2} | {} | {} | {} | {} |",
            case.title(),
            median(seconds[0].clone()),
            median(seconds[1].clone()),
            optional(hand),
            optional(hand.map(|hand| over_clang / hand)),
            optional(best),
            outputs(is_equal)
        );
        own.push(over_clang);
        polly.extend(best);
        are_equal &= is_equal;
        remove(&programs);
    }
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    println!(
        "\nover clang {:.2} in the geometric mean, least {:.2}",
        geometric_mean(&own),
        least(&own)
    );
    if !polly.is_empty() {
        println!(
            "Polly's best over clang {:.2} in the geometric mean, least {:.2}",
            geometric_mean(&polly),
            least(&polly)
        );
    }
    are_equal
}

fn beside_blas(rounds: usize) -> Result<bool, String> {
    println!("\n| contraction | clang s | farkas s | BLAS s | over clang | of the BLAS's speed | outputs |");
    println!("|---|--:|--:|--:|--:|--:|---|");
    let mut are_equal = true;
    for name in CONTRACTIONS {
        for (data, prefix) in TYPES {
            for size in SIZES {
                let case = Case::parse(&format!("blas/{name}:{data}:{size}"))?;
                let prefix = format!("-DPREFIX={prefix}");
                let clang = case.compile("clang", false, &[]);
                let farkas = case.compile("farkas", true, &[]);
                let blas = case.compile("blas", false, &["-DBY_BLAS", &prefix, "-lopenblas"]);
                let programs = [&clang, &farkas, &blas];
                let (seconds, is_equal) = in_turn(&programs, rounds, 2);
                println!(
                    "| {} | {:.4} | {:.4} | {:.4} | {:.2} | {:.2} | {} |",
                    case.title(),
                    median(seconds[0].clone()),
                    median(seconds[1].clone()),
                    median(seconds[2].clone()),
                    ratio(&seconds[0], &seconds[1]),
                    ratio(&seconds[2], &seconds[1]),
                    outputs(is_equal)
                );
                are_equal &= is_equal;
                remove(&programs);
            }
        }
    }
    Ok(are_equal)
}
