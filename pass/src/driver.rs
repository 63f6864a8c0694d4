//! One function, loop nest by loop nest.
//!
//! Every outermost loop is looked at; if it is declined, so are the loops inside, in turn. Each nest looked at gets one
//! remark; a nest inside a declined one that is declined for the same cause gets none of its own.

use crate::model::declined::{Declined, Reason};
use crate::model::scop::Scop;
use crate::options::{Options, Print};
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::remarks::Remark;
use farkas_polyhedral::budget::Budget;

/// The work that is allowed for the model of one nest.
const MODEL_BUDGET: u64 = 20_000_000;

/// Works on all nests of the function.
pub(crate) fn function(options: &Options, run: &mut Run<'_>) {
    for outermost in run.loops() {
        nest(options, run, outermost, None);
    }
}

fn nest<'a>(options: &Options, run: &'a Run<'_>, outermost: Loop<'a>, outer: Option<&Declined<'a>>) {
    let budget = Budget::new(MODEL_BUDGET);
    let outcome = check_function(run).and_then(|()| Scop::new(run, outermost, &budget));
    log::debug!("{outermost:?}: {} units of work", MODEL_BUDGET - budget.left());
    match outcome {
        Ok(scop) => {
            if options.prints(Print::Scop) {
                let place = outermost.location().map(|l| format!(" at {l}")).unwrap_or_default();
                eprint!("{}: {outermost:?}{place}\n{scop}", run.function().name());
            }
        }
        Err(declined) => {
            if declined.reason != Reason::Done && outer != Some(&declined) {
                let remark = Remark::missed(c"Declined", format!("loop nest left as it is: {}", declined.reason));
                run.remark(&remark, Some(outermost), declined.at);
            }
            outermost.children().into_iter().for_each(|child| nest(options, run, child, Some(&declined)));
        }
    }
}

/// Whether the function as a whole may be changed.
fn check_function<'a>(run: &'a Run<'_>) -> Result<(), Declined<'a>> {
    for attribute in ["optnone", "naked", "presplitcoroutine"] {
        if run.function_has_attribute(attribute) {
            return Err(Reason::Attribute(attribute).into());
        }
    }
    if run.function().blocks().into_iter().any(|block| block.has_address_taken()) {
        return Err(Reason::LabelAddress.into());
    }
    Ok(())
}
