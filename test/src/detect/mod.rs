//! What is understood of real code: loops in the source, and what Farkas and Polly say of each.
//!
//! A package is built once by a compiler that notes its commands (`scripts/packages`). Each compilation is then repeated:
//! for the loops that the front end sees, by clang alone, with the plugin, and with Polly.

pub mod command;
pub mod loops;
pub mod remarks;
pub mod report;
pub mod scops;

use command::Compilation;
use loops::SourceLoop;
use remarks::{Kind, Remark};
use scops::Scops;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// How long a compilation may take.
pub const LIMIT: Duration = Duration::from_secs(120);

/// A set of loops of a file, by position in its list of loops.
type Loops = Vec<bool>;

/// What one compiler made of a file.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Processor time, in seconds.
    pub seconds: f64,
    /// The size of `.text`, in bytes.
    pub text: u64,
    /// The object file; empty if there is none.
    pub object: Vec<u8>,
    /// Why the compiler failed, if it did.
    pub failure: Option<String>,
}

/// What Farkas made of a file.
#[derive(Clone, Debug, Default)]
pub struct ByFarkas {
    /// As a compiler.
    pub outcome: Outcome,
    /// The loops that are modelled.
    pub modelled: Loops,
    /// The loops that are transformed.
    pub transformed: Loops,
    /// How many nests are transformed, copies of inlined ones among them.
    pub changed: usize,
    /// How many nests stay as they are, by the name of the reason.
    pub reasons: BTreeMap<String, usize>,
}

/// What Polly made of a file.
#[derive(Clone, Debug, Default)]
pub struct ByPolly {
    /// As a compiler.
    pub outcome: Outcome,
    /// What it models, copies of inlined functions counted again.
    pub scops: Scops,
}

/// What was found for a file.
#[derive(Clone, Debug)]
pub struct FileReport {
    /// Its loops.
    pub loops: Vec<SourceLoop>,
    /// By clang alone.
    pub plain: Outcome,
    /// With the plugin.
    pub farkas: ByFarkas,
    /// With Polly, if asked for.
    pub polly: Option<ByPolly>,
}

/// What is done with a file, besides compiling it without and with the plugin.
#[derive(Clone, Copy, Debug)]
pub struct Tasks {
    /// Polly compiles it, too.
    pub polly: bool,
    /// It is compiled with the plugin once more, which has to give the same object.
    pub twice: bool,
}

/// Looks at one file.
pub fn examine(compilation: &Compilation, plugin: &Path, scratch: &Path, tasks: Tasks) -> FileReport {
    let loops = loops::of_source(compilation);
    let (plain, ..) = compilation.compile(scratch, &[], "");
    let load = format!("-fpass-plugin={}", plugin.display());
    let (mut outcome, said, _) = compilation.compile(scratch, &[&load, "-mllvm", "-farkas-remarks=all"], "farkas");
    if tasks.twice && outcome.failure.is_none() {
        let (again, ..) = compilation.compile(scratch, &[&load, "-mllvm", "-farkas-remarks=all"], "farkas");
        if again.object != outcome.object {
            outcome.failure = Some("a second compilation gives another object".to_owned());
        }
    }
    let farkas = by_farkas(outcome, &said, &loops);
    let polly = tasks.polly.then(|| {
        let (outcome, ..) = compilation.compile(scratch, &["-mllvm", "-polly"], "");
        // By itself, Polly does not look at most single loops: here the question is what it could model.
        let everything = ["-polly", "-polly-process-unprofitable", "-polly-print-scops"];
        let flags: Vec<&str> = everything.iter().flat_map(|flag| ["-mllvm", flag]).collect();
        let (_, _, printed) = compilation.compile(scratch, &flags, "");
        ByPolly {
            outcome,
            scops: scops::count(&printed),
        }
    });
    FileReport {
        loops,
        plain,
        farkas,
        polly,
    }
}

fn by_farkas(outcome: Outcome, said: &[Remark], loops: &[SourceLoop]) -> ByFarkas {
    let mut report = ByFarkas {
        outcome,
        modelled: vec![false; loops.len()],
        transformed: vec![false; loops.len()],
        ..ByFarkas::default()
    };
    for remark in said {
        report.changed += usize::from(remark.name == "Transformed");
        if remark.kind == Kind::Missed {
            *report.reasons.entry(remark.name.clone()).or_default() += 1;
        }
        if remark.name.starts_with("Declined") || remark.kind == Kind::Analysis {
            continue;
        }
        let here = |l: &SourceLoop| remark.at(&l.file, l.start.0) && remark.column == l.start.1;
        for index in matching(loops, remark, here) {
            let inside = (0..loops.len()).filter(|&other| loops[other].is_in(&loops[index]));
            for other in inside {
                report.modelled[other] = true;
                report.transformed[other] |= remark.kind == Kind::Passed;
            }
        }
    }
    report
}

/// The loops in the remark's function, or in any function if there are none: those of a callee that was inlined.
fn matching(loops: &[SourceLoop], remark: &Remark, here: impl Fn(&SourceLoop) -> bool) -> Vec<usize> {
    let all: Vec<usize> = (0..loops.len()).filter(|&index| here(&loops[index])).collect();
    let own: Vec<usize> = all
        .iter()
        .copied()
        .filter(|&index| loops[index].function == remark.function)
        .collect();
    if own.is_empty() { all } else { own }
}
