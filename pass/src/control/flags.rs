//! Flags: conditions around loops that do not change in the region, though they are no comparisons of integers that scalar evolution
//! looks into.
//!
//! ```c
//! for (j = 0; j < n; j++) {
//!   if (beta == 0.0)                        // a flag
//!     for (i = 0; i < n; i++)
//!       c[i][j] = 0;
//!   ..
//! ```
//!
//! They are computed in front of the region, and are parameters of its model.

use super::nest::{Item, Nest};
use super::subregion::ways_on;
use farkas_llvm::Run;
use farkas_llvm::boolean::Boolean;
use farkas_llvm::operand_tree::{Visit, operand_tree};
use farkas_llvm::value::{Kind, Value};
use indexmap::IndexSet;

/// Number of instructions that may compute a flag.
const MOST_INSTRUCTIONS: usize = 16;

/// The conditions in the nest that may be flags, if what they load can be hoisted.
pub(crate) fn flags<'a>(run: &'a Run<'_>, nest: &Nest<'a>) -> IndexSet<Value<'a>> {
    // What scalar evolution can compute in front needs no flag.
    let is_at_hand = |value: Value<'a>| run.scev(value).is_some_and(|scev| nest.region.is_parameter(run, scev));
    let mut flags = IndexSet::new();
    for (block, loops) in &nest.blocks {
        let Some(condition) = block.terminator().condition() else {
            continue;
        };
        let items = loops.last().map_or(&nest.body, |id| &nest.at(*id).body);
        let is_around_loop = || {
            let ways = ways_on(nest, items, *block);
            let mut items = ways.into_iter().flatten().flat_map(|way| way.items);
            items.any(|item| matches!(item, Item::Loop(_)))
        };
        if !nest.defines(condition) || !is_around_loop() {
            continue;
        }
        let mut open = vec![condition];
        while let Some(condition) = open.pop() {
            match Boolean::of(condition) {
                Boolean::Not(a) => open.push(a),
                Boolean::And(a, b) | Boolean::Or(a, b) => open.extend([a, b]),
                Boolean::Constant(_) => {}
                Boolean::Compare(_, a, b) if is_at_hand(a) && is_at_hand(b) => {}
                Boolean::Compare(..) | Boolean::Opaque => {
                    if nest.defines(condition) && loads(nest, condition).is_some() {
                        flags.insert(condition);
                    }
                }
            }
        }
    }
    flags
}

/// The loads of the nest that a flag is computed from; `None` if it changes otherwise.
pub(crate) fn loads<'a>(nest: &Nest<'a>, flag: Value<'a>) -> Option<Vec<Value<'a>>> {
    let mut loads = Vec::new();
    operand_tree([flag], MOST_INSTRUCTIONS, |value| {
        match nest.defines(value).then(|| value.kind()) {
            None => Visit::Leaf,
            Some(Kind::Load { .. }) => {
                loads.push(value);
                Visit::Leaf
            }
            Some(Kind::Phi(_) | Kind::Freeze) => Visit::Abort,
            Some(_) if value.facts().speculatable() => Visit::Operands,
            Some(_) => Visit::Abort,
        }
    })?;
    Some(loads)
}

/// The instructions of the nest that compute a flag's operands, in order; `None` if one of them is a load.
pub(crate) fn operands<'a>(nest: &Nest<'a>, flag: Value<'a>) -> Option<Vec<Value<'a>>> {
    let tree = operand_tree([flag], MOST_INSTRUCTIONS, |value| {
        match nest.defines(value).then(|| value.kind()) {
            None => Visit::Leaf,
            Some(Kind::Load { .. }) => Visit::Abort,
            Some(_) => Visit::Operands,
        }
    });
    let mut instructions: Vec<Value<'a>> = tree?.into_iter().collect();
    // The flag itself comes last.
    instructions.pop();
    Some(instructions)
}
