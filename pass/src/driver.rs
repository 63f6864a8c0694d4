//! One function, loop nest by loop nest.
//!
//! Every outermost loop is looked at; if it is declined, so are the loops inside, in turn. Each nest looked at gets one
//! remark; a nest inside a declined one that is declined for the same cause gets none of its own.
//!
//! A nest is replaced as soon as it is planned. That changes the function, so the analyses are computed anew and the walk
//! starts again: it remembers, for the nests in the order in which it comes to them, what became of each. Nests that were
//! replaced are marked and not seen again.

use crate::model::declined::{Declined, Reason};
use crate::model::scop::Scop;
use crate::options::{Options, Print};
use crate::pipeline;
use farkas_codegen::emit::emit;
use farkas_llvm::Run;
use farkas_llvm::invariant::StandIns;
use farkas_llvm::loops::Loop;
use farkas_llvm::remarks::Remark;
use farkas_polyhedral::budget::Budget;
use std::fmt::{Debug, Display};

/// The work that is allowed for the model of one nest, in units of the budget.
const MODEL_BUDGET: u64 = 2_000_000;

/// The work that is allowed for all stages after the model, for one nest: about ten times what the costliest of our
/// kernels takes, and a few seconds.
const PLAN_BUDGET: u64 = 4_000_000;

/// What became of a nest that was not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// It has no model; the loops inside were looked at.
    Declined,
    /// It has a model and stays as it is.
    Kept,
}

/// Works on all nests of the function.
pub(crate) fn function(options: &Options, run: &mut Run<'_>) {
    let mut known: Vec<Outcome> = Vec::new();
    while (Walk {
        options,
        run,
        known: &mut known,
        position: 0,
    })
    .replaces_one()
    {
        run.refresh();
    }
}

/// One walk over the nests of a function.
struct Walk<'w, 'r> {
    options: &'w Options,
    run: &'w Run<'r>,
    /// What became of the nests in earlier walks.
    known: &'w mut Vec<Outcome>,
    /// How many nests this walk has come to.
    position: usize,
}

impl<'w> Walk<'w, '_> {
    /// Goes on from where the last walk ended; true as soon as a nest is replaced.
    fn replaces_one(&mut self) -> bool {
        self.run.loops().into_iter().any(|outermost| self.nest(outermost, None))
    }

    fn nest(&mut self, outermost: Loop<'w>, outer: Option<&Declined<'w>>) -> bool {
        if outermost.has_attribute(farkas_llvm::edit::DONE) {
            return false;
        }
        let position = self.position;
        self.position += 1;
        match self.known.get(position) {
            Some(Outcome::Kept) => return false,
            Some(Outcome::Declined) => return outermost.children().into_iter().any(|child| self.nest(child, outer)),
            None => {}
        }
        let budget = Budget::new(MODEL_BUDGET);
        let outcome = check_function(self.run).and_then(|()| Scop::new(self.run, outermost, &budget));
        log::debug!(
            "{outermost:?}: model took {} units of work",
            MODEL_BUDGET - budget.left()
        );
        match outcome {
            Ok((scop, mut stand_ins)) => {
                let replaced = self.modelled(outermost, &scop, &mut stand_ins);
                if !replaced {
                    self.known.push(Outcome::Kept);
                }
                replaced
            }
            Err(declined) => {
                if declined.reason != Reason::Done && outer != Some(&declined) {
                    let remark = left("Declined", &declined.reason);
                    self.run.remark(&remark, Some(outermost), declined.at);
                }
                self.known.push(Outcome::Declined);
                outermost
                    .children()
                    .into_iter()
                    .any(|child| self.nest(child, Some(&declined)))
            }
        }
    }

    /// Replaces a nest that has a model, if that is worth it; says what was done, or why not.
    fn modelled(&self, outermost: Loop<'w>, scop: &Scop<'w>, stand_ins: &mut StandIns<'w, '_>) -> bool {
        if self.options.prints(Print::Scop) {
            let place = outermost.location().map(|l| format!(" at {l}")).unwrap_or_default();
            eprint!("{}: {outermost:?}{place}\n{scop}", self.run.function().name());
        }
        if self.options.model_only {
            return false;
        }
        let budget = Budget::new(PLAN_BUDGET);
        let planned = pipeline::plan(self.options, self.run, scop, &budget);
        log::debug!("{outermost:?}: plan took {} units of work", PLAN_BUDGET - budget.left());
        match planned {
            Ok(replacement) => {
                let number = self.run.count_region();
                if self.options.limit.is_some_and(|limit| number > limit) {
                    let remark = Remark::missed(
                        "Limit",
                        format!("loop nest left as it is: region {number} is above the limit"),
                    );
                    self.run.remark(&remark, Some(outermost), None);
                    return false;
                }
                if self.options.emit {
                    emit(self.run, &scop.region, stand_ins, &replacement.ast, &replacement.guards);
                }
                let mut message = format!("loop nest transformed: {}", replacement.summary);
                if self.options.limit.is_some() {
                    message += &format!(" (region {number}, in {})", self.run.function().name());
                }
                self.run
                    .remark(&Remark::passed("Transformed", message), Some(outermost), None);
                self.options.emit
            }
            Err(kept) => {
                let remark = left("Kept", &kept);
                self.run.remark(&remark, Some(outermost), None);
                false
            }
        }
    }
}

/// The remark on a nest that stays as it is. Its name in remark files is `stage` and the reason's own, without what differs
/// from nest to nest, so that reasons can be counted.
fn left(stage: &str, reason: &(impl Debug + Display)) -> Remark {
    let variant = format!("{reason:?}");
    let name = variant.split(['(', ' ']).next().unwrap_or_default();
    Remark::missed(format!("{stage}{name}"), format!("loop nest left as it is: {reason}"))
}

/// Whether the function as a whole may be changed.
fn check_function<'a>(run: &'a Run<'_>) -> Result<(), Declined<'a>> {
    for attribute in ["optnone", "naked", "presplitcoroutine"] {
        if run.function_has_attribute(attribute) {
            return Err(Reason::Attribute(attribute).into());
        }
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
