//! Numbers of iterations of which the program does not say that they are not negative.
//!
//! Parameters are signed. A loop that runs `size_t n` times is guarded by `n != 0`, which holds for a negative `n`, too; to tell the
//! two cases apart takes two conjunctions wherever there was one, and four for two such loops. The new code is not for loops that
//! run so often: that `n` is not negative is assumed as soon as there is the parameter, also where the loop may not be reached.
//!
//! That is for loops with a single test. Where one of several compares for equality, as in `if (i == limit) break;`, a negative
//! number says that there is no limit.

use crate::control::nest::Nest;
use farkas_llvm::Run;
use farkas_llvm::scev::{Scev, ScevKind};
use std::collections::HashSet;

/// The numbers after which loops of the nest end, and which may be negative where these are entered.
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

/// What the counter is compared with, but for what is added to it, in a loop whose back edge is taken so often.
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
