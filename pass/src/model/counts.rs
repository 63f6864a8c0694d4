//! Numbers of iterations that the program has as unsigned numbers.
//!
//! Parameters are signed. A loop that runs `size_t n` times is guarded by `n != 0`, which a negative `n` would be, too; to tell the
//! two cases apart takes two conjunctions wherever there was one, and four for two such loops. No loop runs so often: that `n` is
//! not negative is assumed as soon as there is the parameter.

use super::nest::Nest;
use farkas_llvm::Run;
use farkas_llvm::scev::{Scev, ScevKind};
use std::collections::HashSet;

/// The expressions after which loops of the nest end, of which only that they do not run so often says that they are not
/// negative.
pub(super) fn unsigned<'a>(run: &'a Run<'_>, nest: &Nest<'a>) -> HashSet<Scev<'a>> {
    let mut counts = HashSet::new();
    for l in &nest.loops {
        for block in &l.exiting {
            let count = run.exit_count(l.handle, *block);
            if count.kind() == ScevKind::CouldNotCompute {
                continue;
            }
            let count = counted(count);
            // A signed bound is known to be positive where its loop is entered.
            if !run.is_non_negative(count, l.handle) {
                counts.insert(count);
            }
        }
    }
    counts
}

/// What is compared with the counter of a loop whose back edge is taken so often.
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
