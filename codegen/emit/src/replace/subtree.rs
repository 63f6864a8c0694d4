//! What is in a subtree of an AST.

use farkas_polyhedral::ast::Node;
use farkas_polyhedral::ast::rows::loops;
use farkas_polyhedral::tree::Mark;

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
