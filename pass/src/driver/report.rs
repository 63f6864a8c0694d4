//! What a report says of a region: what remarks say, with the model, what the stages of planning print, and the lines of the source.

use std::fs;
use std::path::Path;

use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::source::demangled;
use farkas_llvm::value::Location;
use farkas_report::{Fact, Model, Outcome, Place, Record, RegionReport, SourceLines};

use super::remarks::{has_no_model, is_checked};
use super::source_names::RegionNames;
use crate::detect::declined::Stop;
use crate::pipeline::{Kept, Replacement};
use crate::scop::Scop;

/// Lines of the source that are shown, at the most.
const MOST_LINES: usize = 80;

/// Larger sources are not read.
const LARGEST_SOURCE: u64 = 10_000_000;

/// The report on a region that is replaced, or would be.
pub(super) fn transformed(
    run: &Run<'_>,
    scop: &Scop<'_>,
    replacement: &Replacement,
    names: &RegionNames,
    is_done: bool,
) -> RegionReport {
    let summary = &replacement.summary;
    let mut facts = Vec::new();
    let mut add = |name, text: Option<String>| facts.extend(text.map(|text| Fact { name, text }));
    add("Runs where", summary.sizes(names));
    add("On threads where", summary.threads(names));
    let checked = is_checked(scop, replacement, names, is_done).map(|remark| remark.message());
    add("Checked before", checked.map(|message| behind_colon(&message)));
    RegionReport {
        gain: summary.gain(),
        facts,
        model: Some(model(scop)),
        ..on_loops(
            run,
            &scop.ir.region.outermost,
            Outcome::Transformed,
            summary.transformation(names),
        )
    }
}

/// The report on a region that has a model, and stays as it is.
pub(super) fn kept(run: &Run<'_>, scop: &Scop<'_>, why: &Kept, stages: Record) -> RegionReport {
    RegionReport {
        model: Some(model(scop)),
        stages,
        ..kept_loops(run, &scop.ir.region.outermost, why)
    }
}

/// The report on loops that stay as they are, whatever their model says.
pub(super) fn kept_loops(run: &Run<'_>, loops: &[Loop<'_>], why: &Kept) -> RegionReport {
    let advice = why.advice().map(|advice| Fact {
        name: "Advice",
        text: advice.to_owned(),
    });
    RegionReport {
        facts: advice.into_iter().collect(),
        ..on_loops(run, loops, Outcome::Kept, why.to_string())
    }
}

/// The report on a region that is above the limit of regions that are transformed.
pub(super) fn above_limit(run: &Run<'_>, scop: &Scop<'_>, number: u64) -> RegionReport {
    let summary = format!("region {number} is above the limit");
    RegionReport {
        model: Some(model(scop)),
        ..on_loops(run, &scop.ir.region.outermost, Outcome::Kept, summary)
    }
}

/// The report on a loop that has no model.
pub(super) fn declined<'a>(run: &'a Run<'_>, l: Loop<'a>, stop: &Stop<'a>) -> RegionReport {
    let message = has_no_model(run, l, stop).message();
    on_loops(run, &[l], Outcome::Declined, behind_colon(&message))
}

/// What a remark says behind its first words.
fn behind_colon(message: &str) -> String {
    message.split_once(": ").map_or(message, |(_, rest)| rest).to_owned()
}

fn model(scop: &Scop<'_>) -> Model {
    Model {
        program: scop.program.clone(),
        text: scop.to_string(),
    }
}

/// The report on loops, with their place and their lines.
fn on_loops(run: &Run<'_>, loops: &[Loop<'_>], outcome: Outcome, summary: String) -> RegionReport {
    let site = loops.first().and_then(|l| run.remark_site(Some(*l), None));
    let place = site.map(|site| Place {
        file: site.location.file,
        line: site.location.line,
        column: site.location.column,
        inlined: site.inlined,
    });
    RegionReport {
        place,
        source: source_of(loops),
        ..RegionReport::new(demangled(&run.function().name()), outcome, summary)
    }
}

/// The lines of the source that loops are in, if debug information says where they are and the source can be read.
fn source_of(loops: &[Loop<'_>]) -> Option<SourceLines> {
    let Location { file, line: first, .. } = loops.first()?.location()?;
    let is_small = fs::metadata(&file).is_ok_and(|data| data.is_file() && data.len() <= LARGEST_SOURCE);
    let text = is_small.then(|| fs::read_to_string(Path::new(&file)).ok())??;
    let blocks = loops.iter().flat_map(|l| l.blocks());
    let places = blocks
        .flat_map(|block| block.instructions())
        .filter_map(|i| i.location());
    let lines = places.filter(|at| at.file == file && at.line < first + MOST_LINES as u32);
    let last = lines.map(|at| at.line).max()?.max(first);
    let lines: Vec<&str> = text.lines().collect();
    let (first_index, mut end) = (first.checked_sub(1)? as usize, last as usize);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let least = indent(lines.get(first_index)?);
    // Brackets that close the loops are at no instruction.
    while lines
        .get(end)
        .is_some_and(|line| line.trim() == "}" && indent(line) >= least)
    {
        end += 1;
    }
    let shown = lines.get(first_index..end)?;
    Some(SourceLines {
        first,
        lines: shown.iter().map(|line| (*line).to_owned()).collect(),
    })
}
