//! Verifiers of what stages give: for tests, with `-farkas-verify`.
//!
//! What is found wrong is an error, with which the compilation fails. The search for a plan has checked its order already; here the
//! whole plan is checked, as it is emitted. LLVM's verifier looks at the new code in any case.

use crate::scop::Scop;
use farkas_llvm::Run;
use farkas_plan::{KernelPlan, Plan, check_order, check_plan};
use farkas_polyhedral::budget::{Budget, OutOfBudget};
use std::fmt::Display;

/// Work for one verifier, in units of the budget: about two seconds. What takes more is not looked at to the end.
const WORK: u64 = 5_000_000;

/// Verifies a model, and its program.
pub(crate) fn verify_model(run: &Run<'_>, scop: &Scop<'_>) {
    if let Err(malformed) = scop.verify(&Budget::new(WORK)) {
        report(run, "model is not well-formed", &malformed);
    }
}

/// Verifies a plan for a model.
pub(crate) fn verify_plan(run: &Run<'_>, scop: &Scop<'_>, plan: &Plan) {
    match check_plan(&scop.program, plan, &Budget::new(WORK)) {
        Ok(Ok(())) | Err(OutOfBudget) => {}
        Ok(Err(refusal)) => report(run, "plan is not legal", &refusal),
    }
}

/// Verifies a plan of kernels for a model.
pub(crate) fn verify_kernels(run: &Run<'_>, scop: &Scop<'_>, plan: &KernelPlan) {
    match check_order(&scop.program, &plan.order(), &Budget::new(WORK)) {
        Ok(Ok(())) | Err(OutOfBudget) => {}
        Ok(Err(refusal)) => report(run, "plan of kernels is not legal", &refusal),
    }
}

fn report(run: &Run<'_>, wrong: &str, why: &dyn Display) {
    run.error(&format!(
        "farkas: verifier: {}: the {wrong}: {why}",
        run.function().name()
    ));
}
