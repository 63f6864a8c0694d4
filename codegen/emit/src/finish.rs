//! What is done to innermost loops of Farkas last of all, behind the vectorizer and in front of code generation.

use farkas_llvm::Run;
use farkas_llvm::edit::DONE;
use farkas_llvm::loops::Loop;

use crate::{addresses, masked_stores};

/// Rebases addresses, keeps stores whole and branches around masked ones in all innermost loops that are marked as Farkas's.
pub fn finish_loops(run: &Run<'_>) {
    let branches = masked_stores::are_slow(run);
    let done: Result<(), std::convert::Infallible> = run.atomically(|| {
        for l in innermost(run.loops()) {
            if l.has_attribute(DONE)
                && let Some(preheader) = run.preheader(l)
            {
                addresses::rebase(run, l, preheader);
                masked_stores::keep_whole(run, l);
                if branches {
                    masked_stores::branch_around(run, l);
                }
            }
        }
        Ok(())
    });
    match done {
        Ok(()) => {}
        Err(never) => match never {},
    }
}

fn innermost<'a>(loops: Vec<Loop<'a>>) -> Vec<Loop<'a>> {
    let below = |l: Loop<'a>| match l.children() {
        children if children.is_empty() => vec![l],
        children => innermost(children),
    };
    loops.into_iter().flat_map(below).collect()
}
