//! The grid of a kernel: how many blocks are launched in each dimension.
//!
//! Blocks take the iterations of loops over blocks in turns, so that any number is right. A good one is the number of iterations of the longest
//! loop in a dimension, which the host computes in front of the kernel. There it is not known whether a loop is reached:
//!
//! ```text
//! kernel
//!   if (n >= 34)
//!     blocks y   for (c0 = 0; c0 <= (m - 3) / 8; ..)
//!       blocks x   for (c1 = 0; c1 <= (n - 3) / 32; ..)
//! ```
//!
//! Where it is not, its bounds may be anything, such as the quotient of a negative number that is taken for a large one. So it counts only if the
//! conditions around it hold, and the loops around it have iterations.

use farkas_llvm::edit::freeze;
use farkas_llvm::inkwell::IntPredicate;
use farkas_llvm::inkwell::values::IntValue;
use farkas_polyhedral::ast::{Condition, For, IterId, Node, Upper};

use super::Emitter;
use crate::arith::BUILDS;

/// The most blocks in a dimension: what all devices have in each one.
const MOST_BLOCKS: u64 = 65535;

/// The blocks in x, y and z where the number of iterations differs from block to block: enough for all multiprocessors, and not so many that
/// blocks without work take long.
const BLOCKS: [u64; 3] = [256, 32, 8];

/// What decides whether a loop is reached.
#[derive(Clone, Copy)]
enum Gate<'n> {
    /// The condition holds, or does not.
    Condition(&'n Condition, bool),
    /// The loop has iterations.
    Loop(&'n For),
}

impl Gate<'_> {
    fn may_mention(self, iter: IterId) -> bool {
        match self {
            Gate::Condition(condition, _) => condition.mentions(iter),
            Gate::Loop(node) => node.bounds_may_mention(iter),
        }
    }
}

/// A loop over blocks, and what is around it in its kernel.
struct BlockLoop<'n> {
    node: &'n For,
    gates: Vec<Gate<'n>>,
}

impl BlockLoop<'_> {
    /// Whether the number of its iterations, and whether it is reached, are the same in all blocks.
    fn is_known(&self) -> bool {
        let around = self.gates.iter().filter_map(|gate| match gate {
            Gate::Loop(around) => Some(around.iter),
            Gate::Condition(..) => None,
        });
        let mut iters = around;
        let is_free = |iter: IterId| {
            let mut gates = self.gates.iter();
            !self.node.bounds_may_mention(iter) && !gates.any(|gate| gate.may_mention(iter))
        };
        iters.all(is_free)
    }
}

impl<'a> Emitter<'_, 'a, '_> {
    /// The number of blocks in x, y and z, where the builder stands.
    pub(super) fn grid(&self, body: &Node) -> [IntValue<'a>; 3] {
        let mut found = Vec::new();
        add_block_loops(body, &[], &mut found);
        let one = self.i64.const_int(1, false);
        let (narrow, most) = (self.run.context().i32_type(), self.i64.const_int(MOST_BLOCKS, false));
        let mut unknown = BLOCKS.into_iter();
        For::BLOCKS.map(|annotation| {
            let unknown = self.i64.const_int(unknown.next().expect("three dimensions"), false);
            let own = found.iter().filter(|own| own.node.is_annotated(annotation));
            let blocks = own.fold(one, |blocks, own| {
                let own = self.blocks_of(own).unwrap_or(unknown);
                self.picked(IntPredicate::SGT, blocks, own)
            });
            let blocks = self.picked(IntPredicate::SLT, blocks, most);
            self.builder.build_int_truncate(blocks, narrow, "").expect(BUILDS)
        })
    }

    /// The number of iterations of a loop, or 0 or less where it has none or is not reached; `None` if that is not known here.
    fn blocks_of(&self, own: &BlockLoop<'_>) -> Option<IntValue<'a>> {
        if !own.is_known() {
            return None;
        }
        let none = self.i64.const_zero();
        let mut blocks = self.iterations_of(own.node)?;
        for gate in &own.gates {
            let is_open = match gate {
                Gate::Condition(condition, true) => self.arith().condition(condition),
                Gate::Condition(condition, false) => {
                    let holds = self.arith().condition(condition);
                    self.builder.build_not(holds, "").expect(BUILDS)
                }
                Gate::Loop(around) => {
                    let iterations = self.iterations_of(around)?;
                    let compared = self.builder.build_int_compare(IntPredicate::SGT, iterations, none, "");
                    compared.expect(BUILDS)
                }
            };
            let is_open = freeze(self.builder, is_open).into_int_value();
            let selected = self.builder.build_select(is_open, blocks, none, "").expect(BUILDS);
            blocks = selected.into_int_value();
        }
        Some(blocks)
    }

    /// The number of iterations of a loop whose bounds are known here; where it is not reached, any number.
    fn iterations_of(&self, node: &For) -> Option<IntValue<'a>> {
        let Upper::AtMost(upper) = &node.upper else { return None };
        let bounds = (self.arith().expr(&node.lower), self.arith().expr(upper));
        Some(freeze(self.builder, self.iterations(node, bounds)).into_int_value())
    }

    fn picked(&self, predicate: IntPredicate, x: IntValue<'a>, y: IntValue<'a>) -> IntValue<'a> {
        let first = self.builder.build_int_compare(predicate, x, y, "").expect(BUILDS);
        let picked = self.builder.build_select(first, x, y, "").expect(BUILDS);
        picked.into_int_value()
    }
}

/// Adds the loops over blocks in a subtree, in which these gates are around.
fn add_block_loops<'n>(node: &'n Node, gates: &[Gate<'n>], found: &mut Vec<BlockLoop<'n>>) {
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|node| add_block_loops(node, gates, found)),
        Node::For(inner) => {
            if For::BLOCKS.iter().any(|annotation| inner.is_annotated(annotation)) {
                found.push(BlockLoop {
                    node: inner,
                    gates: gates.to_vec(),
                });
            }
            add_block_loops(&inner.body, &[gates, &[Gate::Loop(inner)]].concat(), found);
        }
        Node::If {
            condition,
            then,
            otherwise,
        } => {
            let with = |holds| [gates, &[Gate::Condition(condition, holds)]].concat();
            add_block_loops(then, &with(true), found);
            if let Some(otherwise) = otherwise {
                add_block_loops(otherwise, &with(false), found);
            }
        }
        Node::Mark { body, .. } => add_block_loops(body, gates, found),
        Node::Call(_) => {}
    }
}
