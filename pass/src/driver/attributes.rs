//! Functions that are left alone as a whole.

use crate::detect::declined::{Modelled, Reason};
use farkas_llvm::Run;

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
pub(super) fn check_function<'a>(run: &'a Run<'_>) -> Modelled<'a, ()> {
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
