//! Blocks that a program comes to only when something is wrong: assertions that fail, indices out of bounds.
//!
//! An *error block* ends in `unreachable`, as what follows a call that does not return does, or goes on to an error
//! block only. That control leaves a loop for one does not keep the loop from being modelled: it is assumed not to
//! happen, if the condition for it is affine.

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

    /// Where control goes on from the block if all is well: everywhere, if it can only go wrong.
    pub(crate) fn onwards(&self, block: Block<'a>) -> Vec<Block<'a>> {
        let all = block.successors();
        let well: Vec<Block<'a>> = all.iter().copied().filter(|to| !self.contains(*to)).collect();
        if well.is_empty() { all } else { well }
    }

    /// Where control may come to once it has gone from one of `blocks` to an error block other than by `exit`.
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

    /// The edges on which control leaves the loop if all is well: all of them, if it can only go wrong.
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

/// Ways to an error are not followed any further than this.
const LONGEST: usize = 16;
