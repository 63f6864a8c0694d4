//! What is known where a region begins.
//!
//! Conditions that lead to a region, and what the program promises on the way (`__builtin_assume`), hold for its parameters:
//!
//! ```c
//! if (n <= ld)
//!   for (long i = 0; i < n; i++)
//!     for (long j = 0; j < n; j++)
//!       a[i * ld + j] = 0;          // j < ld, which need not be checked
//! ```
//!
//! The way goes up the immediate dominators. The condition of a block that is the only one before the next block down holds
//! there, or fails. It is about the values that parameters have in the region where all loops around that block are around
//! the region, too: then both are executed in the same iterations, the region last.
//!
//! Only what is said of parameters that there are is taken, and only what is so without assumptions: from what holds under
//! assumptions, these could seem to follow, and would not be checked any more.

use super::conditions::where_it_holds;
use crate::detect::declined::{Modelled, Reason};
use crate::scev::convert::Converter;
use crate::scev::scope::Scope;
use farkas_llvm::Run;
use farkas_llvm::region::Border;
use farkas_llvm::value::{Block, Kind, Value};
use farkas_polyhedral::sets::{Params, Set, SetSpace};

/// So many dominators are looked at.
const MOST_BLOCKS: usize = 32;

/// So many instructions in them are looked at for promises.
const MOST_INSTRUCTIONS: usize = 256;

/// So many conditions are made use of.
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
        });
        match found {
            // More than one conjunction would be in whatever is made of the context.
            Ok(known) if known.pieces().len() == 1 => all = all.intersect(&known),
            Err(declined) if declined.reason == Reason::OutOfBudget => return Err(declined),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(all)
}

/// The conditions on the way, the last first.
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

/// What holds on one of the two edges of a branch.
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

/// What `__builtin_assume` says.
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
