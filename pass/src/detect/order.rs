//! Topological order of the blocks and loops directly inside a loop, or inside a function.
//!
//! Each loop directly inside counts as one node. The order is the textual order of the model.

use super::errors::Errors;
use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::value::Block;
use indexmap::{IndexMap, IndexSet};

/// A node of the body of a loop, or of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node<'a> {
    /// A block that is in no loop further inside.
    Block(Block<'a>),
    /// A loop directly inside, as a whole.
    Loop(Loop<'a>),
}

/// The nodes directly inside `around` that are reached from `start` in one iteration, in topological order. Of
/// several possible orders, the first successor of a branch comes first. A single-entry single-exit region is
/// contiguous in the order. `None` if control flow is irreducible.
pub(crate) fn order<'a>(
    run: &'a Run<'_>,
    errors: &Errors<'a>,
    around: Option<Loop<'a>>,
    start: Block<'a>,
) -> Option<Vec<Node<'a>>> {
    let start = node_of(run, around, start)?;
    let header = around.map(Loop::header);
    let successors = |node: Node<'a>| -> Vec<Node<'a>> {
        let inside = onwards(errors, node).into_iter().filter(|to| Some(*to) != header);
        let distinct: IndexSet<Node<'a>> = inside.filter_map(|to| node_of(run, around, to)).collect();
        distinct.into_iter().collect()
    };
    // Depth-first search with an explicit stack; a node is finished when all its successors are.
    let mut finished: IndexMap<Node<'a>, bool> = IndexMap::from([(start, false)]);
    let mut order = Vec::new();
    let mut stack = vec![(start, successors(start))];
    while let Some((node, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) => match finished.get(&next) {
                Some(true) => {}
                Some(false) => return None,
                None => {
                    finished.insert(next, false);
                    stack.push((next, successors(next)));
                }
            },
            None => {
                finished.insert(*node, true);
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    Some(order)
}

/// The successor blocks of the node, without error blocks.
pub(crate) fn onwards<'a>(errors: &Errors<'a>, node: Node<'a>) -> Vec<Block<'a>> {
    match node {
        Node::Block(block) => errors.onwards(block),
        Node::Loop(l) => errors.exits(l).into_iter().map(|(_, to)| to).collect(),
    }
}

/// The node directly inside `around` that the block is in, if it is inside.
pub(crate) fn node_of<'a>(run: &'a Run<'_>, around: Option<Loop<'a>>, block: Block<'a>) -> Option<Node<'a>> {
    let mut innermost = run.loop_of(block);
    if innermost == around {
        return Some(Node::Block(block));
    }
    while let Some(l) = innermost {
        if l.parent() == around {
            return Some(Node::Loop(l));
        }
        innermost = l.parent();
    }
    None
}
