//! Loops that plainly have one order, without a model.
//!
//! Most loops of real code are like this one:
//!
//! ```c
//! for (long i = 0; i < n; i++)
//!   a[i] = b[i] * s;
//! ```
//!
//! It has no loop inside, and one effect: a store, or a value that an iteration hands to the next one. Its model has a single statement in a
//! single loop, which planning leaves alone. What is found here is found again by planning where there is a model; here it takes no model.

use crate::annotate::distinguishes_cases;
use crate::detect::fragment::Fragment;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use farkas_llvm::types::TypeKind;
use farkas_llvm::value::Value;

/// Whether no order of the region's loops is possible but that of the source, and LLVM may vectorize them as it may vectorize new loops.
pub(crate) fn has_one_order<'a>(run: &'a Run<'_>, fragments: &[Fragment<'a>]) -> bool {
    fragments.iter().all(|fragment| match fragment {
        Fragment::Loop(l) => is_plain(run, *l),
        Fragment::Phis(_) | Fragment::Code(_) | Fragment::Branch(_) => true,
    })
}

/// Whether a loop that is counted has no loops inside, no branches, and a single effect.
fn is_plain<'a>(run: &'a Run<'_>, l: Loop<'a>) -> bool {
    let exiting = l.exiting_blocks();
    let [exiting] = exiting[..] else { return false };
    let blocks = l.blocks();
    let mut others = blocks.iter().filter(|block| **block != exiting);
    if !l.children().is_empty() || others.any(|block| block.successors().len() != 1) {
        return false;
    }
    let test = exiting.terminator().condition();
    let instructions: Vec<Value<'a>> = blocks.iter().flat_map(|block| block.instructions()).collect();
    let mut known = instructions.iter().filter(|i| Some(**i) != test);
    known.all(|i| i.facts().droppable() || is_plain_access(*i) || i.facts().pure() && !depends_on_cases(*i))
        && run.exit_count(l, exiting).kind() != ScevKind::CouldNotCompute
        && effects(run, l, &instructions) <= 1
        && reads_what_it_writes_in_place(run, l, &instructions)
}

fn is_plain_access(i: Value<'_>) -> bool {
    i.is_load_or_store() && !i.facts().is_volatile() && !i.is_atomic()
}

/// Whether new code may do without an integer operation.
fn depends_on_cases(i: Value<'_>) -> bool {
    distinguishes_cases(i) && !matches!(i.ty().kind(), TypeKind::Float)
}

/// The number of stores, of values that iterations hand on, and of others that are used behind the loop.
fn effects<'a>(run: &'a Run<'_>, l: Loop<'a>, instructions: &[Value<'a>]) -> usize {
    let is_counter = |i: Value<'a>| {
        let of_loop = |scev: Scev<'a>| matches!(scev.kind(), ScevKind::AddRec(..));
        run.scev(i).is_some_and(of_loop)
    };
    let carried: Vec<Value<'a>> = l.header().phis().into_iter().filter(|phi| !is_counter(*phi)).collect();
    let handed_on: Vec<Value<'a>> = carried
        .iter()
        .flat_map(|phi| phi.operands())
        .filter(|value| l.defines(*value))
        .collect();
    let is_used_behind = |i: &Value<'a>| i.users().into_iter().any(|user| !l.contains(user.block()));
    let others = instructions.iter().filter(|i| {
        let is_store = i.facts().may_write() && !i.facts().droppable();
        is_store || is_used_behind(i) && !carried.contains(i) && !handed_on.contains(i)
    });
    carried.len() + others.count()
}

/// Whether the loop reads what it writes at the same address only, and nothing at an address that stays.
fn reads_what_it_writes_in_place<'a>(run: &'a Run<'_>, l: Loop<'a>, instructions: &[Value<'a>]) -> bool {
    let addresses = |writes: bool| -> Option<Vec<Scev<'a>>> {
        let accesses = instructions
            .iter()
            .filter(|i| i.is_load_or_store() && i.facts().may_write() == writes);
        accesses.map(|i| run.scev(i.accessed_pointer()?)).collect()
    };
    let (Some(written), Some(read)) = (addresses(true), addresses(false)) else {
        return false;
    };
    let has_base = |address: &Scev<'a>| {
        let is_outside = |base: Value<'a>| !l.defines(base);
        matches!(run.pointer_base(*address).kind(), ScevKind::Unknown(base) if is_outside(base))
    };
    let in_place = |address: &Scev<'a>| {
        let is_apart = |other: &Scev<'a>| run.pointer_base(*other) != run.pointer_base(*address);
        let moves = !run.is_invariant(*address, l);
        moves && written.iter().all(|other| other == address || is_apart(other))
    };
    written.iter().chain(&read).all(has_base) && (written.is_empty() || read.iter().all(in_place))
}
