//! The driver: one function, candidate region by candidate region.
//!
//! The search starts with the largest candidate regions of the function. A region that has no model, or no gain, is
//! cut at the cause. If that does not help, each of its loops is tried alone. If a single loop is declined, the loops
//! inside it are searched in the same way. Each outermost loop gets one remark in the end; a loop inside a declined
//! one gets none if the cause is the same.
//!
//! A region is replaced as soon as it is planned. That changes the function: all analyses are computed anew and the
//! search starts again. What was found out about loops and blocks is remembered. Replaced loops are marked and not
//! seen again.

use crate::control::nest::check_structure;
use crate::detect::advice::advice;
use crate::detect::declined::{Declined, Modelled, Reason, Stop};
use crate::detect::errors::Errors;
use crate::detect::fragment::Fragment;
use crate::detect::regions::{Body, Fit, Found, Segment};
use crate::options::{Options, Print};
use crate::pipeline::{self, Kept};
use crate::scop::Scop;
use crate::scop_builder::build_scop;
use farkas_emit::emit;
use farkas_llvm::edit::DONE;
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::loops::Loop;
use farkas_llvm::remarks::Remark;
use farkas_llvm::{Identity, Run};
use farkas_polyhedral::budget::Budget;
use std::collections::HashMap;
use std::fmt::Display;

/// Budget for the model of one region: more than four times what the costliest of our kernels takes, about a tenth of
/// a second.
const MODEL_BUDGET: u64 = 300_000;

/// A region of several segments gets the plan budget divided by this number: enough for tens of loops, and little
/// beside what its segments may take afterwards.
const SECTION_SHARES: u64 = 2;

/// Effort for one function that budgets do not count: analysing it again after each change, and LLVM's own analyses
/// of loops. A unit is about a microsecond.
const FUNCTION_EFFORT: u64 = 3_000_000;

/// Units of effort for each condition that LLVM goes over for a loop.
const GUARD_EFFORT: u64 = 400;

/// Fragments that one unit of effort searches.
const PARTS_PER_UNIT: u64 = 16;

/// Regions of several segments that are tried in one body. After that, each loop is tried alone.
const ATTEMPTS: usize = 12;

/// Size in instructions of a block outside of loops that is still worth duplicating to join the loops before and
/// after it.
const MOST_CODE: usize = 100;

/// What earlier searches found out about a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Standing {
    /// How it can be used.
    Fit(Fit),
    /// A loop that has a model, and stays as it is.
    Kept,
    /// A loop that has no model; those inside are looked at.
    Declined(Cause),
}

/// Why a loop has no model, as far as it outlives a change of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Declined { reason: Reason, at: Option<Identity> },
    OutOfBudget,
}

/// The identity of a fragment, which survives a change of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Loop(Identity),
    Phis(Identity),
    Code(Identity),
    Branch(Identity),
}

impl Key {
    fn of(run: &Run<'_>, fragment: Fragment<'_>) -> Self {
        match fragment {
            Fragment::Loop(l) => Key::Loop(run.identity(l.header())),
            Fragment::Phis(block) => Key::Phis(run.identity(block)),
            Fragment::Code(block) => Key::Code(run.identity(block)),
            Fragment::Branch(block) => Key::Branch(run.identity(block)),
        }
    }
}

/// The verdict on a candidate region.
enum Verdict {
    Replaced,
    /// No more is to be done about it.
    Settled,
    /// It has a model, and stays as it is for this reason.
    Kept(Kept),
}

/// Works on all regions of the function.
pub(crate) fn function(options: &Options, run: &mut Run<'_>) {
    let mut known = HashMap::new();
    let effort = Budget::new(FUNCTION_EFFORT);
    loop {
        let blocks = run.function().blocks();
        let size: usize = blocks.iter().map(|block| block.instructions().len()).sum();
        let mut walk = RegionSearch {
            options,
            run,
            errors: Errors::new(&blocks),
            known: &mut known,
            effort: &effort,
        };
        if effort.spend(size as u64).is_err() {
            walk.give_up();
            break;
        }
        if !walk.body(None, None) {
            if effort.left() == 0 {
                walk.give_up();
            }
            break;
        }
        run.refresh();
    }
}

/// One walk over the regions of a function.
struct RegionSearch<'w, 'r> {
    options: &'w Options,
    run: &'w Run<'r>,
    errors: Errors<'w>,
    /// Results of this search and of earlier ones.
    known: &'w mut HashMap<Key, Standing>,
    /// The rest of [`FUNCTION_EFFORT`].
    effort: &'w Budget,
}

impl<'w, 'r> RegionSearch<'w, 'r> {
    /// Looks for regions in the loop `around`, which was declined for the cause, or in the function; true as soon as
    /// one is replaced.
    fn body(&mut self, around: Option<Loop<'w>>, outer: Option<&Cause>) -> bool {
        let body = Body::new(self.run, &self.errors, around);
        let mut attempts = 0;
        loop {
            if self.effort.spend(1 + body.len() as u64 / PARTS_PER_UNIT).is_err() {
                return false;
            }
            let found = body.find(|fragment| self.fit(fragment));
            let mut regions = found.iter().filter_map(|found| match found {
                Found::Region(segments) => Some(segments),
                Found::Loop(_) => None,
            });
            let Some(segments) = regions.next() else {
                // All loops are settled; what is in the declined ones is to be looked at.
                return found.into_iter().any(|found| match found {
                    Found::Loop(l) => self.inside(l),
                    Found::Region(_) => false,
                });
            };
            if let [segment] = &segments[..]
                && let Some(Fragment::Loop(l)) = segment.fragments.first().copied()
            {
                if self.single(l, &segment.fragments, outer) {
                    return true;
                }
                continue;
            }
            attempts += 1;
            if attempts > ATTEMPTS {
                self.take_apart(segments);
            } else if self.several(segments, outer) {
                return true;
            }
        }
    }

    /// Says of all outermost loops that were not looked at why that is so.
    fn give_up(&self) {
        for l in self.run.loops() {
            let known = self.known.get(&Key::of(self.run, Fragment::Loop(l)));
            if !l.has_attribute(DONE) && !matches!(known, Some(Standing::Kept | Standing::Declined(_))) {
                let remark = has_no_model(&Reason::LargeFunction.into());
                self.run.remark(&remark, Some(l), None);
            }
        }
    }

    fn inside(&mut self, l: Loop<'w>) -> bool {
        match self.known.get(&Key::of(self.run, Fragment::Loop(l))) {
            Some(Standing::Declined(cause)) => {
                let cause = cause.clone();
                self.body(Some(l), Some(&cause))
            }
            _ => false,
        }
    }

    /// How the fragment can be used.
    fn fit(&mut self, fragment: Fragment<'w>) -> Fit {
        if let Fragment::Loop(l) = fragment
            && l.has_attribute(DONE)
        {
            return Fit::Never;
        }
        let key = Key::of(self.run, fragment);
        match self.known.get(&key) {
            Some(Standing::Fit(fit)) => return *fit,
            Some(Standing::Kept | Standing::Declined(_)) => return Fit::Never,
            None => {}
        }
        let long = match fragment {
            Fragment::Code(block) => block.instructions().len() > MOST_CODE,
            _ => false,
        };
        let fit = match (fragment, check_structure(self.run, &self.errors, fragment)) {
            (_, Ok(())) if !long => Fit::Joins,
            (Fragment::Loop(_), _) => Fit::Alone,
            _ => Fit::Never,
        };
        self.known.insert(key, Standing::Fit(fit));
        fit
    }

    fn set(&mut self, fragment: Fragment<'w>, standing: Standing) {
        self.known.insert(Key::of(self.run, fragment), standing);
    }

    fn model(&self, fragments: &[Fragment<'w>]) -> Modelled<'w, (Scop<'w>, HoistedLoads<'w, 'r>)> {
        let budget = Budget::new(MODEL_BUDGET);
        let loops = fragments.iter().filter_map(|fragment| match fragment {
            Fragment::Loop(l) => Some(*l),
            _ => None,
        });
        let guards: usize = loops.map(|l| self.run.guards_of(l)).sum();
        if self.effort.spend(GUARD_EFFORT * guards as u64).is_err() {
            return Err(Reason::LargeFunction.into());
        }
        let outcome = check_function(self.run).and_then(|()| build_scop(self.run, &self.errors, fragments, &budget));
        log::debug!(
            "{fragments:?}: model took {} units of work",
            MODEL_BUDGET - budget.left()
        );
        outcome
    }

    /// Replaces a single loop, which `fragments` are, if it has a model and that is worth it; says what was done,
    /// or why not.
    fn single(&mut self, l: Loop<'w>, fragments: &[Fragment<'w>], outer: Option<&Cause>) -> bool {
        let fragment = Fragment::Loop(l);
        let stop = match self.model(fragments) {
            Ok((scop, mut hoisted)) => {
                match self.modelled(&scop, &mut hoisted, farkas_plan::budget(&scop.program).left()) {
                    Verdict::Replaced => return true,
                    outcome => {
                        if let Verdict::Kept(reason) = outcome {
                            let remark = is_kept(&reason);
                            self.run.remark(&remark, Some(l), None);
                        }
                        self.set(fragment, Standing::Kept);
                        return false;
                    }
                }
            }
            Err(stop) => stop,
        };
        self.set(fragment, self.declined(l, &stop, outer));
        false
    }

    /// Says why a loop has no model by itself, but for what was said of the loop around it.
    fn declined(&self, l: Loop<'w>, stop: &Stop<'w>, outer: Option<&Cause>) -> Standing {
        let cause = match stop {
            Stop::Declined(declined) => Cause::Declined {
                reason: declined.reason.clone(),
                at: declined.at.map(|at| self.run.identity(at)),
            },
            Stop::OutOfBudget => Cause::OutOfBudget,
        };
        let was_replaced = matches!(&cause, Cause::Declined { reason, .. } if *reason == Reason::Done);
        if !was_replaced && outer != Some(&cause) {
            self.run.remark(&has_no_model(stop), Some(l), stop.cause());
        }
        Standing::Declined(cause)
    }

    /// Replaces a region of several loops, or with more than a loop, if it has a model and that is worth it; otherwise
    /// sees to it that its fragments will be tried.
    fn several(&mut self, segments: &[Segment<'w>], outer: Option<&Cause>) -> bool {
        if !self.options.model_only && !self.each_gains(segments, outer) {
            return false;
        }
        let fragments: Vec<Fragment<'w>> = segments
            .iter()
            .flat_map(|segment| segment.fragments.iter().copied())
            .collect();
        let stop = match self.model(&fragments) {
            Ok((scop, mut hoisted)) => match self.modelled(
                &scop,
                &mut hoisted,
                farkas_plan::budget(&scop.program).left() / SECTION_SHARES,
            ) {
                Verdict::Replaced => return true,
                Verdict::Settled => {
                    for fragment in fragments
                        .into_iter()
                        .filter(|fragment| matches!(fragment, Fragment::Loop(_)))
                    {
                        self.set(fragment, Standing::Kept);
                    }
                    return false;
                }
                Verdict::Kept(reason) => {
                    log::debug!("{fragments:?} kept: {reason}");
                    self.take_apart(segments);
                    return false;
                }
            },
            Err(stop) => stop,
        };
        log::debug!("{fragments:?} declined: {stop:?}");
        let of = |at| {
            segments
                .iter()
                .position(|segment| segment.fragments.iter().any(|fragment| fragment.contains(at)))
        };
        match stop.cause().filter(|at| at.is_instruction()).and_then(of) {
            None => self.take_apart(segments),
            Some(0) => self.take_apart(&segments[..1]),
            Some(position) => {
                let segment = &segments[position];
                let fit = if segment.has_loops { Fit::Begins } else { Fit::Never };
                self.set(segment.fragments[0], Standing::Fit(fit));
            }
        }
        false
    }

    /// Whether each segment would be transformed by itself; sees to it that others will be in no region with what is
    /// around them. What gains nothing must not be rewritten for the gain of another: LLVM does better with the
    /// original.
    fn each_gains(&mut self, segments: &[Segment<'w>], outer: Option<&Cause>) -> bool {
        if segments.len() < 2 {
            return true;
        }
        let mut all = true;
        for segment in segments.iter().filter(|segment| segment.has_loops) {
            let planned = self
                .model(&segment.fragments)
                .map(|(scop, _hoisted)| pipeline::gains(self.options, self.run, &scop));
            let standing = match (&segment.fragments[..], planned) {
                (_, Ok(Ok(()))) => continue,
                // By itself the loop has no other model.
                ([Fragment::Loop(l)], Err(stop)) => self.declined(*l, &stop, outer),
                ([Fragment::Loop(l), ..], Ok(Err(kept))) => {
                    let remark = is_kept(&kept);
                    self.run.remark(&remark, Some(*l), None);
                    Standing::Kept
                }
                ([Fragment::Loop(_), ..], Err(_)) => Standing::Fit(Fit::Alone),
                _ => Standing::Fit(Fit::Never),
            };
            self.set(segment.fragments[0], standing);
            all = false;
        }
        all
    }

    /// Makes each segment a candidate of its own; a single segment is searched inside.
    fn take_apart(&mut self, segments: &[Segment<'w>]) {
        for segment in segments.iter().filter(|segment| segment.has_loops) {
            let first = segment.fragments[0];
            let alone = self.known.get(&Key::of(self.run, first)) == Some(&Standing::Fit(Fit::Alone));
            let fit = match first {
                Fragment::Branch(_) if alone || segments.len() == 1 => Fit::Never,
                _ => Fit::Alone,
            };
            self.set(first, Standing::Fit(fit));
        }
    }

    /// Replaces a region that has a model, if that is worth it and can be planned with so much work.
    fn modelled(&self, scop: &Scop<'w>, hoisted: &mut HoistedLoads<'w, '_>, work: u64) -> Verdict {
        let loops = &scop.ir.region.outermost;
        if self.options.prints(Print::Scop) {
            let names: Vec<String> = loops.iter().map(|l| format!("{l:?}")).collect();
            let place = loops[0].location().map(|l| format!(" at {l}")).unwrap_or_default();
            eprint!("# {}: {}{place}\n{scop}", self.run.function().name(), names.join(", "));
        }
        if self.options.model_only {
            return Verdict::Settled;
        }
        let budget = Budget::new(work);
        let planned = pipeline::plan(self.options, self.run, scop, &budget);
        log::debug!("{loops:?}: plan took {} units of work", work - budget.left());
        match planned {
            Ok(replacement) => {
                let number = self.run.count_region();
                if self.options.limit.is_some_and(|limit| number > limit) {
                    let message = format!("loop nest left as it is: region {number} is above the limit");
                    self.remark_all(loops, &Remark::missed("Limit", message));
                    return Verdict::Settled;
                }
                if self.options.emit {
                    emit(self.run, &scop.ir, hoisted, &replacement.ast, &replacement.guards);
                }
                let mut message = format!("loop nest transformed: {}", replacement.summary);
                if self.options.limit.is_some() {
                    message += &format!(" (region {number}, in {})", self.run.function().name());
                }
                self.remark_all(loops, &Remark::passed("Transformed", message));
                if let Some(assumed) = replacement.assumed {
                    let remark = Remark::analysis("Assumed", format!("checked before the loop nest: {assumed}"));
                    self.run.remark(&remark, Some(loops[0]), None);
                }
                match self.options.emit {
                    true => Verdict::Replaced,
                    false => Verdict::Settled,
                }
            }
            Err(kept) => Verdict::Kept(kept),
        }
    }

    fn remark_all(&self, loops: &[Loop<'w>], remark: &Remark) {
        loops.iter().for_each(|l| self.run.remark(remark, Some(*l), None));
    }
}

/// The remark on a nest that stays as it is, and what would help. Its name in remark files is `stage` and the
/// reason's own, without what differs from nest to nest, so that reasons can be counted.
fn left(stage: &str, name: &str, reason: &dyn Display, advice: Option<String>) -> Remark {
    let name = name.split(['(', ' ']).next().unwrap_or_default();
    let advice = advice.map(|advice| format!("; {advice}")).unwrap_or_default();
    Remark::missed(
        format!("{stage}{name}"),
        format!("loop nest left as it is: {reason}{advice}"),
    )
}

/// The remark on a nest that has no model.
fn has_no_model(stop: &Stop<'_>) -> Remark {
    match stop {
        Stop::Declined(Declined { reason, at }) => {
            left("Declined", &format!("{reason:?}"), reason, advice(reason, *at))
        }
        Stop::OutOfBudget => {
            let advice = Some("take the nest apart".to_owned());
            left("Declined", "OutOfBudget", &"the analysis is too costly", advice)
        }
    }
}

/// The remark on a nest that has a model and is not replaced.
fn is_kept(reason: &Kept) -> Remark {
    left("Kept", &reason.name(), reason, reason.advice().map(str::to_owned))
}

/// Attributes for which a function is left alone: size matters more than speed, the function is hardly executed, or
/// its accesses are instrumented. A guard may read values that the original never looks at, which a sanitizer would
/// report.
const ATTRIBUTES: [&str; 11] = [
    "optnone",
    "minsize",
    "optsize",
    "cold",
    "naked",
    "presplitcoroutine",
    "sanitize_address",
    "sanitize_hwaddress",
    "sanitize_memory",
    "sanitize_thread",
    "sanitize_type",
];

/// Whether the function as a whole may be changed.
fn check_function<'a>(run: &'a Run<'_>) -> Modelled<'a, ()> {
    for attribute in ATTRIBUTES {
        if run.function_has_attribute(attribute) {
            return Err(Reason::Attribute(attribute).into());
        }
    }
    if run.is_never_called() {
        return Err(Reason::NeverCalled.into());
    }
    if run
        .function()
        .blocks()
        .into_iter()
        .any(|block| block.has_address_taken())
    {
        return Err(Reason::LabelAddress.into());
    }
    Ok(())
}
