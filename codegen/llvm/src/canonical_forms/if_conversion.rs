//! If-conversion of integers that are computed on one of several ways: a phi where the ways meet becomes a choice where they part.
//!
//! LLVM keeps a branch where a way computes more than an instruction or two, as it does for subscripts that are confined:
//!
//! ```text
//! part: br (y < 0), meet, inside              part: m = min(y, h - 1)
//! inside: m = min(y, h - 1)                         p = m * w
//!         p = m * w                    ->           r' = select (y < 0), 0, p
//!         br meet                                   br (y < 0), meet, inside
//! meet: r = phi [0, part], [p, inside]        meet: (the users of r use r')
//! ```
//!
//! Scalar evolution looks through a choice, and statements compute one by themselves, where a phi would take a scalar slot.
//!
//! What is chosen by data that the program computes stays as it is: there, executing one way only may be what gains.

use super::erase_unused;
use crate::operand_tree::{Visit, duplicate_tree, operand_tree};
use crate::run::Run;
use crate::scev::ScevKind;
use crate::types::TypeKind;
use crate::value::{Block, Kind, Value};
use indexmap::{IndexMap, IndexSet};

/// Blocks between the one where the ways part and the one where they meet, at the most.
const MOST_BLOCKS: usize = 6;

/// Instructions that a choice takes, at the most: those of the ways, and one for each branch.
const MOST_INSTRUCTIONS: usize = 16;

/// Instructions that are looked at to see what a choice depends on, at the most.
const MOST_OPERANDS: usize = 64;

/// The integers in loops that several ways within an iteration compute.
pub(super) fn candidates<'a>(run: &'a Run<'_>) -> Vec<Value<'a>> {
    let blocks = run.function().blocks().into_iter();
    let within_iterations = blocks.filter(|block| run.loop_of(*block).is_some_and(|l| l.header() != *block));
    let phis = within_iterations.flat_map(|block| block.phis());
    let is_number = |phi: &Value<'a>| matches!(phi.ty().kind(), TypeKind::Integer(2..=64)) && phi.is_used();
    phis.filter(is_number).collect()
}

/// Computes the value of the phi where the ways part, if it depends on counters and on values of outside only. What was added, the value
/// last; `None` where there is nothing to choose, as both ways have the same value, or the condition is known.
pub(super) fn choice<'a>(run: &'a Run<'_>, phi: Value<'a>) -> Option<Vec<Value<'a>>> {
    let ways = Ways::to(run, phi)?;
    let instructions = ways.instructions(phi).filter(|_| ways.is_of_counters(run, phi))?;
    let (added, value) = ways.choose(run, phi, &instructions);
    let is_new = added.len() > instructions.len() && added.last() == Some(&value);
    if !is_new {
        erase_unused(&added);
    }
    is_new.then_some(added)
}

/// The ways from a block to a phi: all ways from that block go there.
struct Ways<'a> {
    /// The block where they part, and those between, each before those that it goes on to.
    blocks: IndexSet<Block<'a>>,
}

impl<'a> Ways<'a> {
    /// `None` where there are loops or too many blocks on the ways, or they leave.
    fn to(run: &'a Run<'_>, phi: Value<'a>) -> Option<Self> {
        let meet = phi.block();
        let around = run.loop_of(meet);
        let part = run.immediate_dominator(meet)?;
        let mut between: IndexSet<Block<'a>> = IndexSet::from([part]);
        let mut open = meet.predecessors();
        while let Some(block) = open.pop() {
            if between.insert(block) {
                open.extend(block.predecessors());
            }
            if between.len() > 1 + MOST_BLOCKS {
                return None;
            }
        }
        let stays = |block: &Block<'a>| {
            let goes_on = matches!(block.terminator().kind(), Kind::Branch { .. } | Kind::Jump(_));
            let mut to = block.successors().into_iter();
            run.loop_of(*block) == around && goes_on && to.all(|to| to == meet || to != part && between.contains(&to))
        };
        if !between.iter().all(stays) {
            return None;
        }
        let mut blocks: IndexSet<Block<'a>> = IndexSet::from([part]);
        while blocks.len() < between.len() {
            let is_next = |block: &Block<'a>| {
                !blocks.contains(block) && block.predecessors().iter().all(|before| blocks.contains(before))
            };
            let next = between.iter().copied().find(is_next)?;
            blocks.insert(next);
        }
        Some(Ways { blocks })
    }

    fn part(&self) -> Block<'a> {
        self.blocks[0]
    }

    /// What is decided behind the block where the ways part, and the values that the ways end with.
    fn roots(&self, phi: Value<'a>) -> impl Iterator<Item = Value<'a>> {
        let conditions = self
            .blocks
            .iter()
            .skip(1)
            .filter_map(|block| block.terminator().condition());
        conditions.chain(phi.operands())
    }

    /// The instructions on the ways that compute the value of the phi, operands before their users; `None` where some cannot be executed
    /// on all ways, or they are too many.
    fn instructions(&self, phi: Value<'a>) -> Option<IndexSet<Value<'a>>> {
        operand_tree(self.roots(phi), MOST_INSTRUCTIONS - self.blocks.len(), |value| {
            let is_between = |value: Value<'a>| value.block() != self.part() && self.blocks.contains(&value.block());
            match value.is_instruction() && is_between(value) {
                // Two copies of a `freeze` may differ.
                true if !value.is_phi() && value.kind() != Kind::Freeze && value.facts().speculatable() => {
                    Visit::Operands
                }
                true => Visit::Abort,
                false => Visit::Leaf,
            }
        })
    }

    /// Whether the value of the phi depends on counters and on values of outside of the loops around it only. What is loaded from where a
    /// loop around does not change it is such a value, as far as is known here.
    fn is_of_counters(&self, run: &'a Run<'_>, phi: Value<'a>) -> bool {
        let outermost = std::iter::successors(run.loop_of(phi.block()), |l| l.parent()).last();
        let Some(outermost) = outermost else { return false };
        let is_counter = |phi| {
            run.scev(phi)
                .is_some_and(|scev| matches!(scev.kind(), ScevKind::AddRec(..)))
        };
        let is_unchanged = |pointer| run.scev(pointer).is_some_and(|scev| run.is_invariant(scev, outermost));
        let roots = self.roots(phi).chain(self.part().terminator().condition());
        let tree = operand_tree(roots, MOST_OPERANDS, |value| match () {
            () if !value.is_data() || !outermost.defines(value) => Visit::Leaf,
            () if value.is_phi() && is_counter(value) => Visit::Leaf,
            () => match value.kind() {
                Kind::Load { pointer } if is_unchanged(pointer) => Visit::Leaf,
                Kind::Phi(_) => Visit::Abort,
                _ if value.facts().pure() => Visit::Operands,
                _ => Visit::Abort,
            },
        });
        tree.is_some()
    }

    /// Computes the value of the phi where the ways part, with copies of these instructions. What was added, the copies first, and the value.
    fn choose(
        &self,
        run: &'a Run<'_>,
        phi: Value<'a>,
        instructions: &IndexSet<Value<'a>>,
    ) -> (Vec<Value<'a>>, Value<'a>) {
        let builder = run.context().create_builder();
        builder.position_before(&self.part().terminator().instruction().expect("an instruction"));
        builder.unset_current_debug_location();
        let copies = duplicate_tree(instructions.iter().copied());
        for copy in copies.values() {
            builder.insert_instruction(&copy.instruction().expect("a copy of an instruction"), None);
        }
        let copied = |value: Value<'a>| copies.get(&value).copied().unwrap_or(value);
        let mut added: Vec<Value<'a>> = copies.values().copied().collect();
        // The value of the phi where control comes to the end of a block.
        let mut values: IndexMap<Block<'a>, Value<'a>> = IndexMap::new();
        for block in self.blocks.iter().rev() {
            let on_way = |to: Block<'a>| match values.get(&to) {
                Some(value) => *value,
                None => copied(phi.incoming_from(*block).expect("a value for each way")),
            };
            let value = match block.terminator().kind() {
                Kind::Branch {
                    condition,
                    then,
                    otherwise,
                } => {
                    let data = |value: Value<'a>| value.basic().expect("data");
                    let test = data(copied(condition)).into_int_value();
                    let (one, other) = (on_way(then), on_way(otherwise));
                    let choice = builder.build_select(test, data(one), data(other), "");
                    let choice = Value::from_inkwell(choice.expect("operands of one type"));
                    // The builder gives back what is there where nothing is to be chosen.
                    if choice.is_instruction() && !choice.is_used() && choice != one && choice != other {
                        added.push(choice);
                    }
                    choice
                }
                _ => on_way(block.successors()[0]),
            };
            values.insert(*block, value);
        }
        (added, values[&self.part()])
    }
}
