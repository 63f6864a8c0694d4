//! What remarks say, and which of them are given.
//!
//! A nest is spoken of at its place in the user's source. Where it comes from a library that was inlined, that is the place of the call, at
//! which one nest without a transformation is mentioned. Loops for which plainly no other order exists are not worth a remark.
//! `-farkas-remarks=all` has all nests, each where it is.

use super::findings::Findings;
use super::source_names::RegionNames;
use crate::detect::advice::{TOO_COSTLY, advice};
use crate::detect::declined::{Declined, Stop};
use crate::options::{Options, Remarks};
use crate::pipeline::{Kept, Replacement, comparisons};
use crate::scop::Scop;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::remarks::{Remark, RemarkKind};
use farkas_llvm::scop_ir::ArrayId;
use farkas_llvm::value::Value;
use farkas_plan::SourceNames;
use farkas_polyhedral::ast::{Condition, Logic, Names, Quasi};
use farkas_polyhedral::sets::{Name, Params};
use indexmap::IndexSet;
use std::fmt::Display;

/// Conditions of more parts are only counted.
const MOST_CONDITIONS: usize = 8;

/// Gives a remark on a loop, at the instruction or else the loop, unless nobody asked for it or it was given before.
pub(super) fn give<'a>(
    options: &Options,
    run: &'a Run<'_>,
    findings: &mut Findings,
    remark: Remark,
    (l, at): (Loop<'a>, Option<Value<'a>>),
) {
    if !run.remarks_enabled() {
        return;
    }
    if options.remarks == Remarks::All {
        run.remark(&remark.at_own_place(), Some(l), at);
        return;
    }
    let Some(site) = run.remark_site(Some(l), at) else {
        run.remark(&remark, Some(l), at);
        return;
    };
    let is_missed = remark.kind == RemarkKind::Missed;
    if is_missed && site.is_in_library {
        return;
    }
    let message = match is_missed && site.inlined.is_some() {
        true => String::new(),
        false => remark.message(),
    };
    if !findings.is_said_first(site.location, message) {
        return;
    }
    let remark = match site.inlined {
        Some(function) => remark.of_inlined(function),
        None => remark,
    };
    run.remark(&remark, Some(l), at);
}

/// The remark on a nest that stays as it is, and what would help. Its name in remark files is `stage` and the
/// reason's own, without what differs from nest to nest, so that reasons can be counted.
fn left(stage: &str, name: &str, reason: &dyn Display, advice: Option<String>) -> Remark {
    let name = name.split(['(', ' ']).next().unwrap_or_default();
    let remark = Remark::missed(format!("{stage}{name}"), "loop nest")
        .text(" left as it is: ")
        .argument("Reason", reason.to_string());
    match advice {
        Some(advice) => remark.advice(advice),
        None => remark,
    }
}

/// The remark on a nest that has no model.
pub(super) fn has_no_model(run: &Run<'_>, l: Loop<'_>, stop: &Stop<'_>) -> Remark {
    match stop {
        Stop::Declined(Declined { reason, at }) => {
            left("Declined", &format!("{reason:?}"), reason, advice(run, l, reason, *at))
        }
        Stop::OutOfBudget => {
            let advice = Some(TOO_COSTLY.to_owned());
            left("Declined", "OutOfBudget", &"the analysis is too costly", advice)
        }
    }
}

/// The remark on a nest that has a model and is not replaced; `None` where nobody would expect a replacement.
pub(super) fn is_kept(options: &Options, reason: &Kept) -> Option<Remark> {
    let is_trivial = *reason == farkas_plan::Kept::one_order().into();
    (!is_trivial || options.remarks == Remarks::All)
        .then(|| left("Kept", &reason.name(), reason, reason.advice().map(str::to_owned)))
}

/// The remark on a nest that is replaced. `is_done` says whether that is so, or would be.
pub(super) fn is_transformed(replacement: &Replacement, names: &RegionNames, is_done: bool) -> Remark {
    let summary = &replacement.summary;
    let mut remark = Remark::passed("Transformed", "loop nest")
        .text(if is_done {
            " transformed: "
        } else {
            " would be transformed: "
        })
        .argument("Transforms", summary.transformation(names));
    if let Some(sizes) = summary.sizes(names) {
        remark = remark.text(", where ").argument("Sizes", sizes);
    }
    if let Some(sizes) = summary.threads(names) {
        remark = remark.text("; threads where ").argument("Threads", sizes);
    }
    match summary.gain() {
        Some(gain) => remark.text("; ").argument("Gain", gain).text(" times as fast expected"),
        None => remark,
    }
}

/// The remark on the run-time checks of a nest that is replaced, if there are any.
pub(super) fn is_checked(
    scop: &Scop<'_>,
    replacement: &Replacement,
    names: &RegionNames,
    is_done: bool,
) -> Option<Remark> {
    let guards = &replacement.guards;
    let mut remark = Remark::analysis(
        "Assumed",
        if is_done { "checked" } else { "would be checked" }.to_owned() + " before the loop nest",
    )
    .text(": ");
    let params = names.rename(&replacement.params);
    let array = |array: &ArrayId| names.array(&Name::from(&*scop.ir.arrays[array.0].name));
    let mut compared = guards.pointer_checks.arrays();
    compared.extend(guards.indirect.arrays());
    compared.extend(guards.rows.arrays());
    let separator = if compared.is_empty() { ", and " } else { ", " };
    let conditions = conditions(&guards.assumptions, &params, separator);
    let on_data = conditions_on_data(&names.conditions);
    if conditions.is_none() && compared.is_empty() && on_data.is_none() {
        return None;
    }
    let is_joined = conditions.is_some() && !compared.is_empty();
    let is_first = conditions.is_none() && compared.is_empty();
    if let Some(conditions) = conditions {
        remark = remark.argument("Conditions", conditions);
    }
    if is_joined {
        remark = remark.text(", and ");
    }
    if !compared.is_empty() {
        let arrays: Vec<String> = compared.iter().map(array).collect();
        remark = remark
            .text("that ")
            .argument("Arrays", joined(&arrays))
            .text(match &arrays[..] {
                [_] => " do not overlap each other",
                _ => " do not overlap",
            });
        let inspected: IndexSet<String> = guards
            .indirect
            .inspections
            .iter()
            .map(|own| array(&own.array))
            .collect();
        if !inspected.is_empty() {
            let inspected = joined(&Vec::from_iter(inspected));
            remark = remark.text(" for the elements of ").argument("Inspected", inspected);
        }
    }
    if let Some(on_data) = on_data {
        let joint = if is_first { "" } else { ", and " };
        remark = remark.text(joint).argument("ConditionsOnData", on_data);
    }
    let pairs = guards.pointer_checks.comparisons() + guards.indirect.comparisons() + guards.rows.comparisons();
    let count = comparisons(&guards.assumptions) + pairs;
    let unit = if count == 1 { " comparison)" } else { " comparisons)" };
    Some(match count {
        0 => remark,
        _ => remark.text(" (").argument("Comparisons", count.to_string()).text(unit),
    })
}

/// What is assumed of conditions on data in these lines, if there are any.
fn conditions_on_data(conditions: &[Option<u32>]) -> Option<String> {
    let lines: IndexSet<u32> = conditions.iter().flatten().copied().collect();
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match (conditions, &numbers[..]) {
        ([], _) => None,
        ([_], []) => Some("that the condition around a loop holds throughout".to_owned()),
        (_, []) => Some("that the conditions around loops hold throughout".to_owned()),
        (_, [line]) => Some(format!("that the condition in line {line} holds throughout")),
        (_, lines) => Some(format!(
            "that the conditions in lines {} hold throughout",
            joined(lines)
        )),
    }
}

/// `a, b and c`.
fn joined(parts: &[String]) -> String {
    match parts {
        [first @ .., one, last] => {
            let first: String = first.iter().map(|part| format!("{part}, ")).collect();
            format!("{first}{one} and {last}")
        }
        _ => parts.concat(),
    }
}

/// A condition on parameters in words; `None` if it always holds.
fn conditions(condition: &Condition, params: &Params, separator: &str) -> Option<String> {
    let parts = match condition {
        Condition::All(parts) => &parts[..],
        one => std::slice::from_ref(one),
    };
    let count = comparisons(condition);
    if count > MOST_CONDITIONS {
        return Some(format!("{count} conditions on sizes"));
    }
    let (signs, others): (Vec<&Condition>, Vec<&Condition>) = parts.iter().partition(|part| is_sign(part));
    let texts = |parts: &[&Condition]| -> Vec<String> { parts.iter().map(|part| text(part, params)).collect() };
    let mut sentences = Vec::new();
    match &texts(&signs)[..] {
        [] => {}
        [one] => sentences.push(format!("that the size is not negative ({one})")),
        several => sentences.push(format!("that the sizes are not negative ({})", several.join(" and "))),
    }
    if !others.is_empty() {
        sentences.push(format!("that {}", texts(&others).join(" and ")));
    }
    (!sentences.is_empty()).then(|| sentences.join(separator))
}

/// Whether the condition says that a parameter is not negative.
fn is_sign(condition: &Condition) -> bool {
    let is_param = |value: &Quasi| match value.terms() {
        [(_, factor)] => factor.is_one() && value.constant_term().is_zero(),
        _ => false,
    };
    matches!(condition, Condition::NonNegative(value) if is_param(value))
}

fn text(condition: &Condition, params: &Params) -> String {
    let within = |part: &Condition| match part {
        Condition::All(_) | Condition::Any(_) => format!("({})", text(part, params)),
        _ => text(part, params),
    };
    match condition {
        Condition::All(parts) => parts.iter().map(within).collect::<Vec<_>>().join(" and "),
        Condition::Any(parts) => parts.iter().map(within).collect::<Vec<_>>().join(" or "),
        one => {
            let names = Names {
                params,
                iterators: &[],
                logic: Logic::ShortCircuit,
            };
            one.display(names).to_string()
        }
    }
}
