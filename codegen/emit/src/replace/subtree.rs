//! What is in a subtree of an AST.

use farkas_polyhedral::ast::{For, Node};
use farkas_polyhedral::tree::Mark;

/// Whether each iteration of a marked loop is executed in a single place. Parts of an iteration before or behind the loop
/// would miss what it has in private slots.
pub(super) fn is_one_loop(node: &Node) -> bool {
    match node {
        Node::Block(nodes) => match &nodes[..] {
            [] => true,
            [node] => is_one_loop(node),
            _ => false,
        },
        Node::Mark { body, .. } => is_one_loop(body),
        Node::If { then, otherwise, .. } => is_one_loop(then) && otherwise.as_deref().is_none_or(is_one_loop),
        Node::For(_) => true,
        Node::Call(_) => false,
    }
}

/// The loops that are outermost in the subtree.
pub(super) fn loops(node: &Node) -> Vec<&For> {
    match node {
        Node::Block(nodes) => nodes.iter().flat_map(loops).collect(),
        Node::For(node) => vec![node],
        Node::If { then, otherwise, .. } => {
            let otherwise = otherwise.as_deref().map(loops).unwrap_or_default();
            loops(then).into_iter().chain(otherwise).collect()
        }
        Node::Mark { body, .. } => loops(body),
        Node::Call(_) => Vec::new(),
    }
}

/// Whether there is a loop in the subtree.
pub(super) fn has_loop(node: &Node) -> bool {
    !loops(node).is_empty()
}

/// Whether there is such a mark in the subtree.
pub(super) fn has_mark(node: &Node, is_such: &dyn Fn(&Mark) -> bool) -> bool {
    match node {
        Node::Block(nodes) => nodes.iter().any(|node| has_mark(node, is_such)),
        Node::For(node) => has_mark(&node.body, is_such),
        Node::If { then, otherwise, .. } => {
            has_mark(then, is_such) || otherwise.as_deref().is_some_and(|node| has_mark(node, is_such))
        }
        Node::Mark { mark, body } => is_such(mark) || has_mark(body, is_such),
        Node::Call(_) => false,
    }
}
