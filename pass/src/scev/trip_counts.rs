//! Trip counts that may be negative numbers in the model.
//!
//! Parameters are signed. A loop that runs `size_t n` times is guarded by `n != 0`, which also holds for a negative
//! `n`. Telling the two cases apart takes two conjunctions in place of one, and four for two such loops. The new code
//! is not meant for so many iterations. So `n >= 0` is assumed as soon as the parameter `n` exists, even where the
//! loop may not be reached.
//!
//! Only loops with a single exit test are treated like this. Where one of several tests compares for equality, as in
//! `if (i == limit) break;`, a negative number means that there is no limit.

use crate::control::nest::Nest;
use farkas_llvm::Run;
use farkas_llvm::scev::{Scev, ScevKind};
use std::collections::HashSet;

/// The trip counts of the region that may be negative when it is entered.
pub(crate) fn unsigned_trip_counts<'a>(run: &'a Run<'_>, nest: &Nest<'a>) -> HashSet<Scev<'a>> {
    let mut counts = HashSet::new();
    for l in &nest.loops {
        let [test] = l.exiting[..] else { continue };
        let count = run.exit_count(l.handle, test);
        if count.kind() == ScevKind::CouldNotCompute {
            continue;
        }
        let count = counted(count);
        // One that is compared with the counter as a signed number is known not to be.
        if !run.is_non_negative(count, l.handle) {
            counts.insert(count);
        }
    }
    counts
}

/// The bound that the counter is compared with, without constants added to it, in a loop whose back edge is taken
/// `back` times.
fn counted(back: Scev<'_>) -> Scev<'_> {
    match back.kind() {
        ScevKind::ZeroExtend(narrow) => counted(narrow),
        ScevKind::UDiv(all, _) => counted(all),
        ScevKind::Add(terms, _) => match terms[..] {
            [one, other] if matches!(one.kind(), ScevKind::Constant(c) if c < 0) => counted(other),
            _ => back,
        },
        _ => back,
    }
}
