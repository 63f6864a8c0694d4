//! Conditions on data around loops, which are assumed to go one way in all instances.
//!
//! ```c
//! for (j = 0; j < n; j++)
//!   for (l = 0; l < n; l++)
//!     if (b[l][j] != 0)                     // assumed for all j and l
//!       for (i = 0; i < n; i++)
//!         c[i][j] += b[l][j] * a[i][l];
//! ```
//!
//! A model in which the condition stays could move it into inner loops, and would lose where it rarely holds: what one test has skipped is
//! tested for each tile then. So the model is that of the loops without the condition. An inspector in front of the new code looks at the
//! condition in all instances, and the original is executed where it fails in any.
//!
//! Of the ways on from a branch, the one with the deeper loops is assumed to be taken. Where both have as deep ones, it is the one that is
//! a part of the other: in `if (x != 0 || y != 0) for ..`, which LLVM makes two branches of, the loop is all of one way, and behind the
//! second test on the other way.
//!
//! A condition is assumed only if the inspector can evaluate it: it is computed from counters, parameters, and loads, by what cannot trap.
//! That the region does not change what is loaded is [checked](crate::scop_builder) once its accesses are known. Whether what the condition
//! governs is executed is known only behind the inspector; so nothing that is loaded there is
//! [hoisted](crate::memory::invariant_load_hoisting) in front.
//!
//! The inspector finds the first instance in which a condition fails, as up to there the original executes what the model has. What it
//! evaluates behind that may have other values in the original, but is there, too: on no way may the program end, and the way that is left
//! out writes nothing that is hoisted.

use crate::control::nest::{Item, Nest};
use crate::control::subregion::{Way, ways_on};
use crate::scev::scope::Scope;
use farkas_llvm::boolean::conjuncts;
use farkas_llvm::scop_ir::LoopId;
use farkas_llvm::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

/// What becomes of conditions on data around loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionsOnData {
    /// The region has no model.
    Declined,
    /// The region is modelled as if they were not there, where that is possible.
    Assumed,
}

/// A condition that is assumed.
#[derive(Clone, Debug)]
pub(crate) struct AssumedCondition<'a> {
    /// The block that ends with the branch.
    pub(crate) block: Block<'a>,
    /// What is assumed: each of these has this value.
    pub(crate) conjuncts: Vec<(Value<'a>, bool)>,
    /// The instances of the block in which that is assumed.
    pub(crate) scope: Scope,
}

/// The way on from a branch that may be assumed to be taken.
#[derive(Clone, Debug)]
pub(super) struct Choice<'a> {
    /// Where the way leads.
    pub(super) to: Block<'a>,
    /// Where the other one does.
    pub(super) other: Block<'a>,
    /// The conditions that have to have these values for the way to be taken.
    pub(super) conjuncts: Vec<(Value<'a>, bool)>,
    /// The blocks that the branch governs: those of all ways, and of the loops in them.
    pub(super) governed: IndexSet<Block<'a>>,
    /// Those that the way does not come through.
    pub(super) left_out: IndexSet<Block<'a>>,
}

/// The way with the deeper loops from a branch on data; `None` if neither has these.
pub(super) fn way_with_loops<'a>(nest: &Nest<'a>, items: &[Item<'a>], branch: Block<'a>) -> Option<Choice<'a>> {
    let Kind::Branch {
        condition,
        then,
        otherwise,
    } = branch.terminator().kind()
    else {
        return None;
    };
    let ways = ways_on(nest, items, branch)?;
    let way = |to: Block<'a>| ways.iter().find(|way| way.to == to);
    let (on_true, on_false) = (way(then)?, way(otherwise)?);
    let [depth, other_depth] = [on_true, on_false].map(|way| depth(nest, way));
    let is_part = |one: &Way<'a>, other: &Way<'a>| one.items.iter().all(|item| other.items.contains(item));
    let holds = match depth.cmp(&other_depth) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => match (is_part(on_true, on_false), is_part(on_false, on_true)) {
            (true, false) => true,
            (false, true) => false,
            _ => return None,
        },
    };
    let (taken, other) = match holds {
        true => (on_true, on_false),
        false => (on_false, on_true),
    };
    let blocks = |way: &Way<'a>| -> IndexSet<Block<'a>> {
        let items = way.items.iter();
        items.flat_map(|item| blocks_of(nest, *item)).collect()
    };
    let (on_way, elsewhere) = (blocks(taken), blocks(other));
    Some(Choice {
        to: taken.to,
        other: other.to,
        conjuncts: conjuncts(condition, holds),
        governed: on_way.union(&elsewhere).copied().collect(),
        left_out: elsewhere.difference(&on_way).copied().collect(),
    })
}

/// The depth of the deepest loops of a way.
fn depth(nest: &Nest<'_>, way: &Way<'_>) -> usize {
    let depths = way.items.iter().map(|item| match item {
        Item::Block(_) => 0,
        Item::Loop(id) => depth_of_loop(nest, *id),
    });
    depths.max().unwrap_or(0)
}

fn depth_of_loop(nest: &Nest<'_>, id: LoopId) -> usize {
    let inside = nest.at(id).body.iter().filter_map(|item| match item {
        Item::Block(_) => None,
        Item::Loop(child) => Some(depth_of_loop(nest, *child)),
    });
    1 + inside.max().unwrap_or(0)
}

fn blocks_of<'a>(nest: &Nest<'a>, item: Item<'a>) -> Vec<Block<'a>> {
    match item {
        Item::Block(block) => vec![block],
        Item::Loop(id) => nest.at(id).handle.blocks(),
    }
}

/// The loads and operations that the inspector repeats to evaluate these conditions, in the order of the nest; `None` if it cannot. What
/// `is_at_hand` says of is computed from counters alone.
pub(crate) fn inspected_instructions<'a>(
    nest: &Nest<'a>,
    conditions: impl Iterator<Item = Value<'a>>,
    is_at_hand: &dyn Fn(Value<'a>) -> bool,
) -> Option<Vec<Value<'a>>> {
    let mut found: IndexSet<Value<'a>> = IndexSet::new();
    let mut pending: Vec<Value<'a>> = conditions.collect();
    while let Some(value) = pending.pop() {
        if !value.is_data() || !nest.defines(value) || is_at_hand(value) || found.contains(&value) {
            continue;
        }
        let kind = value.kind();
        // It is repeated where the original may not come to, as the way that is not taken may keep it from that: nothing may trap.
        let is_repeatable = value.facts().speculatable() || matches!(kind, Kind::Load { .. });
        // The clone of a `freeze` may choose another value.
        if value.is_phi() || kind == Kind::Freeze || !is_repeatable {
            return None;
        }
        found.insert(value);
        pending.extend(value.operands());
    }
    let places: IndexMap<Value<'a>, usize> = nest
        .blocks
        .keys()
        .flat_map(|block| nest.instructions(*block))
        .copied()
        .zip(0..)
        .collect();
    found.sort_by_key(|value| places.get(value).copied());
    Some(found.into_iter().collect())
}
