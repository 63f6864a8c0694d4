//! Operand trees: the instructions that compute a value.
//!
//! Who walks an operand tree says at each value how to go on: the *policy*. A policy decides where the tree ends (at values of
//! outside, at phis, at loads) and which values spoil it.

use crate::value::Value;
use indexmap::{IndexMap, IndexSet};

/// How a walk goes on from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit<'a> {
    /// The value is an inner node: its operands are visited.
    Operands,
    /// The value is an inner node: this value is visited in place of its operands.
    Through(Value<'a>),
    /// The value is a leaf.
    Leaf,
    /// The tree is of no use.
    Abort,
}

/// The inner nodes of the operand trees of `roots`, operands before their users. Each value is visited once. `None` if the
/// policy aborts, or if there are more than `limit` inner nodes.
pub fn operand_tree<'a>(
    roots: impl IntoIterator<Item = Value<'a>>,
    limit: usize,
    mut policy: impl FnMut(Value<'a>) -> Visit<'a>,
) -> Option<IndexSet<Value<'a>>> {
    let mut finished = IndexSet::new();
    let mut visited: IndexSet<Value<'a>> = IndexSet::new();
    let mut inner = 0;
    // Inner nodes with the operands that are still to be visited; the roots have no user.
    let mut path: Vec<(Option<Value<'a>>, Vec<Value<'a>>)> = vec![(None, roots.into_iter().collect())];
    while let Some((user, pending)) = path.last_mut() {
        let Some(value) = pending.pop() else {
            finished.extend(*user);
            path.pop();
            continue;
        };
        if !visited.insert(value) {
            continue;
        }
        let operands = match policy(value) {
            Visit::Operands => value.operands(),
            Visit::Through(other) => vec![other],
            Visit::Leaf => continue,
            Visit::Abort => return None,
        };
        inner += 1;
        if inner > limit {
            return None;
        }
        path.push((Some(value), operands));
    }
    Some(finished)
}

/// Copies of instructions, operands before their users, that use each other as the originals do. They are in no block yet.
pub(crate) fn duplicate_tree<'a>(originals: impl IntoIterator<Item = Value<'a>>) -> IndexMap<Value<'a>, Value<'a>> {
    let mut copies: IndexMap<Value<'a>, Value<'a>> = IndexMap::new();
    for original in originals {
        let copy = Value::from_inkwell(original.duplicate());
        for operand in original.operands() {
            if let Some(copied) = copies.get(&operand) {
                copy.replace_operand(operand, *copied);
            }
        }
        copies.insert(original, copy);
    }
    copies
}
