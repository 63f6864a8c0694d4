//! Remarks on nests that stay as they are.

use crate::detect::advice::advice;
use crate::detect::declined::{Declined, Stop};
use crate::pipeline::Kept;
use farkas_llvm::remarks::Remark;
use std::fmt::Display;

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
pub(super) fn has_no_model(stop: &Stop<'_>) -> Remark {
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
pub(super) fn is_kept(reason: &Kept) -> Remark {
    left("Kept", &reason.name(), reason, reason.advice().map(str::to_owned))
}
