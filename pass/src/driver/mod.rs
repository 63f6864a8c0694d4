//! The driver: one function, candidate region by candidate region.
//!
//! The search starts with the largest candidate regions of the function. A region that has no model, or no gain, is
//! cut at the cause. If that does not help, each of its loops is tried alone. If a single loop is declined, the loops
//! inside it are searched in the same way. Each outermost loop gets one remark in the end; a loop inside a declined
//! one gets none if the cause is the same.
//!
//! A region of several segments is planned as a whole only if each segment gains by itself, and more may be gained by
//! sharing loops between segments. The orders that show the first are kept: if the region is not replaced, its segments are
//! replaced by these.
//!
//! With kernels of a GPU, a region is replaced twice: by kernels, beside which the original runs where the device fails, and then the
//! original by loops for the CPU.
//!
//! Regions with conditions on data around loops come last, outermost loops first: what has a model without [assuming
//! conditions](crate::domain::assumed_conditions) is replaced by then, and gains whatever the data are.
//!
//! A region is replaced as soon as it is planned. That changes the function: all analyses are computed anew and the
//! search starts again. What was found out about loops and blocks is remembered. Replaced loops are marked and not
//! seen again.

mod annotations;
mod attributes;
mod findings;
mod one_order;
mod remarks;
mod report;
mod schedule_files;
mod segments;
mod source_names;

use crate::control::nest::check_structure;
use crate::detect::declined::{Modelled, Reason, Stop};
use crate::detect::errors::Errors;
use crate::detect::fragment::Fragment;
use crate::detect::regions::{Body, Fit, Found, Segment};
use crate::domain::assumed_conditions::ConditionsOnData;
use crate::kernels;
use crate::options::{AssumeConditions, Gpu, Options, Print, Remarks};
use crate::pipeline::{self, Kept, Ordered, Replacement};
use crate::report_file::ModuleReport;
use crate::scop::Scop;
use crate::scop_builder::build_scop;
use crate::target::target;
use crate::verifiers::verify_model;
use annotations::Annotations;
use attributes::check_function;
use farkas_emit::{NewCode, emit};
use farkas_llvm::Run;
use farkas_llvm::canonical_forms::CanonicalForms;
use farkas_llvm::edit::{DONE, ON_DEVICE};
use farkas_llvm::hoisting::HoistedLoads;
use farkas_llvm::loops::Loop;
use farkas_llvm::remarks::Remark;
use farkas_llvm::value::{Block, Value};
use farkas_plan::Fallback;
use farkas_polyhedral::ast::Ast;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::program::Access;
use farkas_polyhedral::sets::Name;
use farkas_polyhedral::tree::{Mark, Tree};
use farkas_report::{Record, RegionReport};
use findings::{Cause, Findings, Standing};
use one_order::has_one_order;
use remarks::{give, has_no_model, is_checked, is_kept, is_transformed};
use source_names::RegionNames;
use std::borrow::Cow;
use std::path::PathBuf;

/// Budget for the model of one loop: more than four times what the costliest of our kernels takes, about a tenth of
/// a second. Regions of more than a loop have half of that, as their loops are tried again where they have no model.
const MODEL_BUDGET: u64 = 300_000;

/// Effort for one function that budgets do not count: analysing it again after each change, and LLVM's own analyses
/// of loops. A unit is about a microsecond.
const FUNCTION_EFFORT: u64 = 3_000_000;

/// Units of effort for each condition that LLVM goes over for a loop.
const GUARD_EFFORT: u64 = 400;

/// Fragments that one unit of effort searches.
const FRAGMENTS_PER_UNIT: u64 = 16;

/// Regions of several segments that are tried in one body. After that, each loop is tried alone.
const ATTEMPTS: usize = 12;

/// Size in instructions of a block outside of loops that is still worth duplicating to join the loops before and
/// after it.
const MOST_CODE: usize = 100;

/// What was decided for a candidate region.
enum Decision<'a> {
    /// New code stands beside it.
    Replaced,
    /// Nothing more is to be done: the options rule out a replacement.
    Settled,
    /// It has a model, and stays as it is for this reason.
    Kept(Kept),
    /// It has a model. Its segments are better planned one by one.
    BySegment,
    /// It has no model.
    NoModel(Stop<'a>),
}

/// What a region consists of, as far as its plan depends on it.
#[derive(Clone, Copy, Debug)]
enum RegionKind<'s, 'a> {
    /// A single loop.
    Loop,
    /// Several segments, which are planned one by one if there is no plan for all of them.
    Segments(&'s [Segment<'a>]),
}

impl RegionKind<'_, '_> {
    /// The plan budget is divided by this number. Half of it is enough for tens of loops, and little beside what segments may take
    /// afterwards.
    fn shares(self) -> u64 {
        match self {
            RegionKind::Loop => 1,
            RegionKind::Segments(_) => 2,
        }
    }

    /// What to do where the loops of the best order cost too much.
    fn fallback(self) -> Fallback {
        match self {
            RegionKind::Loop => Fallback::Simpler,
            RegionKind::Segments(_) => Fallback::Nothing,
        }
    }
}

/// A model, and the hoisted loads that it relies on. They are in the function as long as this value lives.
type Model<'w, 'r> = (Scop<'w>, HoistedLoads<'w, 'r>);

/// Warns of annotations that a function without loops has in vain.
pub(crate) fn check_annotations(run: &Run<'_>) {
    Annotations::of(run);
}

/// Works on all regions of the function.
pub(crate) fn function(options: &Options, report: &mut ModuleReport, run: &mut Run<'_>) {
    let annotations = Annotations::of(run);
    let mut findings = Findings::default();
    let effort = Budget::new(FUNCTION_EFFORT);
    let mut conditions = match options.conditions {
        AssumeConditions::Never | AssumeConditions::Auto => ConditionsOnData::Declined,
        AssumeConditions::Force => ConditionsOnData::Assumed,
    };
    loop {
        let blocks = run.function().blocks();
        let size: usize = blocks.iter().map(|block| block.instructions().len()).sum();
        let mut walk = RegionSearch {
            options,
            run,
            annotations: &annotations,
            errors: Errors::new(&blocks),
            findings: &mut findings,
            conditions,
            report,
            kept: None,
            is_vague: false,
            effort: &effort,
        };
        if effort.spend(size as u64).is_err() {
            walk.give_up();
            break;
        }
        let forms = CanonicalForms::new(run);
        let is_replaced = walk.body(None, None);
        drop(forms);
        if is_replaced {
            run.refresh();
            continue;
        }
        if effort.left() == 0 {
            walk.give_up();
            break;
        }
        match conditions {
            ConditionsOnData::Declined if assumes_later(options) && findings.forget_conditions_on_data() => {
                conditions = ConditionsOnData::Assumed;
            }
            _ => break,
        }
    }
}

/// Whether nests with conditions on data around loops are looked at again when all others are done.
fn assumes_later(options: &Options) -> bool {
    options.conditions == AssumeConditions::Auto
}

/// One walk over the regions of a function.
struct RegionSearch<'w, 'r> {
    options: &'w Options,
    run: &'w Run<'r>,
    /// What the source asks for.
    annotations: &'w Annotations,
    errors: Errors<'w>,
    /// Results of this search and of earlier ones.
    findings: &'w mut Findings,
    /// What becomes of conditions on data around loops.
    conditions: ConditionsOnData,
    /// What is said of the module's regions, if there is to be a report.
    report: &'w mut ModuleReport,
    /// What to say of the region that was decided on last, if it has a model and stays as it is.
    kept: Option<RegionReport>,
    /// Whether less is known in the model of that region than in those of loops inside.
    is_vague: bool,
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
            if self.effort.spend(1 + body.len() as u64 / FRAGMENTS_PER_UNIT).is_err() {
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
    fn give_up(&mut self) {
        let run = self.run;
        for l in run.loops() {
            let standing = self.findings.standing(run, Fragment::Loop(l));
            if !l.has_attribute(DONE) && !matches!(standing, Some(Standing::Kept | Standing::Declined(_))) {
                self.remark_no_model(l, &Reason::LargeFunction.into());
            }
        }
    }

    fn inside(&mut self, l: Loop<'w>) -> bool {
        match self.findings.standing(self.run, Fragment::Loop(l)) {
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
        match self.findings.standing(self.run, fragment) {
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
        self.set(fragment, Standing::Fit(fit));
        fit
    }

    fn set(&mut self, fragment: Fragment<'w>, standing: Standing) {
        self.findings.set_standing(self.run, fragment, standing);
    }

    /// The model of a region, or why it stays as it is whatever its model says.
    fn model(&self, fragments: &[Fragment<'w>]) -> Modelled<'w, Result<Model<'w, 'r>, Kept>> {
        let work = match fragments {
            [Fragment::Loop(_)] => MODEL_BUDGET,
            _ => MODEL_BUDGET / 2,
        };
        let budget = Budget::new(work);
        let loops = fragments.iter().filter_map(|fragment| match fragment {
            Fragment::Loop(l) => Some(*l),
            _ => None,
        });
        let guards: usize = loops.map(|l| self.run.guards_of(l)).sum();
        if self.effort.spend(GUARD_EFFORT * guards as u64).is_err() {
            return Err(Reason::LargeFunction.into());
        }
        check_function(self.run)?;
        if loops_of(fragments).into_iter().any(has_replaced) {
            return Err(Reason::Done.into());
        }
        self.annotations.check(self.run, fragments)?;
        if !self.needs_model() && has_one_order(self.run, fragments) {
            return Ok(Err(farkas_plan::Kept::one_order().into()));
        }
        let outcome = build_scop(self.run, &self.errors, fragments, self.conditions, &budget);
        log::debug!("{fragments:?}: model took {} units of work", work - budget.left());
        if let (Ok((scop, _)), true) = (&outcome, self.options.verify) {
            verify_model(self.run, scop);
        }
        outcome.map(Ok)
    }

    /// Whether models are asked for, or replacements that are not expected to gain on one thread.
    fn needs_model(&self) -> bool {
        let options = self.options;
        let in_files = options.export.is_some() || options.import.is_some() || options.report.is_some();
        options.model_only
            || options.gpu != Gpu::Never
            || in_files
            || self.annotations.have_steps()
            || !options.print.is_empty()
            || !pipeline::takes_only_gains(options)
    }

    /// Replaces a single loop, which `fragments` are, if it has a model and that is worth it; says what was done,
    /// or why not.
    fn single(&mut self, l: Loop<'w>, fragments: &[Fragment<'w>], outer: Option<&Cause>) -> bool {
        let standing = match self.decide(fragments, RegionKind::Loop) {
            Decision::Replaced => return true,
            Decision::Settled | Decision::BySegment => Standing::Kept,
            Decision::Kept(reason) => self.kept(l, &reason),
            Decision::NoModel(stop) => self.declined(l, &stop, outer),
        };
        self.set(Fragment::Loop(l), standing);
        false
    }

    /// Says why a loop with a model stays as it is.
    fn kept(&mut self, l: Loop<'w>, reason: &Kept) -> Standing {
        self.remark_kept(reason, l);
        match self.is_vague || *reason == Kept::Plan(farkas_plan::Kept::OutOfBudget) {
            true => Standing::Declined(Cause::NoGainTogether),
            false => Standing::Kept,
        }
    }

    /// Whether conditions are parameters in a model, or some accesses may be to any element.
    pub(super) fn is_vague(&self, scop: &Scop<'w>) -> bool {
        let is_any = |access: &Access| {
            let n = access.relation.range_tuple().n();
            access.relation.pieces().iter().any(|piece| piece.eqs().len() < n)
        };
        let mut accesses = scop.program.statements.iter().flat_map(|statement| &statement.accesses);
        scop.ir.parameters.iter().any(|own| self.run.bits(own.value) == 1) || accesses.any(is_any)
    }

    /// Says why a loop has no model by itself, but for what was said of the loop around it.
    fn declined(&mut self, l: Loop<'w>, stop: &Stop<'w>, outer: Option<&Cause>) -> Standing {
        let cause = match stop {
            Stop::Declined(declined) => Cause::Declined {
                reason: declined.reason.clone(),
                at: declined.at.map(|at| self.run.identity(at)),
            },
            Stop::OutOfBudget => Cause::OutOfBudget,
        };
        let was_replaced = matches!(&cause, Cause::Declined { reason, .. } if *reason == Reason::Done);
        let comes_again = self.conditions == ConditionsOnData::Declined
            && assumes_later(self.options)
            && cause.is_condition_on_data();
        if !was_replaced && !comes_again && outer != Some(&cause) {
            self.remark_no_model(l, stop);
        }
        Standing::Declined(cause)
    }

    /// Replaces a region if it has a model and that is worth it.
    fn decide(&mut self, fragments: &[Fragment<'w>], kind: RegionKind<'_, 'w>) -> Decision<'w> {
        self.kept = None;
        self.is_vague = false;
        let (scop, mut hoisted) = match self.model(fragments) {
            Ok(Ok(model)) => model,
            Ok(Err(kept)) => return Decision::Kept(kept),
            Err(stop) => return Decision::NoModel(stop),
        };
        self.is_vague = self.is_vague(&scop);
        let is_fallback = scop.ir.loops.iter().any(|l| l.handle.has_attribute(ON_DEVICE));
        if self.options.gpu != Gpu::Never && !self.options.model_only && !is_fallback {
            let record = Record::default();
            match kernels::replacement(self.options, self.run, &scop, &record) {
                Ok(replacement) => {
                    self.print(&scop);
                    return self.replace(&scop, &mut hoisted, &replacement, record);
                }
                Err(kept) => {
                    let remark = Remark::missed("NoKernels", "loop nest")
                        .text(" not run on a GPU: ")
                        .argument("Reason", kept.to_string());
                    self.remark(remark, scop.ir.region.outermost[0], None);
                }
            }
        }
        let record = Record::default();
        if let Some(replacement) = self.by_hand(&scop, &record) {
            self.print(&scop);
            return self.replace(&scop, &mut hoisted, &replacement, record);
        }
        if self.is_better_apart(&scop, kind) {
            return Decision::BySegment;
        }
        self.print(&scop);
        if self.options.model_only {
            return Decision::Settled;
        }
        let options = self.options_of(&scop);
        let replacement = self
            .order(fragments, &scop, kind, &record)
            .and_then(|order| pipeline::replacement(&options, self.run, &scop, order, kind.fallback(), &record));
        let tree = replacement.as_ref().ok().and_then(|new| new.tree.as_ref());
        self.export(&scop, tree);
        match replacement {
            Ok(replacement) => self.replace(&scop, &mut hoisted, &replacement, record),
            Err(kept) => {
                self.note_kept(&scop, &kept, record);
                Decision::Kept(kept)
            }
        }
    }

    /// Whether the orders of segments are known, and an order of all of them gains nothing over these.
    fn is_better_apart(&self, scop: &Scop<'w>, kind: RegionKind<'_, 'w>) -> bool {
        let RegionKind::Segments(segments) = kind else {
            return false;
        };
        let with_loops = || segments.iter().filter(|segment| segment.has_loops);
        let known: Option<Vec<f64>> = with_loops()
            .map(|segment| self.findings.cycles(self.run, segment))
            .collect();
        let Some(cycles) = known.filter(|known| known.len() > 1) else {
            return false;
        };
        let of_segment = |segment: &Segment<'w>| {
            let is_in = |block: &Block<'w>| segment.fragments.iter().any(|fragment| fragment.overlaps(*block));
            let statements = scop.ir.statements.iter().zip(&scop.program.statements);
            let own = statements.filter(|(ir, _)| ir.blocks.iter().any(is_in));
            own.map(|(_, statement)| statement.name().clone()).collect()
        };
        let nests: Vec<Vec<Name>> = with_loops().map(of_segment).collect();
        let options = self.options_of(scop);
        let together = pipeline::gains_together(&options, self.run, scop, &nests, cycles.iter().sum());
        !together.unwrap_or(true)
    }

    /// The order that was found for these fragments before, or a new one.
    fn order(
        &mut self,
        fragments: &[Fragment<'w>],
        scop: &Scop<'w>,
        kind: RegionKind<'_, 'w>,
        record: &Record,
    ) -> Result<Ordered, Kept> {
        if let Some(order) = self.findings.take_order(self.run, fragments, &scop.program) {
            return Ok(order);
        }
        let options = self.options_of(scop);
        let work = pipeline::work(&options, scop) / kind.shares();
        pipeline::find_order(&options, self.run, scop, work).map_err(|(kept, stages)| {
            stages.print(record);
            kept
        })
    }

    /// The file with the schedule tree by hand of the region with these outermost loops, if there is one.
    fn file_by_hand(&self, loops: &[Loop<'w>]) -> Option<PathBuf> {
        let folder = self.options.import.as_ref()?;
        let file = schedule_files::tree_file(folder, &schedule_files::name(self.run, loops)?);
        file.exists().then_some(file)
    }

    /// Whether a loop of a segment has a schedule by hand, if it is taken by itself.
    fn is_by_hand(&self, segment: &Segment<'w>) -> bool {
        let own = loops_of(&segment.fragments);
        own.iter().any(|l| self.file_by_hand(&[*l]).is_some())
    }

    /// The replacement of a region by its schedule by hand, or that of an annotation. A warning says why a schedule is not taken.
    fn by_hand(&self, scop: &Scop<'w>, record: &Record) -> Option<Replacement> {
        let outermost = &scop.ir.region.outermost;
        let replacement = |tree: &Tree| {
            let replacement = pipeline::replacement_by_hand(self.options, self.run, scop, tree, record);
            replacement.map_err(|why| {
                let places = schedule_files::Statements(scop).named_in(&why);
                format!("{why}{places}")
            })
        };
        if let Some(file) = self.file_by_hand(outermost) {
            let at_file = |why| format!("{}: {why}", file.display());
            let new = schedule_files::read(&file).and_then(|tree| replacement(&tree).map_err(at_file));
            let warn = |why: &String| self.run.warning(&format!("schedule not taken: {why}"));
            return new.inspect_err(warn).ok();
        }
        let steps = self.annotations.of_region(self.run, outermost)?.steps.as_ref()?;
        let tree = steps.order(&scop.program).map_err(|none| none.to_string());
        let new = tree.and_then(|tree| replacement(&tree));
        let warn = |why: &String| self.annotations.warn_not_taken(self.run, outermost, why);
        new.inspect_err(warn).ok()
    }

    /// The options for a region, with the sizes of tiles that the source gives.
    fn options_of(&self, scop: &Scop<'w>) -> Cow<'w, Options> {
        let requests = self.annotations.of_region(self.run, &scop.ir.region.outermost);
        match requests.and_then(|requests| requests.tile_sizes.clone()) {
            Some(sizes) => Cow::Owned(Options {
                tile: Some(sizes),
                ..self.options.clone()
            }),
            None => Cow::Borrowed(self.options),
        }
    }

    /// Writes a region to files, with its plan if a schedule tree can say all of it, if the user asks for that.
    fn export(&self, scop: &Scop<'w>, plan: Option<&Tree>) {
        let Some(folder) = &self.options.export else { return };
        let loops = &scop.ir.region.outermost;
        let Some(name) = schedule_files::name(self.run, loops) else {
            let message = "loop nest not exported: it has no debug location; -gline-tables-only gives it one";
            self.run
                .remark(&Remark::missed("NoLocation", message), Some(loops[0]), None);
            return;
        };
        if let Err(why) = schedule_files::write(folder, &name, scop, plan) {
            self.run.warning(&why);
        }
    }

    /// Prints a model, if the user asks for that.
    fn print(&self, scop: &Scop<'w>) {
        if !self.options.prints(Print::Scop) {
            return;
        }
        let loops = &scop.ir.region.outermost;
        let names: Vec<String> = loops.iter().map(|l| format!("{l:?}")).collect();
        let place = loops[0].location().map(|l| format!(" at {l}")).unwrap_or_default();
        eprint!("# {}: {}{place}\n{scop}", self.run.function().name(), names.join(", "));
    }

    /// Emits a replacement, unless an option rules that out, and says what is done.
    fn replace(
        &mut self,
        scop: &Scop<'w>,
        hoisted: &mut HoistedLoads<'w, '_>,
        replacement: &Replacement,
        stages: Record,
    ) -> Decision<'w> {
        let loops = &scop.ir.region.outermost;
        let number = self.run.count_region();
        if self.options.limit.is_some_and(|limit| number > limit) {
            let reason = format!("region {number} is above the limit");
            let remark = Remark::missed("Limit", "loop nest")
                .text(" left as it is: ")
                .argument("Reason", reason);
            loops.iter().for_each(|l| self.remark(remark.clone(), *l, None));
            self.add_to_report(|run| RegionReport {
                stages,
                ..report::above_limit(run, scop, number)
            });
            return Decision::Settled;
        }
        // Emission changes the function that names are taken from.
        let names = match self.run.remarks_enabled() || self.options.report.is_some() {
            true => RegionNames::of(self.run, scop),
            false => RegionNames::default(),
        };
        let is_done = self.options.emit;
        let region = self.options.report.is_some().then(|| RegionReport {
            stages,
            ..report::transformed(self.run, scop, replacement, &names, is_done)
        });
        if self.options.emit {
            let region = (&scop.ir, &scop.program);
            let new = NewCode {
                ast: &replacement.ast,
                alone: replacement.alone.as_ref(),
                guards: &replacement.guards,
                expansions: &replacement.expansions,
                packed: &replacement.packed,
                node_splitting: replacement.node_splitting.as_ref(),
                threads: replacement.threads.as_ref(),
                device: replacement.device.as_ref(),
            };
            emit(self.run, region, hoisted, &new);
            let has_lanes = |ast: &Ast| ast.root.has_mark(&|mark| matches!(mark, Mark::Vector { .. }));
            if (has_lanes(&replacement.ast) || replacement.alone.as_ref().is_some_and(has_lanes))
                && let Some(bits) = target(self.options, self.run).vector.bits_of_lanes
            {
                self.run.allow_vectors(bits);
            }
        }
        if self.run.remarks_enabled() {
            self.remark_replaced(scop, replacement, &names, number);
        }
        if let Some(region) = region {
            self.add_to_report(|_| region);
        }
        match self.options.emit {
            true => Decision::Replaced,
            false => Decision::Settled,
        }
    }

    /// Says what is done with a nest that is replaced.
    fn remark_replaced(&mut self, scop: &Scop<'w>, replacement: &Replacement, names: &RegionNames, number: u64) {
        let (loops, is_done) = (&scop.ir.region.outermost, self.options.emit);
        let mut remark = is_transformed(replacement, names, is_done);
        if self.options.limit.is_some() {
            remark = remark.text(format!(" (region {number}, in {})", self.run.function().name()));
        }
        loops.iter().for_each(|l| self.remark(remark.clone(), *l, None));
        if let Some(remark) = is_checked(scop, replacement, names, is_done) {
            self.remark(remark, loops[0], None);
        }
    }

    /// Remembers what a report says of a region that has a model and stays as it is, should that be the last word on it.
    fn note_kept(&mut self, scop: &Scop<'w>, why: &Kept, stages: Record) {
        if self.options.report.is_some() {
            self.kept = Some(report::kept(self.run, scop, why, stages));
        }
    }

    /// Adds a region to the report, if there is to be one.
    fn add_to_report(&mut self, region: impl FnOnce(&'w Run<'r>) -> RegionReport) {
        if let Some(folder) = &self.options.report {
            self.report.add(folder, self.run, region(self.run));
        }
    }

    /// Adds a region that stays as it is to the report, if there is to be one, and the region is the user's or all are asked for.
    fn add_missed_to_report(&mut self, l: Loop<'w>, region: impl FnOnce(&'w Run<'r>) -> RegionReport) {
        let is_in_library = || {
            self.run
                .remark_site(Some(l), None)
                .is_some_and(|site| site.is_in_library)
        };
        if self.options.report.is_some() && (self.options.remarks == Remarks::All || !is_in_library()) {
            self.add_to_report(region);
        }
    }

    fn remark_no_model(&mut self, l: Loop<'w>, stop: &Stop<'w>) {
        self.add_missed_to_report(l, |run| report::declined(run, l, stop));
        if self.run.remarks_enabled() {
            self.remark(has_no_model(self.run, l, stop), l, stop.cause());
        }
    }

    fn remark_kept(&mut self, reason: &Kept, l: Loop<'w>) {
        let known = self.kept.take();
        self.add_missed_to_report(l, |run| known.unwrap_or_else(|| report::kept_loops(run, &[l], reason)));
        if self.run.remarks_enabled()
            && let Some(remark) = is_kept(self.options, reason)
        {
            self.remark(remark, l, None);
        }
    }

    fn remark(&mut self, remark: Remark, l: Loop<'w>, at: Option<Value<'w>>) {
        give(self.options, self.run, self.findings, remark, (l, at));
    }
}

/// Whether a loop was replaced, or one inside.
fn has_replaced(l: Loop<'_>) -> bool {
    l.has_attribute(DONE) || l.children().into_iter().any(has_replaced)
}

/// The loops among fragments.
fn loops_of<'a>(fragments: &[Fragment<'a>]) -> Vec<Loop<'a>> {
    let loops = fragments.iter().filter_map(|fragment| match fragment {
        Fragment::Loop(l) => Some(*l),
        Fragment::Phis(_) | Fragment::Code(_) | Fragment::Branch(_) => None,
    });
    loops.collect()
}
