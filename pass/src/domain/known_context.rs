//! Known context: what the program says of the parameters before control enters the region.
//!
//! Branch conditions that lead to a region, and `__builtin_assume` on the way, hold for the parameters:
//!
//! ```c
//! if (n <= ld)
//!   for (long i = 0; i < n; i++)
//!     for (long j = 0; j < n; j++)
//!       a[i * ld + j] = 0;          // j < ld, which need not be checked
//! ```
//!
//! The search walks up the dominator tree. If block B's only predecessor is A, the condition of A's branch, or its
//! negation, holds in B. A block contributes only if all loops around it are around the region as well: then
//! parameters have the same value at both places.
//!
//! Only conditions over existing parameters are used, and only those that need no assumption: an assumption that
//! seems to follow from itself would never be checked.

use super::conditions::where_it_holds;
use crate::detect::declined::Modelled;
use crate::scev::convert::Converter;
use crate::scev::scope::Scope;
use farkas_llvm::Run;
use farkas_llvm::region::Border;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::sets::{Params, Set, SetSpace};

/// Number of dominators that are looked at.
const MOST_BLOCKS: usize = 32;

/// Number of instructions that are searched for `__builtin_assume`.
const MOST_INSTRUCTIONS: usize = 256;

/// Number of conditions that are used.
const MOST_CONDITIONS: usize = 16;

/// A condition that holds, or fails, whenever the region is entered.
#[derive(Debug)]
struct KnownCondition<'a> {
    /// Where it is evaluated.
    block: Block<'a>,
    condition: Value<'a>,
    holds: bool,
}

/// The parameter values with which the region may be entered, as far as conditions before it say.
///
/// # Errors
/// If the budget is spent.
pub(crate) fn known_context<'a>(converter: &Converter<'_, 'a, '_>) -> Modelled<'a, Set> {
    let once = Scope::outermost();
    let mut all = Set::universe(SetSpace::params_only(Params::none()));
    for KnownCondition {
        block,
        condition,
        holds,
    } in conditions(converter.run, converter.nest.region.entry)
    {
        let found = converter.without_assumptions(|| {
            let (where_it_holds, where_it_fails) = where_it_holds(converter, block, &once, condition)?;
            let known = if holds { where_it_holds } else { where_it_fails };
            Ok(known.project_onto_params(converter.budget)?)
        })?;
        match found {
            // More than one conjunction would be in whatever is made of the context.
            Ok(known) if known.pieces().len() == 1 => all = all.intersect(&known),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(all)
}

/// The conditions on the path to the region, the last one first.
fn conditions<'a>(run: &'a Run<'_>, entry: Border<'a>) -> Vec<KnownCondition<'a>> {
    let region = entry.block();
    let mut found = Vec::new();
    let mut edge = match entry {
        Border::Edge { from, to } => Some((from, to)),
        Border::Before(_) => None,
    };
    let mut instructions = MOST_INSTRUCTIONS;
    let mut next = Some(region);
    for _ in 0..MOST_BLOCKS {
        let Some(block) = next else { break };
        if run.loop_of(block).is_none_or(|l| l.contains(region)) {
            found.extend(edge.and_then(|(from, to)| branch(from, to)));
            let before = |i: &Value<'a>| entry != Border::Before(*i);
            let looked_at = block.instructions().into_iter().take(instructions).take_while(before);
            for i in looked_at {
                instructions -= 1;
                found.extend(promise(i));
            }
        }
        if found.len() >= MOST_CONDITIONS {
            break;
        }
        edge = match block.predecessors()[..] {
            [from] => Some((from, block)),
            _ => None,
        };
        next = run.immediate_dominator(block);
    }
    found.truncate(MOST_CONDITIONS);
    found
}

/// The condition that holds on one of the two edges of a branch.
fn branch<'a>(from: Block<'a>, to: Block<'a>) -> Option<KnownCondition<'a>> {
    match from.terminator().kind() {
        Kind::Branch {
            condition,
            then,
            otherwise,
        } if then != otherwise => Some(KnownCondition {
            block: from,
            condition,
            holds: to == then,
        }),
        _ => None,
    }
}

/// The condition of a `__builtin_assume`.
fn promise(i: Value<'_>) -> Option<KnownCondition<'_>> {
    match i.kind() {
        Kind::Call(name) if name == "llvm.assume" => Some(KnownCondition {
            block: i.block(),
            condition: *i.operands().first()?,
            holds: true,
        }),
        _ => None,
    }
}
