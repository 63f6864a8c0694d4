//! What is in a subtree of an AST.

use farkas_polyhedral::ast::rows::loops;
use farkas_polyhedral::ast::{Call, Node};
use farkas_polyhedral::tree::Mark;

/// Whether there is a loop in the subtree.
pub(super) fn has_loop(node: &Node) -> bool {
    !loops(node).is_empty()
}

/// Does something for each mark in the subtree, and what is below it.
pub(super) fn for_each_mark<'n>(node: &'n Node, each: &mut dyn FnMut(&'n Mark, &'n Node)) {
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|node| for_each_mark(node, each)),
        Node::For(node) => for_each_mark(&node.body, each),
        Node::If { then, otherwise, .. } => {
            for_each_mark(then, each);
            otherwise.iter().for_each(|node| for_each_mark(node, each));
        }
        Node::Mark { mark, body } => {
            each(mark, body);
            for_each_mark(body, each);
        }
        Node::Call(_) => {}
    }
}

/// The calls in the subtree, in order.
pub(super) fn calls(node: &Node) -> Vec<&Call> {
    match node {
        Node::Block(nodes) => nodes.iter().flat_map(calls).collect(),
        Node::Call(call) => vec![call],
        Node::For(node) => calls(&node.body),
        Node::Mark { body, .. } => calls(body),
        Node::If { then, otherwise, .. } => {
            let otherwise = otherwise.as_deref().map(calls).unwrap_or_default();
            calls(then).into_iter().chain(otherwise).collect()
        }
    }
}
