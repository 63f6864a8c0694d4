//! `bench model [--all] [KERNEL[:SIZE]]...`: the cost model's predictions beside measurement, for each kernel in C.
//!
//! Each kernel is compiled by clang alone, with the plugin, and with the plugin forced to take the candidate at each position
//! (`-farkas-candidate`). The model says how many cycles a transformed region takes in the original order and in the new one.
//! A prediction is a ratio: the cycles of the original, over those with the transformed regions in their new order. The cycles
//! of the original are those of all regions that some candidate transforms, so all predictions cover the same code. The measured
//! ratio is that of times on the processor, each the least of some runs. Ratios above 1 are gains.
//!
//! For each kernel the table has Spearman's rank correlation between predictions and measurements over the original and all
//! candidates, and both ratios of the plan that the plugin chooses by itself; with `--all` both ratios of each candidate.
//!
//! What limits it: code without a list of candidates counts in what is measured, and in no prediction.

use crate::case::{Case, time};
use crate::predictions::Predictions;
use crate::rank_correlation::rank_correlation;
use farkas_test::{Program, kernels, median};
use std::process::Command;

/// How often each program runs.
const ROUNDS: usize = 3;

/// The most candidates of a kernel.
const MOST_CANDIDATES: usize = 16;

/// The fewest candidates for a rank correlation to count in the summary.
const FEWEST_CANDIDATES: usize = 5;

/// Sizes for kernels that take long at their own size: the original takes some tenths of a second at most. None is a power of
/// two, where conflicts in caches would dominate, which the model does not know.
const SIZES: [(&str, u32); 22] = [
    ("2mm", 500),
    ("3mm", 450),
    ("adi", 400),
    ("apsp", 500),
    ("cholesky", 900),
    ("correlation", 700),
    ("covariance", 700),
    ("doitgen", 120),
    ("fdtd2d", 900),
    ("gemm", 600),
    ("gemm_ikj", 600),
    ("gramschmidt", 450),
    ("heat3d", 100),
    ("jacobi2d", 1100),
    ("lu", 700),
    ("ludcmp", 700),
    ("nussinov", 700),
    ("seidel2d", 500),
    ("symm", 500),
    ("syr2k", 500),
    ("syrk", 700),
    ("trmm", 700),
];

/// Reads a kernel at a size; at the size of the table where none is given.
fn case(text: &str) -> Result<Case, String> {
    let mut case = Case::parse(text)?;
    let listed = SIZES.iter().find(|(name, _)| *name == case.kernel);
    case.size = case.size.or(listed.map(|(_, size)| *size));
    Ok(case)
}

/// The function that does a kernel's work.
///
/// # Panics
///
/// If there is none.
fn function(case: &Case) -> String {
    let text = std::fs::read_to_string(case.source()).expect("a source");
    let name = text
        .split_once("NOINLINE void ")
        .and_then(|(_, rest)| rest.split_once('('));
    name.expect("a function that is not inlined").0.to_owned()
}

/// Compiles with the plugin.
fn transform(case: &Case, name: &str, options: &[&str]) -> Variant {
    let function = function(case);
    let mut all = vec![
        "-farkas-print=scop,candidates,plan".to_owned(),
        format!("-farkas-only-func={function}"),
    ];
    all.extend(options.iter().map(|option| format!("-farkas-{option}")));
    let flags: Vec<&str> = all.iter().flat_map(|option| ["-mllvm", option.as_str()]).collect();
    let program = case.compile(name, true, &flags);
    Variant {
        name: name.to_owned(),
        predictions: Predictions::parse(&program.diagnostics, &function),
        program,
    }
}

/// All candidates: one program for each choice that changes something. Positions beyond the last candidate of a band mean
/// the last one.
fn candidates(case: &Case) -> Vec<Variant> {
    let mut candidates: Vec<Variant> = Vec::new();
    for position in 0..MOST_CANDIDATES {
        let option = format!("candidate={position}");
        let variant = transform(case, &position.to_string(), &["unprofitable", &option]);
        let count = variant.predictions.most_candidates;
        let is_new = |other: &Variant| other.predictions.transformed != variant.predictions.transformed;
        if variant.program.transformed() && candidates.iter().all(is_new) {
            candidates.push(variant);
        }
        if position + 1 >= count {
            break;
        }
    }
    candidates
}

/// A program that the plugin transformed in one way.
struct Variant {
    name: String,
    predictions: Predictions,
    program: Program,
}

/// What one program came to, in the least of its runs.
#[derive(Clone, Default)]
struct Measured {
    seconds: Vec<f64>,
    checksum: String,
}

impl Measured {
    fn least(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// A prediction beside what was measured, as ratios to the original.
struct Comparison {
    name: String,
    predicted: f64,
    measured: f64,
    is_equal: bool,
}

/// A row of the table.
struct Row {
    title: String,
    /// The plan that the plugin chooses by itself; none if it leaves all as it is.
    own: Option<Comparison>,
    candidates: Vec<Comparison>,
    is_equal: bool,
}

impl Row {
    /// The rank correlation over the original and all candidates.
    fn correlation(&self) -> Option<f64> {
        let column = |value: fn(&Comparison) -> f64| {
            let values = self.candidates.iter().map(value);
            [1.0].into_iter().chain(values).collect::<Vec<f64>>()
        };
        rank_correlation(&column(|c| c.predicted), &column(|c| c.measured))
    }

    fn print(&self, all: bool) {
        let correlation = self.correlation().map_or("-".to_owned(), |r| format!("{r:.2}"));
        let plan = match &self.own {
            Some(own) => format!("{} | {:.2} | {:.2}", own.name, own.predicted, own.measured),
            None => "left alone | | ".to_owned(),
        };
        let outputs = equality(self.is_equal);
        println!(
            "| {} | {} | {correlation} | {plan} | {outputs} |",
            self.title,
            self.candidates.len()
        );
        for candidate in self.candidates.iter().filter(|_| all) {
            let Comparison {
                name,
                predicted,
                measured,
                is_equal,
            } = candidate;
            let outputs = equality(*is_equal);
            println!("| | | | {name} | {predicted:.2} | {measured:.2} | {outputs} |");
        }
    }
}

fn equality(is_equal: bool) -> &'static str {
    if is_equal { "equal" } else { "DIFFER" }
}

/// The arguments of `bench model`. Returns whether all programs of each kernel print the same.
///
/// # Errors
/// What is wrong with the arguments.
pub(crate) fn run(arguments: &[String]) -> Result<bool, String> {
    let (options, names): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|word| word.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != "--all") {
        return Err(format!("unknown option {unknown}"));
    }
    let cases: Vec<Case> = match names.is_empty() {
        true => kernels().iter().map(|name| case(name)).collect::<Result<_, _>>()?,
        false => names.iter().map(|name| case(name)).collect::<Result<_, _>>()?,
    };
    println!("| kernel | candidates | rank correlation | plan | predicted | measured | outputs |");
    println!("|---|--:|--:|---|--:|--:|---|");
    let rows: Vec<Row> = cases
        .iter()
        .map(|case| {
            let row = compare(case);
            row.print(!options.is_empty());
            row
        })
        .collect();
    summary(&rows);
    Ok(rows.iter().all(|row| row.is_equal))
}

/// Compiles and runs all programs of a kernel.
fn compare(case: &Case) -> Row {
    let clang = case.compile("clang", false, &[]);
    let own = transform(case, "own", &[]);
    let candidates = candidates(case);
    let mut programs = vec![&clang, &own.program];
    programs.extend(candidates.iter().map(|candidate| &candidate.program));
    let measured = measure(&programs);
    let before = candidates
        .iter()
        .chain([&own])
        .map(|variant| variant.predictions.before());
    let before = before.fold(0.0, f64::max);
    let original = &measured[0];
    let comparison = |variant: &Variant, measured: &Measured| {
        let predictions = &variant.predictions;
        let after = before - predictions.before() + predictions.after();
        Comparison {
            name: format!("{}: {}", variant.name, predictions.name()),
            predicted: before / after,
            measured: original.least() / measured.least(),
            is_equal: measured.checksum == original.checksum,
        }
    };
    Row {
        title: case.title(),
        own: own.program.transformed().then(|| comparison(&own, &measured[1])),
        candidates: candidates
            .iter()
            .zip(&measured[2..])
            .map(|(c, m)| comparison(c, m))
            .collect(),
        is_equal: measured.iter().all(|m| m.checksum == original.checksum),
    }
}

/// Runs the programs in turn.
fn measure(programs: &[&Program]) -> Vec<Measured> {
    let mut measured = vec![Measured::default(); programs.len()];
    for _ in 0..ROUNDS {
        for (measured, program) in measured.iter_mut().zip(programs) {
            let (seconds, checksum) = time(Command::new(&program.path).arg("time"));
            measured.seconds.push(seconds);
            measured.checksum = checksum;
        }
    }
    measured
}

/// What all rows come to.
fn summary(rows: &[Row]) {
    let (many, few): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.candidates.len() >= FEWEST_CANDIDATES);
    let correlations: Vec<f64> = many.iter().filter_map(|row| row.correlation()).collect();
    if !correlations.is_empty() {
        println!(
            "\nrank correlation {:.2} in the median of {} kernels with at least {FEWEST_CANDIDATES} candidates",
            median(correlations.clone()),
            correlations.len()
        );
    }
    let few: Vec<&str> = few.iter().map(|row| &*row.title).collect();
    println!("with fewer candidates: {}", few.join(", "));
    let gains = rows.iter().filter_map(|row| Some((row, row.own.as_ref()?)));
    let gains = gains.filter(|(_, own)| own.predicted > 1.0);
    if let Some((row, own)) = gains.min_by(|(_, one), (_, other)| one.measured.total_cmp(&other.measured)) {
        println!(
            "the least measured of plans that are predicted to gain: {:.2}, predicted {:.2} ({})",
            own.measured, own.predicted, row.title
        );
    }
}
