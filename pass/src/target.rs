//! The machine that a function is planned for.

use crate::options::Options;
use farkas_llvm::Run;
use farkas_plan::target::{ProcessorFacts, Target};
use std::rc::Rc;

/// The target: what the user says, or else the processor that the function is compiled for.
pub(crate) fn target(options: &Options, run: &Run<'_>) -> Rc<Target> {
    let target = match &options.target {
        Some(target) => Rc::clone(target),
        None => Rc::new(of_function(run)),
    };
    log::debug!("target {} with vectors of {} bits", target.name, target.vector.bits);
    target
}

fn of_function(run: &Run<'_>) -> Target {
    let processor = run.processor();
    let facts = ProcessorFacts {
        architecture: processor.architecture,
        tuned_for: Some(processor.tuned_for).filter(|name| !name.is_empty()),
        features: processor.features,
        vector_bits: Some(processor.vector_bits),
        has_chosen_bits: processor.has_chosen_vector_bits,
        vector_registers: Some(processor.vector_registers),
        cache_bytes: processor.cache_bytes,
    };
    Target::for_processor(&processor.name, &facts)
}
