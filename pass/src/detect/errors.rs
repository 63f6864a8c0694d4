//! Error blocks: blocks that are only executed when something is wrong.
//!
//! An *error block* ends in `unreachable`, or its only successor is an error block. Failed assertions and failed
//! bounds checks end in such blocks. A loop that is left for an error block can still be modelled. The model assumes
//! that the edge is not taken, if the condition for it is affine; the assumption is checked at run time.

use farkas_llvm::loops::Loop;
use farkas_llvm::region::Border;
use farkas_llvm::value::{Block, Kind};
use indexmap::IndexSet;
use std::collections::HashSet;

/// The error blocks of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Errors<'a> {
    blocks: HashSet<Block<'a>>,
}

impl<'a> Errors<'a> {
    /// Those among the `blocks` of a function.
    pub(crate) fn new(blocks: &[Block<'a>]) -> Self {
        let mut errors = Errors::default();
        // What goes on to an error block mostly comes before it.
        for block in blocks.iter().rev() {
            errors.visit(*block);
        }
        errors
    }

    /// Whether the block is one.
    pub(crate) fn contains(&self, block: Block<'a>) -> bool {
        self.blocks.contains(&block)
    }

    /// The successors that are no error blocks; all successors, if every one is.
    pub(crate) fn onwards(&self, block: Block<'a>) -> Vec<Block<'a>> {
        let all = block.successors();
        let well: Vec<Block<'a>> = all.iter().copied().filter(|to| !self.contains(*to)).collect();
        if well.is_empty() { all } else { well }
    }

    /// The blocks that are reached from an edge out of `blocks` to an error block, other than the edge `exit`.
    pub(crate) fn reached_from(
        &self,
        blocks: impl Iterator<Item = Block<'a>>,
        exit: Border<'a>,
    ) -> IndexSet<Block<'a>> {
        let edges = blocks.flat_map(|from| from.successors().into_iter().map(move |to| (from, to)));
        let wrong = edges.filter(|(from, to)| self.contains(*to) && exit != Border::Edge { from: *from, to: *to });
        let mut reached = IndexSet::new();
        let mut pending: Vec<Block<'a>> = wrong.map(|(_, to)| to).collect();
        while let Some(block) = pending.pop() {
            if reached.insert(block) {
                pending.extend(block.successors());
            }
        }
        reached
    }

    /// The edges that leave the loop and do not lead to error blocks; all leaving edges, if every one does.
    pub(crate) fn exits(&self, l: Loop<'a>) -> Vec<(Block<'a>, Block<'a>)> {
        let mut all = Vec::new();
        for from in l.exiting_blocks() {
            let leaving = from.successors().into_iter().filter(|to| !l.contains(*to));
            all.extend(leaving.map(|to| (from, to)));
        }
        let well: Vec<_> = all.iter().copied().filter(|(_, to)| !self.contains(*to)).collect();
        if well.is_empty() { all } else { well }
    }

    fn visit(&mut self, block: Block<'a>) {
        // Follows the only way on, to a block that is known to be one or that ends.
        let mut way = vec![block];
        let ends_in_error = loop {
            let last = *way.last().expect("at least the first block");
            if self.blocks.contains(&last) {
                break true;
            }
            let next = match last.terminator().kind() {
                Kind::Terminator("unreachable") => break true,
                Kind::Jump(next) => next,
                Kind::Terminator("invoke") => last.successors()[0],
                _ => break false,
            };
            if way.len() > LONGEST || way.contains(&next) {
                break false;
            }
            way.push(next);
        };
        if ends_in_error {
            self.blocks.extend(way);
        }
    }
}

/// Length up to which a chain of single successors is followed to an error block.
const LONGEST: usize = 16;
